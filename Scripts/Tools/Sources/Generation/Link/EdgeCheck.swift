// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Checks what the removal of a child has done: that it has changed only code of the parent, and that nothing uses what
/// is gone.
struct EdgeCheck {
  private let names: LinkNames
  private let workspace: Workspace
  private let start: Workspace.Mark

  init(_ names: LinkNames, in workspace: Workspace, since start: Workspace.Mark) {
    self.names = names
    self.workspace = workspace
    self.start = start
  }

  /// Throws if a declaration has changed that is neither the parent's nor in a test.
  func refuseForeignChanges() throws {
    let ownership = Ownership(names.parent, in: workspace)
    let foreign = try workspace.changes(since: start).flatMap { change -> [String] in
      guard let before = change.before, !workspace.isTest(before.path) else { return [] }
      var left = EdgeCheck.topLevel(change.after).map(\.text)
      return EdgeCheck.topLevel(before).compactMap { name, node, text in
        if let same = left.firstIndex(of: text) {
          left.remove(at: same)
          return nil
        }
        if let name, ownership.owns(name) || isDouble(name) { return nil }
        return "\(before.place(of: node)): \(name ?? "code outside of types")"
      }
    }
    guard foreign.isEmpty else {
      throw Failure.refused(
        "to take '\(names.child)' from '\(names.parent)', code would change that is not known to be that of '\(names.parent)'",
        advice: ["take this out first:"] + foreign.map { "  " + $0 })
    }
  }

  /// Whether a type is a double of the parent's protocols, whatever its name is.
  private func isDouble(_ name: String) -> Bool {
    let protocols = ["Routing", "Interactable"].map { names.parent.text + $0 }
    return !Set(TypeResolver(workspace: workspace).ancestry(of: name)).isDisjoint(with: protocols)
  }

  /// The lines of tests that use what is gone.
  ///
  /// - Throws: `Failure.refused` if other code uses it, or could.
  func notes() throws -> [String] {
    let gone = try gone()
    let uses = MemberUses(of: names.parent, in: workspace).uses(of: gone.types).filter { use in
      if use.isCertain { return true }
      // Names of properties are too common, unless they are those of counters.
      let name = use.token.text
      return gone.functions.contains(where: name.hasPrefix) || (gone.visible.contains(name) && use.isOfRouter)
    }
    try EdgeCheck.refuse(uses.filter { $0.place != .test }, names)
    let lines = Dictionary(grouping: uses) { $0.file.place(of: $0.token) }.map { place, uses in
      (place, Set(uses.map(\.token.text)).sorted().joined(separator: ", "))
    }
    return lines.sorted { $0.0.compare($1.0, options: .numeric) == .orderedAscending }
      .map { "this test uses what is gone: \($0) (\($1))" }
  }

  /// Throws for code that uses members of the parent that are gone, or that might.
  static func refuse(_ uses: [MemberUses.Use], _ names: LinkNames, place: (MemberUses.Use) -> String = place) throws {
    guard !uses.isEmpty else { return }
    guard uses.contains(where: \.isCertain) else {
      throw Failure.refused(
        "the code does not say whether this is what '\(names.parent)' has for '\(names.child)'",
        advice: ["declare the type of the receiver, or take this out first:"]
          + uses.map { "  \(place($0)): \($0.receiver).\($0.token.text)" })
    }
    throw MemberCheck.stillUsed(
      names.child.text, by: names.parent.text, uses.map { "\(place($0)): \($0.token.text)" })
  }

  private static func place(_ use: MemberUses.Use) -> String { use.file.place(of: use.token) }

  /// The members that are gone: the types that had each, those that are not private, and the functions among them.
  private func gone() throws -> (types: [String: Set<String>], visible: Set<String>, functions: Set<String>) {
    var types: [String: Set<String>] = [:]
    var visible: Set<String> = []
    var functions: Set<String> = []
    let changes = try workspace.changes(since: start)
    let left = EdgeCheck.members(of: changes.compactMap(\.after))
    for (type, members) in EdgeCheck.members(of: changes.compactMap(\.before)) {
      for (name, member) in members where left[type]?[name] == nil {
        types[name, default: []].insert(type)
        if EdgeCheck.isPrivate(member) { continue }
        visible.insert(name)
        if member.is(FunctionDeclSyntax.self) { functions.insert(name) }
      }
    }
    return (types, visible, functions)
  }

  private static func isPrivate(_ member: DeclSyntax) -> Bool {
    let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers
    return modifiers?.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil } ?? false
  }

  private static func members(of files: [SourceFile]) -> [String: [String: DeclSyntax]] {
    var members: [String: [String: DeclSyntax]] = [:]
    for declaration in files.flatMap(\.declarations) {
      for member in declaration.members {
        let name = member.as(FunctionDeclSyntax.self)?.name.text ?? member.as(VariableDeclSyntax.self)?.firstName
        if let name { members[declaration.name, default: [:]][name] = member }
      }
    }
    return members
  }

  /// The declarations and statements of a file, without what surrounds them.
  private static func topLevel(_ file: SourceFile?) -> [(name: String?, node: Syntax, text: String)] {
    (file.map { Array($0.syntax.statements) } ?? []).flatMap {
      statement -> [(name: String?, node: Syntax, text: String)] in
      let node = Syntax(statement.item)
      if node.is(ImportDeclSyntax.self) { return [] }
      let name =
        node.as(ExtensionDeclSyntax.self).map { Declaration.baseName(of: $0.extendedType) }
        ?? node.asProtocol((any NamedDeclSyntax).self).flatMap { $0.name.text }
      return [(name, node, node.trimmedDescription)]
    }
  }
}
