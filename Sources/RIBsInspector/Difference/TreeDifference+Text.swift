// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension TreeDifference {
  /// The difference as lines of text: `+` for attached, `-` for detached, `>` for moved and `~` for changed RIBs.
  ///
  /// ```
  /// - Root/LoggedOut
  /// > Root/Map  from Root/LoggedOut/Map
  /// + Root/LoggedIn
  /// ~ Root  summary: signed out → signed in
  /// ```
  ///
  /// - Parameter style: the characters to use, ASCII or Unicode.
  /// - Returns: the lines, each ending in a newline; empty if nothing has changed.
  public func text(_ style: TreeTextStyle = .unicode) -> String {
    var text = ""
    for entry in detached { text += "- \(entry.path.escaped(style))\n" }
    for entry in moved {
      let place = "> \(entry.path.escaped(style))  from \((entry.from ?? "").escaped(style))"
      text += ([place] + entry.changes.map { $0.text(style) }).joined(separator: style.separator) + "\n"
    }
    for entry in attached { text += "+ \(entry.path.escaped(style))\n" }
    for entry in changed {
      let changes = entry.changes.map { $0.text(style) }.joined(separator: style.separator)
      text += "~ \(entry.path.escaped(style))  \(changes)\n"
    }
    return text
  }

  /// The difference as JSON. Any decoder can decode this type from it.
  ///
  /// - Returns: the text, ending in a newline.
  public func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Cannot fail: strings and integers only.
    return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self) + "\n"
  }
}

extension TreeDifference.Change {
  fileprivate func text(_ style: TreeTextStyle) -> String {
    let (old, new) = (before.map { $0.escaped(style) }, after.map { $0.escaped(style) })
    switch aspect {
    case .tasks, .workers:
      return "\(aspect.rawValue): " + (old.map { "-\($0)" } + new.map { "+\($0)" }).joined(separator: ", ")
    case .state, .subscriptions, .restarts, .summary:
      return "\(aspect.rawValue): \(old.first ?? "none") \(style.isASCII ? "->" : "→") \(new.first ?? "none")"
    }
  }
}
