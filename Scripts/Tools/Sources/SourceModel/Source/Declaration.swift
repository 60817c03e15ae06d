import SwiftSyntax

/// A class, a protocol, another type or an extension, wherever it stands in a file.
public struct Declaration: Sendable {
  /// What is declared.
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
  /// The name, without the namespace it stands in; for an extension, that of the extended type.
  public let name: String
  /// The types it stands in, outermost first.
  public let namespace: [String]
  /// The file it is in.
  public let file: SourceFile
  /// The whole declaration.
  public let node: DeclSyntax

  /// The names it inherits from or conforms to, without `any`, generic arguments and attributes.
  public var inherited: [String] {
    inheritanceClause?.inheritedTypes.map { Declaration.baseName(of: $0.type) } ?? []
  }

  /// The clause of what it inherits from or conforms to.
  public var inheritanceClause: InheritanceClauseSyntax? {
    if let node = node.as(ClassDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(ProtocolDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(StructDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(EnumDeclSyntax.self) { return node.inheritanceClause }
    if let node = node.as(ActorDeclSyntax.self) { return node.inheritanceClause }
    return node.as(ExtensionDeclSyntax.self)?.inheritanceClause
  }

  /// What stands between its braces; nil for a type alias.
  public var memberBlock: MemberBlockSyntax? { node.asProtocol((any DeclGroupSyntax).self)?.memberBlock }

  /// Its members, those in conditional compilation included.
  public var members: [DeclSyntax] { memberBlock.map { Declaration.flattened($0.members) } ?? [] }

  /// Its functions, those in conditional compilation included.
  public var functions: [FunctionDeclSyntax] { members.compactMap { $0.as(FunctionDeclSyntax.self) } }

  /// Its initializers.
  public var initializers: [InitializerDeclSyntax] { members.compactMap { $0.as(InitializerDeclSyntax.self) } }

  /// Its properties.
  public var variables: [VariableDeclSyntax] { members.compactMap { $0.as(VariableDeclSyntax.self) } }

  /// The property of a name.
  public func variable(named name: String) -> VariableDeclSyntax? {
    variables.first { variable in
      variable.bindings.contains { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name }
    }
  }

  /// Where it is: `path:line`.
  public var place: String { file.place(of: node) }

  /// The last name of a type, without `any`, generic arguments, optionality and attributes.
  public static func baseName(of type: some TypeSyntaxProtocol) -> String {
    if let type = type.as(IdentifierTypeSyntax.self) { return type.name.text }
    if let type = type.as(MemberTypeSyntax.self) { return type.name.text }
    if let type = type.as(SomeOrAnyTypeSyntax.self) { return baseName(of: type.constraint) }
    if let type = type.as(AttributedTypeSyntax.self) { return baseName(of: type.baseType) }
    if let type = type.as(OptionalTypeSyntax.self) { return baseName(of: type.wrappedType) }
    if let type = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return baseName(of: type.wrappedType) }
    if let type = type.as(TupleTypeSyntax.self), type.elements.count == 1, let only = type.elements.first {
      return baseName(of: only.type)
    }
    return type.trimmedDescription
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
