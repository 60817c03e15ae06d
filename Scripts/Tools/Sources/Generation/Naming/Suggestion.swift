// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Finds corrections for misspelled words.
public enum Suggestion {
  /// The most similar word; nil if none is similar.
  public static func nearest(to word: String, among known: [String]) -> String? {
    let ranked = known.map { (word: $0, distance: distance(Array(word.lowercased()), Array($0.lowercased()))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, word.count / 3) ? best.word : nil
  }

  /// The Levenshtein distance of two words.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = corner + (letter == other[column] ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, corner + 1)
      }
    }
    return row[other.count]
  }
}
