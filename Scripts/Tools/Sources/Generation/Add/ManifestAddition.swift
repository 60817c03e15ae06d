// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Adds dependencies and targets to a manifest. Keeps everything that is there, with its comments and its layout.
struct ManifestAddition {
  /// What is left to do for the user.
  struct Rest {
    /// Why the manifest was not changed; nil if it has everything now.
    var reason: String?
    /// The dependencies and targets that the manifest does not have.
    var missing: [ManifestItem] = []
    /// The targets that the manifest has, and that may lack dependencies.
    var incomplete: [ManifestItem] = []
    var notes: [String] = []
  }

  let workspace: Workspace
  private let path = "Package.swift"

  /// Adds what the manifest does not declare yet: all, or nothing.
  ///
  /// - Parameters:
  ///   - known: what an earlier addition has written. The user may have removed it, so it is not written again.
  ///   - obstacle: a reason to add no target.
  func add(_ items: [ManifestItem], known: [ManifestItem] = [], unless obstacle: String? = nil) throws -> Rest {
    guard workspace.exists(path) else { return Rest(reason: "there is no Package.swift", missing: items) }
    let manifest = try workspace.source(at: path)
    let names = PackageNames(manifest)
    let items = items.map { $0.renaming(names.replaced) }
    let found = ManifestReading.items(in: manifest)
    func isThere(_ item: ManifestItem) -> Bool { found.contains { $0.kind == item.kind } }
    let new = items.filter { item in isThere(item) || !known.contains { $0.kind == item.kind } }
    var rest = Rest(notes: notes(on: items, found, names))
    let mark = workspace.mark()
    do {
      if let obstacle, new.contains(where: { !isThere($0) && $0.packageName == nil }) {
        throw UnsafeManifest(reason: obstacle)
      }
      for item in new { try add(item, known: known.first { $0.kind == item.kind }) }
      if try workspace.source(at: path).text != manifest.text { try layOut(ifTidy: manifest.text) }
    } catch let error as UnsafeManifest {
      workspace.goBack(to: mark)
      rest.reason = error.reason
      rest.missing = new.filter { !isThere($0) }
      rest.incomplete = new.filter { $0.kind == error.target.map { .target($0) } }
    }
    return rest
  }

