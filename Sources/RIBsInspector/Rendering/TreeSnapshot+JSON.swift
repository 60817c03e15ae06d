internal import Foundation
public import RIBs

extension TreeSnapshot {
  /// The tree as JSON, which a program reads back with `TreeSnapshot(json:)` or any decoder.
  ///
  /// An object with a `version` and the `nodes`: the RIBs in pre-order, each with the index of its `parent`. The order of
  /// the fields is fixed, so that two texts can be compared line by line.
  ///
  /// - Parameter depth: how many levels below the root are written; all if nil.
  /// - Returns: the text, with a newline at its end.
  /// - Complexity: linear in the number of RIBs.
  public func json(depth: Int? = nil) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // There is no number in a snapshot that JSON can't tell, which is all that could fail.
    return String(decoding: (try? encoder.encode(cut(toDepth: depth))) ?? Data(), as: UTF8.self) + "\n"
  }

  /// Reads a tree that was written as JSON.
  ///
  /// - Parameter json: the text.
  /// - Throws: a `DecodingError` that says what is wrong with it.
  public init(json: String) throws {
    self = try JSONDecoder().decode(TreeSnapshot.self, from: Data(json.utf8))
  }

  /// The tree as JSON on one line. It is encoded piece by piece, because an encoder takes many times as much memory as
  /// what it writes.
  func encoded() -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = Data("{\"nodes\":[".utf8)
    var start = 0
    while start < nodes.count {
      let end = min(start + 1_000, nodes.count)
      if start > 0 { data.append(UInt8(ascii: ",")) }
      // There is no number in a snapshot that JSON can't tell, which is all that could fail.
      let piece = (try? encoder.encode(Array(nodes[start..<end]))) ?? Data()
      data += piece.dropFirst().dropLast()
      start = end
    }
    return data + Data("],\"version\":\(TreeSnapshot.version)}".utf8)
  }
}
