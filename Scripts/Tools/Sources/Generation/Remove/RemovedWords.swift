// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// What files declare for other files, to find uses of it after they are gone.
struct RemovedWords {
  /// Uses of what is gone.
  struct Uses {
    /// The places, each with the word.
    var certain: [String] = []
    /// The places whose receivers have no known type.
    var possible: [String] = []
    /// Whether one of the certain uses is in an inheritance clause.
    var isConforming = false
  }

  /// The protocols that are gone.
  let protocols: [Declaration]
  /// The types, functions and constants outside of types.
  private let names: Set<String>
  /// The members that extensions add to types of other files, with these types.
  private let members: [String: Set<String>]

  init(of files: [SourceFile]) {
    let declarations = files.flatMap(\.declarations)
    let types = declarations.filter { $0.kind != .extension && $0.namespace.isEmpty }
    let own = Set(types.map(\.name))
    protocols = types.filter { $0.kind == .protocol }
    let outside = files.flatMap { file in
      file.syntax.statements.compactMap { $0.item.as(DeclSyntax.self) }.flatMap(RemovedWords.names)
    }
    names = own.union(outside)
    var members: [String: Set<String>] = [:]
    for added in declarations where added.kind == .extension && !own.contains(added.name) {
      for name in added.members.flatMap(RemovedWords.names) { members[name, default: []].insert(added.name) }
    }
    self.members = members
  }

  /// The names of a function or a variable that other files can see.
  private static func names(of node: DeclSyntax) -> [String] {
    let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
    if modifiers?.contains(where: { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }) == true {
      return []
    }
    if let function = node.as(FunctionDeclSyntax.self) { return [function.name.text] }
    return node.as(VariableDeclSyntax.self)?.bindings.compactMap {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    } ?? []
  }

  /// The uses in the files that are left.
  func uses(in workspace: Workspace) throws -> Uses {
    var found = Uses()
    let resolver = TypeResolver(workspace: workspace)
    let paths = Set(names.union(members.keys).flatMap { workspace.paths(mentioning: $0) })
    for file in try paths.sorted().map({ try workspace.source(at: $0) }) {
      // A file that declares the name itself means its own.
      let declared = Set(file.syntax.tokens(viewMode: .sourceAccurate).filter(RemovedWords.declares).map(\.text))
      for token in file.syntax.tokens(viewMode: .sourceAccurate) {
        guard case .identifier(let text) = token.tokenKind else { continue }
        let word = text.filter { $0 != "`" }
        let place = "\(file.place(of: token)): \(word)"
        if names.contains(word), !declared.contains(text), RemovedWords.isName(token) {
          found.certain.append(place)
          let isConforming = token.parent?.parent?.is(InheritedTypeSyntax.self) == true
          found.isConforming = found.isConforming || isConforming
        } else if let types = members[word], let isUse = uses(token, of: types, by: resolver) {
          if isUse { found.certain.append(place) } else if !declared.contains(text) { found.possible.append(place) }
        }
      }
    }
    return found
  }

  private static func declares(_ token: TokenSyntax) -> Bool {
    guard let parent = token.parent else { return false }
    return parent.is(IdentifierPatternSyntax.self) || parent.is(GenericParameterSyntax.self)
      || parent.asProtocol((any NamedDeclSyntax).self)?.name == token
  }

  /// Whether a word is a name of something outside of types, and no label and no member.
  private static func isName(_ token: TokenSyntax) -> Bool {
    guard let parent = token.parent else { return true }
    if let reference = parent.as(DeclReferenceExprSyntax.self) {
      guard let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id else {
        return true
      }
      // The name of a module may come before.
      return token.text.first?.isUppercase == true
    }
    return !parent.is(LabeledExprSyntax.self) && !parent.is(FunctionParameterSyntax.self)
      || token.text.first?.isUppercase == true
  }

  /// Whether a member of one of some types is used; nil if it is not.
  ///
  /// - Returns: false if the code does not say of which type the receiver is.
  private func uses(_ token: TokenSyntax, of types: Set<String>, by resolver: TypeResolver) -> Bool? {
    guard let reference = token.parent?.as(DeclReferenceExprSyntax.self) else { return nil }
    guard let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id else {
      let inside = TypeResolver.enclosingTypes(of: Syntax(token)).flatMap(resolver.ancestry)
      guard case .absent = resolver.local(token.text, at: Syntax(reference)) else { return nil }
      return types.isDisjoint(with: inside) ? nil : true
    }
    guard let base = access.base else { return false }
    if types.contains(base.trimmedDescription) { return true }
    guard let type = resolver.type(of: base) else { return false }
    return types.isDisjoint(with: resolver.ancestry(of: type)) ? nil : true
  }
}
