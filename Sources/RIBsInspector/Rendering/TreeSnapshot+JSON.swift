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
    String(decoding: cut(toDepth: depth).encoded([.prettyPrinted]), as: UTF8.self) + "\n"
  }

  /// Reads a tree that was written as JSON.
  ///
  /// - Parameter json: the text.
  /// - Throws: a `DecodingError` that says what is wrong with it.
  public init(json: String) throws {
    self = try JSONDecoder().decode(TreeSnapshot.self, from: Data(json.utf8))
  }

  /// The tree as JSON on one line.
  func encoded(_ formatting: JSONEncoder.OutputFormatting = []) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    // There is no number in a snapshot that JSON can't tell, which is all that could fail.
    return (try? encoder.encode(self)) ?? Data()
  }
}
