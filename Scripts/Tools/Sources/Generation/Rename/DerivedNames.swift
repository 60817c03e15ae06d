// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Tells uses of names that a package derives from a RIB's name from uses of equal names that are declared elsewhere,
/// such as `rootViewController` of a window.
struct DerivedNames {
  enum Meaning {
    /// A declaration of this package, or a use of one.
    case own
    /// Declared elsewhere, or part of saved data.
    case foreign
    /// The code does not say it.
    case unknown
  }

  private let resolver: TypeResolver

  init(in workspace: Workspace) { resolver = TypeResolver(workspace: workspace) }

  func meaning(of token: TokenSyntax, _ name: String) -> Meaning {
    guard let parent = token.parent else { return .own }
    if let reference = parent.as(DeclReferenceExprSyntax.self) { return meaning(of: reference, name) }
    if let argument = parent.as(LabeledExprSyntax.self), argument.label == token {
      return takes(name, argument) ? .own : .foreign
    }
    if parent.is(ClosureCaptureSyntax.self) { return isOwn(name, at: Syntax(token)) ? .own : .foreign }
    return declares(token, name) ? .own : .foreign
  }

  // MARK: Declarations

  /// Whether a declaration is this package's own: does not override another one's, and is not saved.
  private func declares(_ token: TokenSyntax, _ name: String) -> Bool {
    var node = token.parent
    while let current = node {
      if let function = current.as(FunctionDeclSyntax.self) {
        return !resolver.overridesForeign(function, named: function.name.text)
      }
      if let initializer = current.as(InitializerDeclSyntax.self) {
        return !resolver.overridesForeign(initializer, named: "init")
      }
      if current.is(CodeBlockItemListSyntax.self) { return true }
      if let variable = current.as(VariableDeclSyntax.self) {
        return !resolver.overridesForeign(variable, named: name) && !isSaved(variable)
      }
      if let cases = current.as(EnumCaseDeclSyntax.self) { return !isSaved(cases) }
      node = current.parent
    }
    return true
  }

  private func isSaved(_ member: some DeclSyntaxProtocol) -> Bool {
    TypeResolver.enclosingType(of: Syntax(member)).map(isSaved) ?? false
  }

  /// Whether the names of a type's members are part of saved data.
  private func isSaved(_ type: String) -> Bool {
    let ancestry = Set(resolver.ancestry(of: type))
    if !ancestry.isDisjoint(with: ["Codable", "Decodable", "Encodable", "CodingKey"]) { return true }
    return ancestry.contains("String") && resolver.declarations(of: type).contains { $0.kind == .enum }
  }

  // MARK: Uses

  private func meaning(of reference: DeclReferenceExprSyntax, _ name: String) -> Meaning {
    if let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id {
      guard let base = access.base else { return .own }
      if base.is(SuperExprSyntax.self) { return isInherited(name, at: Syntax(reference)) ? .own : .foreign }
      return meaning(ofMember: name, of: base)
    }
    if let component = reference.parent?.as(KeyPathPropertyComponentSyntax.self) {
      var node = component.parent
      while let current = node, !current.is(KeyPathExprSyntax.self) { node = current.parent }
      guard let path = node?.as(KeyPathExprSyntax.self), path.components.count == 1, let root = path.root else {
        return .unknown
      }
      return isMember(name, of: Declaration.baseName(of: root)) ? .own : .foreign
    }
    return isOwn(name, at: Syntax(reference)) ? .own : .foreign
  }

  private func meaning(ofMember name: String, of base: ExprSyntax) -> Meaning {
    if let type = resolver.type(of: base) { return isMember(name, of: type) ? .own : .foreign }
    if isForeign(base) { return .foreign }
    // A closure of a type takes an object of it, as that of a slot takes the router.
    if let parameter = base.as(DeclReferenceExprSyntax.self),
      TypeResolver.enclosingTypes(of: Syntax(parameter)).contains(where: { isMember(name, of: $0) })
    {
      return .own
    }
    return .unknown
  }

  private func isMember(_ name: String, of type: String) -> Bool { resolver.has(name, type) && !isSaved(type) }

  /// Whether a chain of members begins with a type of another package, or has a value of one in it.
  private func isForeign(_ expression: ExprSyntax) -> Bool {
    if let type = resolver.type(of: expression) {
      return resolver.ancestry(of: type).allSatisfy {
        resolver.declarations(of: $0).allSatisfy { $0.kind == .extension }
      }
    }
    for child in expression.children(viewMode: .sourceAccurate) {
      guard let first = child.as(ExprSyntax.self) else { continue }
      return isForeign(first)
    }
    return false
  }

