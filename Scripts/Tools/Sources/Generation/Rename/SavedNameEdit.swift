// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree
import SwiftParser
import SwiftSyntax

/// Keeps the names of renamed RIBs in saved trees, which are those of their classes: overrides `savedNames` in the class
/// that gives a RIB its name. Otherwise a program would refuse the records of the RIB, or not find them, and an earlier
/// version those of the new name.
struct SavedNameEdit {
  let workspace: Workspace
  /// The new names of the renamed types.
  let renamed: [String: String]

  private static let property = "savedNames"

  /// What a declaration of `savedNames` says.
  private enum Naming {
    case name(String)
    /// The call of `SavedNames`, which has no name.
    case nameless(FunctionCallExprSyntax)
    /// Something else than one call with a literal.
    case other
  }

  /// - Returns: notes for the user about what it has written.
  func apply() throws -> [String] {
    guard ["savedState", "savedChildren"].contains(where: { !workspace.paths(mentioning: $0).isEmpty }) else {
      return []
    }
    let former = Dictionary(renamed.map { ($0.value, $0.key) }) { first, _ in first }
    return try savedRIBs().compactMap { rib in
      try former[rib.type].flatMap { try keepName(of: rib, Self.name(of: $0), Self.name(of: rib.type)) }
    }
  }

  /// The saved RIBs of all targets, as far as they are not in tests.
  private func savedRIBs() -> [GraphBuilder.SavedRIB] {
    let parts = ["Router", "Routing", "Interactor", "Build", "Saving"]
    let paths = Set(parts.flatMap { workspace.paths(mentioning: $0) }).filter { !workspace.isTest($0) }.sorted()
    return GraphBuilder(TreeCheck.facts(of: paths, in: workspace)).savedRIBs()
  }

  /// The name of a RIB in saved trees, as the runtime derives it from its class.
  private static func name(of type: String) -> String {
    let role = ["Router", "Interactor"].first { type.hasSuffix($0) && type != $0 }
    return String(type.dropLast(role?.count ?? 0))
  }

  private func keepName(of rib: GraphBuilder.SavedRIB, _ old: String, _ new: String) throws -> String? {
    let style = LayoutStyle(near: workspace.root)
    guard let declaration = try declaration(of: rib.type, at: rib.path) else { return nil }
    let editor = TypeEditor(declaration, in: workspace, style: style)
    for naming in rib.namings where naming.type != rib.type {
      let place = "\(naming.path):\(naming.line)"
      switch try self.declaration(of: naming.type, at: naming.path).flatMap(naming(in:)) {
      case nil: continue
      case .nameless where !naming.isInherited: continue
      case .name: return nil
      case .nameless, .other:
        return "'\(rib.type)' was saved as '\(old)': see that 'savedNames' of \(naming.type) (\(place)) still says it"
      }
    }
    switch naming(in: declaration) {
    case nil:
      try editor.insertOverride(of: "class var \(Self.property): SavedNames", value: "SavedNames(\"\(old)\")")
    case .nameless(let call):
      let rest = call.arguments.isEmpty ? "" : ", "
      let start = call.leftParen?.endPosition ?? call.calledExpression.endPositionBeforeTrailingTrivia
      try workspace.edit(declaration.file.path, [TextEdit(at: start, "\"\(old)\"\(rest)")])
    case .name(new):
      try removeName(new, editor)
      return nil
    case .name: return nil
    case .other:
      guard let property = declaration.variable(named: Self.property) else { return nil }
      return "'\(rib.type)' was saved as '\(old)': see that its 'savedNames' (\(declaration.file.place(of: property))) "
        + "still says it"
    }
    guard let now = try self.declaration(of: rib.type, at: rib.path),
      let place = now.variable(named: Self.property).map({ now.file.place(of: $0) })
    else { return nil }
    return "'\(new)' is still saved as '\(old)', by 'savedNames' of \(rib.type) (\(place)), because "
      + "\(text(rib.reason)); trees that were saved before can be restored, also by earlier versions of the program"
  }

  private func text(_ reason: GraphBuilder.SavedRIB.Reason) -> String {
    switch reason {
    case .state: "its state is saved"
    case .containers: "its containers are saved"
    case .contains(let name): "it contains \(name), which is saved"
    case .containedIn(let name): "a saved container of \(name) may hold it"
    }
  }

  /// Removes the name that a class has without it, if an earlier renaming has written it.
  private func removeName(_ name: String, _ editor: TypeEditor) throws {
    let start = workspace.mark()
    let before = try workspace.data(at: editor.path)
    guard let property = try editor.declaration().variable(named: Self.property), let call = Self.call(in: property),
      let argument = call.arguments.first
    else { return }
    if call.arguments.count == 1 {
      try editor.remove { $0.as(VariableDeclSyntax.self)?.firstName == Self.property }
      let end = workspace.mark()
      try editor.insertOverride(of: "class var \(Self.property): SavedNames", value: "SavedNames(\"\(name)\")")
      let isOurs = try workspace.data(at: editor.path) == before
      workspace.goBack(to: isOurs ? end : start)
    } else if argument.description == "\"\(name)\", " {
      try workspace.edit(editor.path, [TextEdit(argument.position..<argument.endPosition, "")])
    }
  }

  // MARK: Reading

  private func declaration(of type: String, at path: String) throws -> Declaration? {
    try workspace.source(at: path).declarations.first { $0.kind == .class && $0.name == type }
  }

  /// What the `savedNames` of a class says; nil if it has none.
  private func naming(in declaration: Declaration) -> Naming? {
    guard let property = declaration.variable(named: Self.property) else { return nil }
    guard let call = Self.call(in: property) else { return .other }
    guard let first = call.arguments.first, first.label == nil else { return .nameless(call) }
    return first.expression.literal.map { .name($0) } ?? .other
  }

  /// The call of `SavedNames` that the property returns; nil if it returns something else.
  private static func call(in property: VariableDeclSyntax) -> FunctionCallExprSyntax? {
    guard let block = property.bindings.first?.accessorBlock else { return nil }
    let getter = block.accessors.as(AccessorDeclListSyntax.self).flatMap { $0.count == 1 ? $0.first?.body : nil }
    guard let statements = block.accessors.as(CodeBlockItemListSyntax.self) ?? getter?.statements,
      statements.count == 1, let item = statements.first?.item
    else { return nil }
    let value = item.as(ReturnStmtSyntax.self)?.expression ?? item.as(ExprSyntax.self)
    guard let call = value?.as(FunctionCallExprSyntax.self) else { return nil }
    let callee = call.calledExpression.trimmedDescription
    return ["SavedNames", ".init", "RIBs.SavedNames", "SavedNames.init"].contains(callee) ? call : nil
  }
}
