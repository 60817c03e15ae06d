// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Takes protocols that are gone out of the inheritance clauses of other types, such as the interactor and the component
/// of a parent.
struct Conformances {
  let workspace: Workspace
  let style: LayoutStyle

  /// - Returns: notes about the members that the protocols required, and that are still there.
  func remove(_ protocols: [Declaration]) throws -> [String] {
    let required = Dictionary(protocols.map { ($0.name, Set($0.members.compactMap(Conformances.name))) }) {
      $0.union($1)
    }
    var notes: [String] = []
    for name in required.keys.sorted() {
      for path in workspace.paths(mentioning: name) {
        // Each edit changes the positions of the others.
        while let user = try workspace.source(at: path).declarations.first(where: { $0.inherited.contains(name) }) {
          guard try remove(name, from: user) else { break }
          notes += user.members.compactMap(Conformances.name).filter(required[name, default: []].contains).map {
            "left in \(path): \(user.name).\($0), which '\(name)' required"
          }
        }
      }
    }
    return notes
  }

  /// Removes a protocol from a declaration, or an extension that only conforms to it.
  ///
  /// - Returns: whether it is written as an edit can remove it.
  private func remove(_ name: String, from user: Declaration) throws -> Bool {
    let path = user.file.path
    let before = try workspace.data(at: path)
    if user.inherited.count > 1 {
      try TypeEditor(user, in: workspace, style: style).removeInherited(name)
      return try workspace.data(at: path) != before
    }
    guard let clause = user.inheritanceClause, clause.inheritedTypes.first?.type.trimmedDescription == name else {
      return false
    }
    if user.kind == .extension, user.members.isEmpty, let item = user.node.parent?.as(CodeBlockItemSyntax.self) {
      try workspace.edit(path, [TextEdit(item.position..<item.endPosition, "")])
    } else {
      try workspace.edit(path, [TextEdit(clause.position..<clause.endPositionBeforeTrailingTrivia, "")])
    }
    return true
  }

  private static func name(of member: DeclSyntax) -> String? {
    member.as(FunctionDeclSyntax.self)?.name.text ?? member.as(VariableDeclSyntax.self)?.firstName
  }
}
