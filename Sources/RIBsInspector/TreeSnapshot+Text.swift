public import RIBs

extension TreeSnapshot {
  /// The tree as lines of text: one for each RIB, with branches drawn in front.
  ///
  /// ```
  /// Root               active 12s
  /// └─ LoggedIn        active 12s
  ///    └─ Dispatching  active 2s   1 task (DispatchingInteractor.swift:31)
  /// ```
  ///
  /// After the name come what the RIB is doing and for how long, its running work, its subscriptions and its summary, as
  /// far as there are any. Names and summaries can't break out of their line: control characters are escaped. RIBs below
  /// the 40th level are not indented further but have their level in front, so that the text grows with the number of
  /// RIBs only.
  ///
  /// - Parameter style: the characters that branches are drawn with.
  /// - Returns: the lines, each with a newline at its end; empty for a tree without RIBs.
  /// - Complexity: linear in the number of RIBs.
  public func text(_ style: TreeTextStyle = .unicode) -> String {
    let labels = TreeLabels(of: self, style: style).labels
    let states = nodes.map(\.stateText)
    let labelWidth = min(labels.lazy.map(\.count).max() ?? 0, 48)
    let stateWidth = states.lazy.map(\.count).max() ?? 0
    var text = ""
    for (index, node) in nodes.enumerated() {
      let details = node.details(style)
      text += labels[index].padded(to: labelWidth) + "  "
      text += details.isEmpty ? states[index] : states[index].padded(to: stateWidth) + "  " + details
      text += "\n"
    }
    return text
  }
}

extension TreeSnapshot.Node {
  /// What the RIB is doing, and for how long.
  fileprivate var stateText: String { age.map { "\(state.rawValue) \($0.shortText)" } ?? state.rawValue }

  /// What else there is to say.
  fileprivate func details(_ style: TreeTextStyle) -> String {
    var parts: [String] = []
    if !tasks.isEmpty {
      let names = tasks.map { $0.escaped(style) }.joined(separator: ", ")
      parts.append("\(tasks.count) \(tasks.count == 1 ? "task" : "tasks") (\(names))")
    }
    if subscriptions > 0 { parts.append("\(subscriptions) \(subscriptions == 1 ? "subscription" : "subscriptions")") }
    if let summary { parts.append(summary.escaped(style)) }
    return parts.joined(separator: style.separator)
  }
}