  /// Whether a name without a receiver is declared in this package.
  private func isOwn(_ name: String, at node: Syntax) -> Bool {
    if case .absent = resolver.local(name, at: node) {
      let types = TypeResolver.enclosingTypes(of: node)
      return types.isEmpty || types.contains { isMember(name, of: $0) }
    }
    return !isForeignParameter(name, at: node)
  }

  /// Whether a name is that of a parameter that an overridden function of another package prescribes.
  private func isForeignParameter(_ name: String, at node: Syntax) -> Bool {
    var node = node.parent
    while let current = node {
      let clause =
        current.as(FunctionDeclSyntax.self)?.signature.parameterClause
        ?? current.as(InitializerDeclSyntax.self)?.signature.parameterClause
      if let parameter = clause?.parameters.first(where: { ($0.secondName ?? $0.firstName).text == name }) {
        return !declares(parameter.firstName, name)
      }
      node = current.parent
    }
    return false
  }

  private func isInherited(_ name: String, at node: Syntax) -> Bool {
    guard let type = TypeResolver.enclosingType(of: node) else { return false }
    return resolver.ancestry(of: type).dropFirst().contains { isMember(name, of: $0) }
  }

  // MARK: Labels

  /// Whether a label is that of a function or an initializer of this package.
  private func takes(_ label: String, _ argument: LabeledExprSyntax) -> Bool {
    guard let list = argument.parent, let call = list.parent else { return false }
    if call.is(TupleExprSyntax.self) { return true }
    guard let callee = call.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
    if let reference = callee.as(DeclReferenceExprSyntax.self) {
      return takes(label, named: reference.baseName.text, nil)
    }
    guard let access = callee.as(MemberAccessExprSyntax.self) else { return false }
    let name = access.declName.baseName.text
    if name == "init" {
      if access.base?.is(SuperExprSyntax.self) == true {
        guard let type = TypeResolver.enclosingType(of: Syntax(call)) else { return false }
        return resolver.ancestry(of: type).dropFirst().contains { takes(label, inInitializersOf: $0) }
      }
      guard let base = access.base else { return true }
      return resolver.type(of: base).map { takes(label, named: $0, nil) } ?? true
    }
    return takes(label, named: name, access.base.flatMap(resolver.type))
  }

  private func takes(_ label: String, named name: String, _ owner: String?) -> Bool {
    if name.first?.isUppercase == true {
      return resolver.ancestry(of: name).contains { takes(label, inInitializersOf: $0) }
    }
    let found = owner.map { resolver.ancestry(of: $0).flatMap(resolver.declarations(of:)) }
    let declarations = found ?? resolver.workspace.declarations(mentioning: name)
    return declarations.contains { declaration in
      declaration.members.contains { member in
        if let cases = member.as(EnumCaseDeclSyntax.self) {
          return cases.elements.contains { $0.name.text == name && $0.parameterClause?.mentions([label]) ?? false }
        }
        guard let function = member.as(FunctionDeclSyntax.self), function.name.text == name else { return false }
        return has(label, function.signature.parameterClause) && !resolver.overridesForeign(function, named: name)
      }
    } || (found == nil && isFunction(name, with: label))
  }

  /// Whether a function outside of types has a label.
  private func isFunction(_ name: String, with label: String) -> Bool {
    let finder = FunctionFinder(name)
    for file in resolver.workspace.sources(mentioning: name) where file.text.contains("func " + name) {
      finder.walk(file.syntax)
    }
    return finder.found.contains { has(label, $0.signature.parameterClause) }
  }

  private func takes(_ label: String, inInitializersOf type: String) -> Bool {
    resolver.declarations(of: type).contains { declaration in
      if declaration.initializers.contains(where: {
        has(label, $0.signature.parameterClause) && !resolver.overridesForeign($0, named: "init")
      }) {
        return true
      }
      return declaration.kind == .struct && declaration.variable(named: label) != nil && !isSaved(type)
    }
  }

  private func has(_ label: String, _ clause: FunctionParameterClauseSyntax) -> Bool {
    clause.parameters.contains { $0.firstName.text == label }
  }
}

/// Finds functions with a name, also inside of functions.
private final class FunctionFinder: SyntaxVisitor {
  private(set) var found: [FunctionDeclSyntax] = []
  private let name: String

  init(_ name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == name { found.append(node) }
    return .visitChildren
  }
}
