internal import Foundation

extension TreeDifference {
  /// The difference as lines of text: `+` in front of what was attached, `-` of what was detached, `>` of what was moved,
  /// `~` of what has changed.
  ///
  /// ```
  /// - Root/LoggedOut
  /// > Root/Map  from Root/LoggedOut/Map
  /// + Root/LoggedIn
  /// ~ Root  summary: signed out → signed in
  /// ```
  ///
  /// - Parameter style: whether all is written in ASCII.
  /// - Returns: the lines, each with a newline at its end; empty if nothing has changed.
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

  /// The difference as JSON, with the fields of this type; any decoder reads it back.
  ///
  /// - Returns: the text, with a newline at its end.
  public func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers only, which JSON can always tell.
    return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self) + "\n"
  }
}

extension TreeDifference.Change {
  fileprivate func text(_ style: TreeTextStyle) -> String {
    let (old, new) = (before.map { $0.escaped(style) }, after.map { $0.escaped(style) })
    switch aspect {
    case .tasks, .workers:
      return "\(aspect.rawValue): " + (old.map { "-\($0)" } + new.map { "+\($0)" }).joined(separator: ", ")
    case .state, .subscriptions, .summary:
      return "\(aspect.rawValue): \(old.first ?? "none") \(style.isASCII ? "->" : "→") \(new.first ?? "none")"
    }
  }
}