  private func notes(on items: [ManifestItem], _ found: [ManifestItem], _ names: PackageNames) -> [String] {
    var notes: [String] = []
    if names.ribs == nil, items.contains(where: { $0.text.contains("package: \"swift-ribs\"") }) {
      notes.append(
        "Package.swift does not depend on swift-ribs yet, which the targets need: add it to the dependencies of the "
          + "package")
    }
    for item in items {
      guard let version = item.version, let there = found.first(where: { $0.kind == item.kind }),
        let old = there.version, ManifestItem.isLower(old, than: version)
      else { continue }
      notes.append(
        "Package.swift asks for \(there.packageName ?? "") from \(old); what was added needs \(version) or later")
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: workspace.root.path)) ?? []
    let others = files.filter { $0.hasPrefix("Package@") && $0.hasSuffix(".swift") }.sorted()
    if !others.isEmpty { notes.append("not changed: \(others.joined(separator: ", "))") }
    return notes
  }

  private func add(_ item: ManifestItem, known: ManifestItem?) throws {
    let reading = try ManifestReading(try workspace.source(at: path))
    if let there = reading.item(item.kind) {
      if case .target(let name) = item.kind { try complete(there, name, as: item, known: known, reading) }
      return
    }
    switch item.kind {
    case .package:
      try add(
        item.text, "dependencies", of: reading.package,
        after: ["name", "defaultLocalization", "platforms", "pkgConfig", "providers", "products", "traits"])
    case .target:
      try add(
        item.text, "targets", of: reading.package,
        after: [
          "name", "defaultLocalization", "platforms", "pkgConfig", "providers", "products", "traits", "dependencies",
        ])
    }
  }

  /// Adds the dependencies that a target lacks.
  private func complete(
    _ there: ManifestItem, _ name: String, as item: ManifestItem, known: ManifestItem?, _ reading: ManifestReading
  ) throws {
    let old = (known?.dependencies ?? []).map(reading.name(ofDependency:))
    let needed = (item.dependencies ?? []).filter { !old.contains(reading.name(ofDependency: $0)) }
    if needed.isEmpty { return }
    guard let dependencies = there.dependencies else {
      throw UnsafeManifest(reason: "the dependencies of the target '\(name)' are no literal array", target: name)
    }
    let names = dependencies.map(reading.name(ofDependency:))
    let missing = needed.filter { !names.contains(reading.name(ofDependency: $0)) }
    if missing.isEmpty { return }
    guard !names.contains(nil) else {
      throw UnsafeManifest(reason: "a dependency of the target '\(name)' is computed", target: name)
    }
    for expression in missing {
      let reading = try ManifestReading(try workspace.source(at: path))
      guard let call = reading.item(there.kind)?.call else { return }
      try add(expression.trimmedDescription, "dependencies", of: call, after: ["name"])
    }
  }

  /// Adds an item to the list in an argument of a call, which is written if it is missing.
  private func add(_ item: String, _ label: String, of call: FunctionCallExprSyntax, after labels: Set<String>) throws {
    let file = try workspace.source(at: path)
    let unit = unit(of: call, in: file)
    if let argument = call.argument(label) {
      guard let list = argument.expression.as(ArrayExprSyntax.self) else { return }
      return try workspace.edit(path, appending(item, to: list, in: file, unit))
    }
    guard let previous = call.arguments.last(where: { labels.contains($0.label?.text ?? "") }) else {
      throw UnsafeManifest(reason: "it has a call without a name (\(file.place(of: call)))")
    }
    let isOnOwnLine = previous.leadingTrivia.contains { $0.isNewline }
    let outer = file.indentation(of: isOnOwnLine ? Syntax(previous) : Syntax(call)) + (isOnOwnLine ? "" : unit)
    let inner = outer + unit
    let list = "\n\(outer)\(label): [\n\(inner)\(indented(item, inner, unit)),\n\(outer)]"
    try workspace.edit(
      path,
      insertion(list, after: previous.expression, comma: previous.trailingComma, end: previous.endPosition))
  }

  /// The indentation of a level: that of the arguments of a call, or else that of the package's style.
  private func unit(of call: FunctionCallExprSyntax, in file: SourceFile) -> String {
    let argument = call.arguments.first { $0.leadingTrivia.contains { $0.isNewline } }
    let (inner, outer) = (argument.map { file.indentation(of: $0) } ?? "", file.indentation(of: call))
    return inner.hasPrefix(outer) && inner != outer
      ? String(inner.dropFirst(outer.count)) : LayoutStyle(near: workspace.root).unit
  }

  private func appending(_ item: String, to list: ArrayExprSyntax, in file: SourceFile, _ unit: String) -> [TextEdit] {
    let outer = file.indentation(of: list)
    let right = list.rightSquare
    let closesOnOwnLine = right.leadingTrivia.contains { $0.isNewline }
    guard let first = list.elements.first, let last = list.elements.last else {
      let inner = outer + unit
      let text = "\n\(inner)\(indented(item, inner, unit)),"
      return [TextEdit(at: list.leftSquare.endPosition, text + (closesOnOwnLine ? "" : "\n" + outer))]
    }
    if last.leadingTrivia.contains(where: { $0.isNewline }) {
      let inner = file.indentation(of: last)
      return insertion(
        "\n\(inner)\(indented(item, inner, unit))", after: last.expression, comma: last.trailingComma,
        end: last.endPosition)
    }
    // A list on the line of its bracket: its items go to a line of their own.
    let inner = outer + unit
    let start = list.leftSquare.endPositionBeforeTrailingTrivia..<first.positionAfterSkippingLeadingTrivia
    let isBlank = file.text(in: start).allSatisfy(\.isWhitespace)
    let opening = isBlank ? TextEdit(start, "\n" + inner) : nil
    let text = "\n\(inner)\(indented(item, inner, unit)),"
    if closesOnOwnLine {
      return (opening.map { [$0] } ?? [])
        + insertion(String(text.dropLast()), after: last.expression, comma: last.trailingComma, end: last.endPosition)
    }
    let end = last.expression.endPositionBeforeTrailingTrivia..<right.positionAfterSkippingLeadingTrivia
    let tail = file.text(in: end).filter { !$0.isWhitespace }
    // Between the last item and the bracket there is nothing but a comma, or a comment.
    let closing =
      tail.isEmpty || tail == ","
      ? [TextEdit(end, "," + text + "\n" + outer)]
      : [
        TextEdit(
          at: right.positionAfterSkippingLeadingTrivia, (last.trailingComma == nil ? "," : "") + text + "\n" + outer)
      ]
    return (opening.map { [$0] } ?? []) + closing
  }

  /// Inserts a text after an item of a list, and after a comment that follows it on its line.
  private func insertion(
    _ text: String, after item: ExprSyntax, comma: TokenSyntax?, end: AbsolutePosition
  ) -> [TextEdit] {
    let trivia = (comma ?? item.lastToken(viewMode: .sourceAccurate))?.trailingTrivia ?? []
    let hasComment = trivia.contains { $0.isComment }
    let place =
      hasComment ? end : comma?.endPositionBeforeTrailingTrivia ?? item.endPositionBeforeTrailingTrivia
    if comma != nil { return [TextEdit(at: place, text + ",")] }
    if !hasComment { return [TextEdit(at: place, "," + text)] }
    return [TextEdit(at: item.endPositionBeforeTrailingTrivia, ","), TextEdit(at: place, text)]
  }

  /// An item whose lines after the first are indented.
  private func indented(_ item: String, _ indentation: String, _ unit: String) -> String {
    let lines = item.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      if index == 0 { return String(line) }
      let spaces = line.prefix { $0 == " " }.count
      return indentation + String(repeating: unit, count: spaces / 2) + line.dropFirst(spaces)
    }.joined(separator: "\n")
  }

  /// Lays the manifest out by the formatter if it was laid out by it before.
  private func layOut(ifTidy before: String) throws {
    let after = try workspace.source(at: path).text
    guard let old = try? Formatter.laidOut([(path, before)], near: workspace.root), old == [before],
      let new = try? Formatter.laidOut([(path, after)], near: workspace.root).first
    else { return }
    workspace.write(new, to: path)
  }
}

extension TriviaPiece {
  fileprivate var isComment: Bool {
    switch self {
    case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
    default: false
    }
  }
}

/// How a manifest names packages in `.product(name:package:)`.
private struct PackageNames {
  /// The name of the runtime's package; nil if the manifest does not depend on it.
  let ribs: String?
  /// The names that differ from those of the templates.
  let replaced: [String: String]

  init(_ manifest: SourceFile) {
    ribs = ManifestEdit.packageName(in: manifest)
    var replaced: [String: String] = [:]
    for item in ManifestReading.items(in: manifest) {
      if case .package(let identity) = item.kind, let name = item.packageName, name != identity {
        replaced[identity] = name
      }
    }
    if let ribs { replaced["swift-ribs"] = ribs }
    self.replaced = replaced
  }
}
