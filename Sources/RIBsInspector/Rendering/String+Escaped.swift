// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text on one line, without terminal control sequences.
  ///
  /// Control characters, line and paragraph separators, and bidirectional formatting characters are replaced by
  /// escapes.
  func escaped(_ style: TreeTextStyle = .unicode) -> String {
    // Fast path: most names are plain ASCII.
    if utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return self }
    guard unicodeScalars.contains(where: { $0.needsEscape(style) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.needsEscape(style) { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate func needsEscape(_ style: TreeTextStyle) -> Bool {
    switch value {
    case 0x20..<0x7F: false
    case 0..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: style.isASCII
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
