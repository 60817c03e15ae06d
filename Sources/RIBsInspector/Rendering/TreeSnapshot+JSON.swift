// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
}
