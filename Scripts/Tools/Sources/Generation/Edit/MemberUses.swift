// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Finds the uses of members of types, wherever they are, by the types of their receivers.
struct MemberUses {
  /// A use of a member, or what may be one.
  struct Use {
    enum Place {
      /// In the code of the RIB.
      case own
      /// In a test.
      case test
      /// In other code.
      case other
    }

    let token: TokenSyntax
    let file: SourceFile
    let place: Place
    /// Whether the code says that the receiver has one of the types.
    let isCertain: Bool

    /// Whether the receiver is named like a router.
    var isOfRouter: Bool {
      let name = receiver.lowercased().filter(\.isLetter)
      return name.hasSuffix("router") || name.hasSuffix("routing")
    }

    /// The receiver, for a message.
    var receiver: String {
      let access = token.parent?.parent?.as(MemberAccessExprSyntax.self)
      return access?.base?.trimmedDescription ?? "self"
    }
  }

  private let ownership: Ownership
  private let resolver: TypeResolver
  private let workspace: Workspace

  /// Members of other parts of a RIB, whose types are often not in the package.
  private static let otherRoles: Set<String> = [
    "presenter", "view", "viewController", "viewControllable", "listener", "presentableListener", "interactor",
    "component", "dependency",
  ]

  init(of rib: RIBName, in workspace: Workspace) {
    ownership = Ownership(rib, in: workspace)
    resolver = TypeResolver(workspace: workspace)
    self.workspace = workspace
  }

  /// The uses of members.
  ///
  /// - Parameter members: the types that have each member, by the member's name.
  func uses(of members: [String: Set<String>]) -> [Use] {
    let paths = Set(members.keys.flatMap { workspace.paths(mentioning: $0) })
    var known: [String: Set<String>] = [:]
    return paths.sorted().compactMap { try? workspace.source(at: $0) }.flatMap { file in
      file.syntax.tokens(viewMode: .sourceAccurate).compactMap { token -> Use? in
        guard case .identifier(let word) = token.tokenKind else { return nil }
        let name = word.filter { $0 != "`" }
        guard let types = members[name] else { return nil }
        let isMeant = isMember(token, name) { type in
          let ancestry = known[type] ?? Set(resolver.ancestry(of: type))
          known[type] = ancestry
          return !ancestry.isDisjoint(with: types)
        }
        if isMeant == false { return nil }
        return Use(token: token, file: file, place: place(of: token, in: file), isCertain: isMeant == true)
      }
    }
  }

  private func place(of token: TokenSyntax, in file: SourceFile) -> Use.Place {
    if workspace.isTest(file.path) { return .test }
    let outermost = TypeResolver.enclosingTypes(of: Syntax(token)).last
    return outermost.map(ownership.owns) == true ? .own : .other
  }

  /// Whether a name is that of a member of a type; nil if the code does not say it.
  private func isMember(_ token: TokenSyntax, _ name: String, of fits: (String) -> Bool) -> Bool? {
    guard let reference = token.parent?.as(DeclReferenceExprSyntax.self) else { return false }
    guard let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id else {
      guard let type = TypeResolver.enclosingType(of: Syntax(token)), fits(type) else { return false }
      if case .absent = resolver.local(name, at: Syntax(reference)) { return true }
      return false
    }
    guard let base = access.base else { return false }
    if let type = resolver.type(of: base) { return isGeneric(type, at: Syntax(token)) ? nil : fits(type) }
    // A closure of a type takes an object of it, as that of a slot takes the router.
    let isParameter =
      base.is(DeclReferenceExprSyntax.self) && MemberUses.otherRoles.isDisjoint(with: [base.trimmedDescription])
    if isParameter, TypeResolver.enclosingTypes(of: Syntax(token)).contains(where: fits) { return true }
    let last = base.lastToken(viewMode: .sourceAccurate).flatMap { last in
      ["?", "!"].contains(last.text) ? last.previousToken(viewMode: .sourceAccurate) : last
    }
    return last.map { MemberUses.otherRoles.contains($0.text) } == true ? false : nil
  }

  /// Whether a type is a generic parameter.
  private func isGeneric(_ type: String, at node: Syntax) -> Bool {
    var current = node.parent
    while let node = current {
      let clause = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
      if clause?.parameters.contains(where: { $0.name.text == type }) == true { return true }
      current = node.parent
    }
    return false
  }
}

/// Tells the types of one RIB from those of others whose names begin with the same word.
struct Ownership {
  private let names: RoleNames
  private let others: [String]

  init(_ rib: RIBName, in workspace: Workspace) {
    names = RoleNames(rib: rib)
    others = RIBParts.names(in: workspace, mentioning: rib.text).filter { $0.hasPrefix(rib.text) && $0 != rib.text }
  }

  /// Whether a type is the RIB's: by its role, or because it begins with the RIB's name and with no other's.
  func owns(_ type: String) -> Bool {
    if names.ownsType(type) { return true }
    guard type.hasPrefix(names.rib.text), type.dropFirst(names.rib.text.count).first?.isLowercase == false else {
      return false
    }
    return !others.contains { type.hasPrefix($0) }
  }
}
