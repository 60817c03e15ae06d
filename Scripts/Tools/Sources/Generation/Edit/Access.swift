// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// How far a declaration is accessible, as far as edits distinguish it.
enum Access: Int, Comparable {
  case `internal`
  case package
  case `public`

  init(_ modifiers: DeclModifierListSyntax?) {
    let names = Set(modifiers?.map(\.name.text) ?? [])
    self =
      names.contains("public") || names.contains("open") ? .public : names.contains("package") ? .package : .internal
  }

  init(_ declaration: Declaration?) {
    self.init(declaration?.node.asProtocol((any WithModifiersSyntax).self)?.modifiers)
  }

  /// The access of the type that an extension extends.
  init(ofTypeIn declaration: Declaration, _ workspace: Workspace) {
    guard declaration.kind == .extension else {
      self.init(declaration)
      return
    }
    self.init(
      workspace.declarations(mentioning: declaration.name).first { $0.name == declaration.name && $0.kind == .class })
  }

  static func < (first: Access, second: Access) -> Bool { first.rawValue < second.rawValue }

  /// The modifier with a space; empty for the default.
  var prefix: String {
    switch self {
    case .internal: ""
    case .package: "package "
    case .public: "public "
    }
  }

  var name: String { prefix.isEmpty ? "internal" : String(prefix.dropLast()) }

  /// The modifier that a member needs to implement a requirement of a protocol.
  static func witness(in type: Access, of requirement: Access) -> String { min(type, requirement).prefix }
}

extension Declaration {
  /// The class that it inherits from and its generic arguments, whichever module they are qualified with.
  var superclass: (name: String, arguments: [TypeSyntax])? {
    guard let type = inheritanceClause?.inheritedTypes.first?.type else { return nil }
    let clause =
      type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
    let arguments = clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
    return (Declaration.baseName(of: type), arguments)
  }
}
