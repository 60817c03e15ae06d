// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector

/// Colors of the terminal's own palette, on terminals only.
struct Colors {
  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"
  }

  /// Whether standard output shows colors: it is a terminal, and neither `NO_COLOR` nor `TERM=dumb` is set.
  let isOn: Bool

  static let standard: Colors = {
    let environment = ProcessInfo.processInfo.environment
    let isRefused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return Colors(isOn: isatty(STDOUT_FILENO) == 1 && !isRefused)
  }()

  func callAsFunction(_ color: Color, _ text: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension TreeTextStyle {
  /// The style for standard output, or for a file.
  static func standard(ascii: Bool, toFile: Bool = false) -> TreeTextStyle {
    let style = ascii ? TreeTextStyle.ascii : .unicode
    return Colors.standard.isOn && !toFile ? style.colored : style
  }
}
