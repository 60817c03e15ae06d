// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// A written type, without parts irrelevant to RIBs: optionality, `any`, `some`, attributes.
package indirect enum TypeName: Hashable, Sendable {
  /// A name with its namespaces and generic arguments.
  case named([String], [TypeName])
  /// A function, represented by its result.
  case function(TypeName)
  case tuple([Element])
  /// A collection, represented by its element type.
  case list(TypeName)
  /// A protocol composition.
  case composition([TypeName])
  case unknown

  package struct Element: Hashable, Sendable {
    package let label: String?
    package let type: TypeName
  }

  /// The last component of the name; empty if there is none.
  package var lastName: String {
    if case .named(let path, _) = self { path.last ?? "" } else { "" }
  }

  /// The generic arguments.
  package var arguments: [TypeName] {
    if case .named(_, let arguments) = self { arguments } else { [] }
  }

  package init(_ type: TypeSyntax) {
    switch type.as(TypeSyntaxEnum.self) {
    case .identifierType(let type):
      let arguments = TypeName.arguments(type.genericArgumentClause)
      let isWrapper = ["Optional", "Array", "Set", "ContiguousArray"].contains(type.name.text)
      if isWrapper, let only = arguments.first {
        self = type.name.text == "Optional" ? only : .list(only)
      } else {
        self = .named([type.name.text], arguments)
      }
    case .memberType(let type) where type.name.text == "Optional" && type.genericArgumentClause?.arguments.count == 1:
      self = TypeName.arguments(type.genericArgumentClause)[0]
    case .memberType(let type):
      guard case .named(let path, _) = TypeName(type.baseType) else {
        self = .named([type.name.text], TypeName.arguments(type.genericArgumentClause))
        return
      }
      // A metatype leads to the same RIB as its type.
      let isMeta = ["Type", "Protocol"].contains(type.name.text)
      self = .named(isMeta ? path : path + [type.name.text], TypeName.arguments(type.genericArgumentClause))
    case .metatypeType(let type): self = TypeName(type.baseType)
    case .someOrAnyType(let type): self = TypeName(type.constraint)
    case .attributedType(let type): self = TypeName(type.baseType)
    case .optionalType(let type): self = TypeName(type.wrappedType)
    case .implicitlyUnwrappedOptionalType(let type): self = TypeName(type.wrappedType)
    case .arrayType(let type): self = .list(TypeName(type.element))
    case .dictionaryType(let type): self = .list(TypeName(type.value))
    case .functionType(let type): self = .function(TypeName(type.returnClause.type))
    case .compositionType(let type): self = .composition(type.elements.map { TypeName($0.type) })
    case .tupleType(let type):
      if type.elements.count == 1, let only = type.elements.first, only.firstName == nil {
        self = TypeName(only.type)
      } else {
        self = .tuple(
          type.elements.map { Element(label: ($0.secondName ?? $0.firstName)?.text, type: TypeName($0.type)) })
      }
    default: self = .unknown
    }
  }

  private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeName] {
    clause?.arguments.map { argument in
      if case .type(let type) = argument.argument { TypeName(type) } else { .unknown }
    } ?? []
  }
}
