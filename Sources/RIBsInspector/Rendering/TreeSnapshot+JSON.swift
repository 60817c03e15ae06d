internal import Foundation
public import RIBs

extension TreeSnapshot {
  /// The tree as JSON, which `TreeSnapshot(json:)` or any decoder can read.
  ///
  /// An object with a `version` and the `nodes`: the RIBs in pre-order, each with the index of its `parent`. The
  /// order of the fields is fixed, so that two texts can be compared line by line.
  ///
  /// - Parameter depth: the number of levels below the root to write; all if nil.
  /// - Returns: the text, ending in a newline.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func json(depth: Int? = nil) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Cannot fail: a snapshot contains no non-finite number.
    return String(decoding: (try? encoder.encode(cut(toDepth: depth))) ?? Data(), as: UTF8.self) + "\n"
  }

  /// Decodes a tree from JSON.
  ///
  /// - Parameter json: the text.
  /// - Throws: a `DecodingError` if the text is not a snapshot.
  public init(json: String) throws {
    self = try JSONDecoder().decode(TreeSnapshot.self, from: Data(json.utf8))
  }

  /// The tree as JSON on one line. Encoded in pieces, because an encoder uses many times the memory of its output.
  func encoded() -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Cannot fail: these are strings.
    func member(_ key: String, _ value: some Encodable) -> Data {
      Data("\"\(key)\":".utf8) + ((try? encoder.encode(value)) ?? Data("null".utf8)) + Data(",".utf8)
    }
    var data = Data("{".utf8)
    if !labels.isEmpty { data += member("labels", labels) }
    if let name { data += member("name", name) }
    data += Data("\"nodes\":[".utf8)
    var start = 0
    while start < nodes.count {
      let end = min(start + 1_000, nodes.count)
      if start > 0 { data.append(UInt8(ascii: ",")) }
      // Cannot fail: a snapshot contains no non-finite number.
      let piece = (try? encoder.encode(Array(nodes[start..<end]))) ?? Data()
      data += piece.dropFirst().dropLast()
      start = end
    }
    return data + Data("],\"version\":\(TreeSnapshot.version)}".utf8)
  }
}
