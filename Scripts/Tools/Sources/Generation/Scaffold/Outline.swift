// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A tree of RIBs, written as a nested Markdown list.
public struct Outline: Hashable, Sendable {
  /// One entry of the list.
  public struct Entry: Hashable, Sendable {
    public let name: RIBName
    /// The entry above it; nil at the top.
    public let parent: RIBName?
    public let hasView: Bool
    public let hasPresenter: Bool
    /// Whether its parent holds it in a slot.
    public let isInSlot: Bool
    /// The remark after a colon.
    public let remark: String?
    /// The line number.
    public let line: Int
  }

  /// The entries in source order: parents before their children.
  public let entries: [Entry]

  /// Reads an outline. Skips lines that are not list entries, such as headings.
  ///
  /// - Throws: `Failure.usage` with the line of an invalid entry, or of a RIB that is below itself.
  public init(_ text: String) throws {
    var entries: [Entry] = []
    var open: [(column: Int, name: RIBName)] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      guard let (column, item) = Outline.item(of: line) else { continue }
      while let last = open.last, last.column >= column { open.removeLast() }
      let entry = try Outline.entry(item, parent: open.last?.name, line: index + 1)
      if open.contains(where: { $0.name == entry.name }) {
        throw Failure.usage("line \(index + 1): '\(entry.name)' is below itself")
      }
      entries.append(entry)
      open.append((column, entry.name))
    }
    if entries.isEmpty { throw Failure.usage("there is no list in the outline; its entries begin with '- '") }
    self.entries = entries
    try refuseCircles()
  }

  /// The column and the text of an entry; nil if a line is not an entry.
  private static func item(of line: Substring) -> (column: Int, text: Substring)? {
    var column = 0
    var rest = line
    while let first = rest.first, first == " " || first == "\t" {
      column += first == "\t" ? 4 - column % 4 : 1
      rest = rest.dropFirst()
    }
    if let first = rest.first, "-*+".contains(first) {
      rest = rest.dropFirst()
    } else {
      let number = rest.prefix { $0.isNumber }
      rest = rest.dropFirst(number.count)
      guard !number.isEmpty, let mark = rest.first, ".)".contains(mark) else { return nil }
      rest = rest.dropFirst()
    }
    guard rest.first == " " || rest.first == "\t" else { return nil }
    return (column, rest.drop { $0 == " " || $0 == "\t" })
  }

  /// An entry: a name, its kind in parentheses, and an optional remark after a colon.
  private static func entry(_ item: Substring, parent: RIBName?, line: Int) throws -> Entry {
    let halves: [Substring] = item.split(separator: ":" as Character, maxSplits: 1, omittingEmptySubsequences: false)
    let said = halves.first ?? ""
    let remark = halves.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) }
    let pieces: [Substring] = said.split(separator: "(" as Character, maxSplits: 1)
    let name = String(pieces.first ?? "").filter { !"`*_ \t".contains($0) || $0 == "_" }
    var words: [String] = []
    if pieces.count == 2 {
      guard let end = pieces[1].firstIndex(of: ")"), pieces[1][end...].dropFirst().allSatisfy(\.isWhitespace) else {
        throw Failure.usage("line \(line): '(' in '\(said.trimmingCharacters(in: .whitespaces))' has no ')' at the end")
      }
      words = pieces[1][..<end].split { ", \t".contains($0) }.map(String.init)
    }
    let known: Set<String> = ["root", "view", "viewless", "presenter", "slot"]
    if let unknown = words.first(where: { !known.contains($0) }) {
      throw Failure.usage("line \(line): '\(unknown)' is not known; there are: root, view, viewless, presenter, slot")
    }
    if words.contains("root") && parent != nil {
      throw Failure.usage("line \(line): '\(name)' is a root, and can't be below '\(parent?.text ?? "")'")
    }
    if words.contains("root") && words.contains("slot") {
      throw Failure.usage("line \(line): '\(name)' is a root, which has no parent with a slot for it")
    }
    if words.contains("view") && words.contains("viewless") {
      throw Failure.usage("line \(line): '\(name)' can't be both 'view' and 'viewless'")
    }
    do {
      return Entry(
        name: try RIBName(name), parent: parent, hasView: words.contains("view"),
        hasPresenter: words.contains("presenter"), isInSlot: words.contains("slot"),
        remark: remark.flatMap { $0.isEmpty ? nil : $0 }, line: line)
    } catch Failure.usage(let reason) {
      throw Failure.usage("line \(line): \(reason)")
    }
  }

  /// Throws if a RIB is below itself. It may occur in several places otherwise.
  private func refuseCircles() throws {
    let children = Dictionary(grouping: entries.filter { $0.parent != nil }, by: { $0.parent })
    var done: Set<RIBName> = []
    for entry in entries {
      var path: [RIBName] = []
      func visit(_ name: RIBName) throws {
        if path.contains(name) {
          throw Failure.usage(
            "line \(entry.line): '\(name)' is below itself: \((path + [name]).map(\.text).joined(separator: " → "))"
          )
        }
        if done.contains(name) { return }
        path.append(name)
        for child in children[name] ?? [] { try visit(child.name) }
        path.removeLast()
        done.insert(name)
      }
      try visit(entry.name)
    }
  }
}
