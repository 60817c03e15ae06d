// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Finds the types of a file that conform to `Saving`.
final class SavingTypes: SyntaxVisitor {
  private var path: [[String]] = []
  private var saving: Set<[String]> = []
  private var properties: [[String]: Set<String>] = [:]

  /// - Returns: the types, each with the properties that its state is computed from, and `savedState` itself.
  static func find(in file: SourceFile) -> [[String]: Set<String>] {
    guard file.text.contains("Saving") else { return [:] }
    let finder = SavingTypes(viewMode: .sourceAccurate)
    finder.walk(file.syntax)
    return Dictionary(
      uniqueKeysWithValues: finder.saving.map { ($0, finder.properties[$0, default: []].union(["savedState"])) })
  }

  private func enter(_ names: [String], _ clause: InheritanceClauseSyntax?) -> SyntaxVisitorContinueKind {
    let type = (path.last ?? []) + names
    path.append(type)
    let inherited = clause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    if inherited.contains("Saving") || inherited.contains("RIBs.Saving") { saving.insert(type) }
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter([node.name.text], node.inheritanceClause)
  }
  override func visitPost(_ node: ClassDeclSyntax) { path.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text], nil) }
  override func visitPost(_ node: StructDeclSyntax) { path.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text], nil) }
  override func visitPost(_ node: EnumDeclSyntax) { path.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription.split(separator: ".").map(String.init), node.inheritanceClause)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { path.removeLast() }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.parent?.is(MemberBlockItemSyntax.self) == true, let binding = node.bindings.first,
      binding.pattern.trimmedDescription == "savedState", let accessors = binding.accessorBlock
    else { return .skipChildren }
    let names = Names(viewMode: .sourceAccurate)
    names.walk(accessors)
    properties[path.last ?? [], default: []].formUnion(names.found)
    return .skipChildren
  }

  /// Collects the names that code refers to.
  private final class Names: SyntaxVisitor {
    var found: Set<String> = []

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      found.insert(node.baseName.text)
      return .skipChildren
    }
  }
}
