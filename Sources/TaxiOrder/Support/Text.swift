// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Minutes and seconds, preceded by hours if any: `4:05`, `1:12:00`.
  package var clockText: String {
    let seconds = components.seconds
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = Duration.twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(Duration.twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension Duration {
  /// The duration in milliseconds, rounded toward zero.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

extension String {
  /// The text on one line, without terminal control sequences.
  package var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        // Bidirectional formatting characters.
        let turns = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        if turns { text += "\\u{\(String(scalar.value, radix: 16))}" } else { text.unicodeScalars.append(scalar) }
      }
    }
    return text
  }
}
