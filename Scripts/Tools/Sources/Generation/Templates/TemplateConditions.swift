// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The conditional sections of a template: `#if __View__ && !__Presenter__`, `#elseif`, `#else` and `#endif`, each on
/// its own line. Sections with other conditions, such as `#if DEBUG`, are part of the generated code.
struct TemplateConditions: Hashable, Sendable {
  static let names: Set<String> = ["__Root__", "__View__", "__Presenter__", "__Plugin__", "__Main__"]

  /// The names that are true.
  let holding: Set<String>

  private enum Section {
    case code(line: Int)
    case condition(line: Int, isIncluded: Bool, hasMatched: Bool)
  }

  /// The text without the directives and without the sections whose conditions are false.
  ///
  /// - Parameter path: the file of the template, for errors.
  /// - Throws: `Failure.refused` if the directives are not balanced, or name an unknown condition.
  func resolved(_ text: String, of path: String) throws -> String {
    guard text.contains("#if __") || text.contains("#if !__") else { return text }
    var open: [Section] = []
    var lines: [Substring] = []
    let all = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in zip(1..., all) {
      let place = "\(path):\(number)"
      let words = line.split(separator: " ")
      switch (words.first, open.last) {
      case ("#if", _) where words.dropFirst().first?.drop(while: { $0 == "!" }).hasPrefix("__") == true:
        let holds = try holds(words.dropFirst(), in: place)
        open.append(.condition(line: number, isIncluded: holds, hasMatched: holds))
      case ("#elseif", .condition(let first, _, let hasMatched)):
        let holds = try !hasMatched && holds(words.dropFirst(), in: place)
        open[open.count - 1] = .condition(line: first, isIncluded: holds, hasMatched: hasMatched || holds)
      case ("#else", .condition(let first, _, let hasMatched)):
        open[open.count - 1] = .condition(line: first, isIncluded: !hasMatched, hasMatched: true)
      case ("#endif", .condition): open.removeLast()
      default:
        if words.first == "#if" { open.append(.code(line: number)) }
        if isIncluded(in: open) { lines.append(line) }
        if words.first == "#endif" { _ = open.popLast() }
      }
    }
    switch open.last {
    case .code(let line), .condition(let line, _, _):
      throw Failure.refused("the template '\(path):\(line)' has an #if without an #endif")
    case nil: return lines.joined(separator: "\n")
    }
  }

  private func isIncluded(in sections: [Section]) -> Bool {
    sections.allSatisfy { section in
      if case .condition(_, let isIncluded, _) = section { isIncluded } else { true }
    }
  }

  /// Whether a condition is true: names, each with or without `!`, connected by `&&`, which binds stronger, and `||`.
  private func holds(_ condition: some Collection<Substring>, in place: String) throws -> Bool {
    try condition.split(separator: "||").map { terms in
      try terms.split(separator: "&&").map { term in
        let name = term.first.map { $0.drop { $0 == "!" } } ?? ""
        guard term.count == 1, TemplateConditions.names.contains(String(name)) else {
          throw Failure.refused(
            "the template '\(place)' has an unknown condition '\(term.joined(separator: " "))'",
            advice: ["the conditions are \(TemplateConditions.names.sorted().joined(separator: ", "))"])
        }
        return holding.contains(String(name)) == term.allSatisfy { !$0.hasPrefix("!") }
      }.allSatisfy { $0 }
    }.contains(true)
  }
}
