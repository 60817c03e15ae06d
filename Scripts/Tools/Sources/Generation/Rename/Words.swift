// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The words of a text: runs of letters, digits and underscores.
enum Words {
  /// The text with words replaced; nil if no word has a replacement.
  static func replacing(in text: String, _ replacement: (Substring) -> String?) -> String? {
    var result = ""
    var isChanged = false
    var rest = text[...]
    while let start = rest.firstIndex(where: isPart) {
      result += rest[..<start]
      let word = rest[start...].prefix(while: isPart)
      if let new = replacement(word) {
        result += new
        isChanged = true
      } else {
        result += word
      }
      rest = rest[word.endIndex...]
    }
    return isChanged ? result + rest : nil
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
