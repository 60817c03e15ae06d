// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// A declaration of a type or an extension, at any nesting level of a file.
public struct Declaration: Sendable {
  /// The kind of declaration.
  public enum Kind: String, Sendable {
    case `class`
    case `protocol`
    case `struct`
    case `enum`
    case `actor`
    case `extension`
    case `typealias`
  }

  public let kind: Kind
  /// The name without its namespace; for an extension, the name of the extended type.
  public let name: String
  /// The enclosing types, outermost first.
  public let namespace: [String]
  /// The file that contains it.
  public let file: SourceFile
  /// The syntax node of the declaration.
  public let node: DeclSyntax

  /// The inherited types and protocols by name, without `any`, generic arguments and attributes.
  public var inherited: [String] {
    inheritanceClause?.inheritedTypes.map { Declaration.baseName(of: $0.type) } ?? []
  }

  /// The inheritance clause.
  public var inheritanceClause: InheritanceClauseSyntax? {
    if let node = node.as(ClassDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(ProtocolDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(StructDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(EnumDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(ActorDeclSyntax.self) { return node.inheritanceClause }
    return node.as(ExtensionDeclSyntax.self)?.inheritanceClause
  }

  /// The block between the braces; nil for a type alias.
  public var memberBlock: MemberBlockSyntax? { node.asProtocol((any DeclGroupSyntax).self)?.memberBlock }

  /// The members, including those in conditional compilation blocks.
  public var members: [DeclSyntax] { memberBlock.map { Declaration.flattened($0.members) } ?? [] }

  /// The functions, including those in conditional compilation blocks.
  public var functions: [FunctionDeclSyntax] { members.compactMap { $0.as(FunctionDeclSyntax.self) } }

  /// Its initializers.
  public var initializers: [InitializerDeclSyntax] { members.compactMap { $0.as(InitializerDeclSyntax.self) } }

  /// Its properties.
  public var variables: [VariableDeclSyntax] { members.compactMap { $0.as(VariableDeclSyntax.self) } }

  /// The property with a name.
  public func variable(named name: String) -> VariableDeclSyntax? {
    variables.first { variable in
      variable.bindings.contains { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name }
    }
  }

  /// The location: `path:line`.
  public var place: String { file.place(of: node) }

  /// The last name of a type, without `any`, generic arguments, optionality and attributes.
  public static func baseName(of type: some TypeSyntaxProtocol) -> String {
    if let type = type.as(IdentifierTypeSyntax.self) {
      return wrapped(type.name, type.genericArgumentClause) ?? type.name.text
    }
    if let type = type.as(MemberTypeSyntax.self) {
      return wrapped(type.name, type.genericArgumentClause) ?? type.name.text
    }
    if let type = type.as(SomeOrAnyTypeSyntax.self) { return baseName(of: type.constraint) }
    if let type = type.as(AttributedTypeSyntax.self) { return baseName(of: type.baseType) }
    if let type = type.as(OptionalTypeSyntax.self) { return baseName(of: type.wrappedType) }
    if let type = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return baseName(of: type.wrappedType) }
    if let type = type.as(TupleTypeSyntax.self), type.elements.count == 1, let only = type.elements.first {
      return baseName(of: only.type)
    }
    return type.trimmedDescription
  }

  /// The last name of the type in an `Optional<Type>`.
  private static func wrapped(_ name: TokenSyntax, _ clause: GenericArgumentClauseSyntax?) -> String? {
    guard name.text == "Optional", case .type(let type)? = clause?.arguments.first?.argument else { return nil }
    return baseName(of: type)
  }

  /// The type of a property or a constant: the written one, or that to which its value is cast.
  public static func type(of binding: PatternBindingSyntax) -> TypeSyntax? {
    if let type = binding.typeAnnotation?.type { return type }
    var value = binding.initializer?.value
    while let tuple = value?.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      value = tuple.elements.first?.expression
    }
    let last = value?.as(SequenceExprSyntax.self)?.elements.last?.as(TypeExprSyntax.self)
    let isCast = value?.as(SequenceExprSyntax.self)?.elements.contains { $0.is(UnresolvedAsExprSyntax.self) } ?? false
    return isCast ? last?.type : nil
  }

  private static func flattened(_ members: MemberBlockItemListSyntax) -> [DeclSyntax] {
    members.flatMap { member -> [DeclSyntax] in
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
      return conditional.clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let nested)? = clause.elements else { return [] }
        return flattened(nested)
      }
    }
  }
}
