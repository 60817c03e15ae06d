// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Finds the types of expressions from the declarations of the package. Returns nil where these do not suffice.
///
/// It remembers declarations: an edit of the workspace needs a new one.
struct TypeResolver {
  let workspace: Workspace
  private let known = Known()

  /// What has been looked up.
  private final class Known {
    var ancestry: [String: [String]] = [:]
    var declarations: [String: [Declaration]] = [:]
  }

  init(workspace: Workspace) { self.workspace = workspace }

  /// The members that a class inherits from the runtime, by the position of their type among the generic arguments.
  private static let inherited: [String: [String: Int]] = [
    "PresentableInteractor": ["presenter": 0], "Builder": ["dependency": 0], "Component": ["dependency": 0],
    "Router": ["interactor": 0], "ViewableRouter": ["interactor": 0, "viewController": 1],
    "LaunchRouter": ["interactor": 0, "viewController": 1],
  ]
  /// The parameters by which closures conventionally take the object that they belong to.
  private static let selfNames: Set<String> = ["owner", "this", "strongSelf", "weakSelf", "self"]
  private static let depth = 16

  // MARK: Expressions

  /// The name of the type of an expression; nil if the code does not say it.
  func type(of expression: ExprSyntax) -> String? { type(of: expression, left: Self.depth) }

  private func type(of expression: ExprSyntax, left: Int) -> String? {
    guard left > 0 else { return nil }
    if let wrapped = TypeResolver.wrapped(expression) { return type(of: wrapped, left: left - 1) }
    if let reference = expression.as(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.text
      if name == "self" || name == "Self" { return TypeResolver.enclosingType(of: Syntax(reference)) }
      return type(ofName: name, at: Syntax(reference), left: left - 1)
    }
    if let access = expression.as(MemberAccessExprSyntax.self) {
      let name = access.declName.baseName.text
      guard let base = access.base, let owner = type(of: base, left: left - 1) else { return nil }
      return name == "self" ? owner : type(ofMember: name, of: owner, left: left - 1)
    }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      let callee = call.calledExpression
      if let access = callee.as(MemberAccessExprSyntax.self), access.declName.baseName.text == "init" {
        return access.base.flatMap { type(of: $0, left: left - 1) }
      }
      return type(of: callee, left: left - 1)
    }
    if let sequence = expression.as(SequenceExprSyntax.self), let last = sequence.elements.last {
      return last.as(TypeExprSyntax.self).map { Declaration.baseName(of: $0.type) }
    }
    return nil
  }

  /// The expression in parentheses, before a question mark, or after 'try' or 'await'.
  private static func wrapped(_ expression: ExprSyntax) -> ExprSyntax? {
    if let node = expression.as(OptionalChainingExprSyntax.self) { return node.expression }
    if let node = expression.as(ForceUnwrapExprSyntax.self) { return node.expression }
    if let node = expression.as(TryExprSyntax.self) { return node.expression }
    if let node = expression.as(AwaitExprSyntax.self) { return node.expression }
    if let node = expression.as(TupleExprSyntax.self), node.elements.count == 1 {
      return node.elements.first?.expression
    }
    return nil
  }

  private func type(ofName name: String, at node: Syntax, left: Int) -> String? {
    switch local(name, at: node, left: left) {
    case .type(let type): return type
    case .unknown: return nil
    case .absent: break
    }
    if let owner = TypeResolver.enclosingType(of: node), let found = type(ofMember: name, of: owner, left: left) {
      return found
    }
    return name.first?.isUppercase == true ? name : nil
  }

  // MARK: Local names

  enum Local {
    case type(String)
    /// It is declared, and its type is not known.
    case unknown
    /// No statement or parameter declares it.
    case absent
  }

  /// What a name means in a function.
  func local(_ name: String, at node: Syntax) -> Local { local(name, at: node, left: Self.depth) }

  private func local(_ name: String, at node: Syntax, left: Int) -> Local {
    guard left > 0 else { return .unknown }
    var child = node
    while let scope = child.parent {
      if scope.isProtocol((any DeclGroupSyntax).self) { return .absent }
      if let found = declared(name, in: scope, before: child, left: left) { return found }
      child = scope
    }
    return .absent
  }

  /// What one scope declares a name as; nil if it does not.
  private func declared(_ name: String, in scope: Syntax, before child: Syntax, left: Int) -> Local? {
    if let list = scope.as(CodeBlockItemListSyntax.self) {
      for item in list.reversed() where item.position < child.position {
        if let variable = item.item.as(VariableDeclSyntax.self) {
          if let found = declared(name, by: variable, left: left) { return found }
        } else if let guarded = item.item.as(GuardStmtSyntax.self) {
          if let found = declared(name, by: Array(guarded.conditions), left: left) { return found }
        } else if item.item.as(FunctionDeclSyntax.self)?.name.text == name {
          return .unknown
        }
      }
      return nil
    }
    if let list = scope.as(ConditionElementListSyntax.self) {
      return declared(name, by: list.filter { $0.position < child.position }, left: left)
    }
    if let node = scope.as(IfExprSyntax.self), child.id == node.body.id {
      return declared(name, by: Array(node.conditions), left: left)
    }
    if let node = scope.as(WhileStmtSyntax.self), child.id == node.body.id {
      return declared(name, by: Array(node.conditions), left: left)
    }
    if let node = scope.as(ForStmtSyntax.self), node.pattern.mentions([name]) { return .unknown }
    if let node = scope.as(SwitchCaseSyntax.self), TypeResolver.binds(name, Syntax(node.label)) { return .unknown }
    if let node = scope.as(CatchClauseSyntax.self), TypeResolver.binds(name, Syntax(node.catchItems)) {
      return .unknown
    }
    if let node = scope.as(ClosureExprSyntax.self) { return declared(name, by: node, left: left) }
    let parameters = scope.as(FunctionDeclSyntax.self)?.signature ?? scope.as(InitializerDeclSyntax.self)?.signature
    if let found = parameters?.parameterClause.parameters.first(where: { ($0.secondName ?? $0.firstName).text == name })
    {
      return .type(Declaration.baseName(of: found.type))
    }
    return nil
  }

  private static func binds(_ name: String, _ node: Syntax?) -> Bool {
    node?.tokens(viewMode: .sourceAccurate).contains {
      $0.text == name && $0.parent?.is(IdentifierPatternSyntax.self) == true
    } ?? false
  }

  private func declared(_ name: String, by variable: VariableDeclSyntax, left: Int) -> Local? {
    for binding in variable.bindings where binding.pattern.mentions([name]) {
      return value(binding.typeAnnotation, binding.initializer, left: left)
    }
    return nil
  }

  private func declared(_ name: String, by conditions: [ConditionElementSyntax], left: Int) -> Local? {
    for condition in conditions.reversed() {
      if let binding = condition.condition.as(OptionalBindingConditionSyntax.self), binding.pattern.mentions([name]) {
        if binding.initializer != nil { return value(binding.typeAnnotation, binding.initializer, left: left) }
        // The name means the same outside.
        guard let outside = condition.parent?.parent else { return .unknown }
        return type(ofName: name, at: outside, left: left - 1).map { .type($0) } ?? .unknown
      }
      if condition.condition.is(MatchingPatternConditionSyntax.self), TypeResolver.binds(name, Syntax(condition)) {
        return .unknown
      }
    }
    return nil
  }

  private func value(_ annotation: TypeAnnotationSyntax?, _ initializer: InitializerClauseSyntax?, left: Int) -> Local {
    if let annotation { return .type(Declaration.baseName(of: annotation.type)) }
    return initializer.flatMap { type(of: $0.value, left: left - 1) }.map { .type($0) } ?? .unknown
  }

  private func declared(_ name: String, by closure: ClosureExprSyntax, left: Int) -> Local? {
    guard let signature = closure.signature else { return nil }
    let captured = signature.capture?.items.first { $0.name.text == name && $0.initializer != nil }
    if let value = captured?.initializer?.value { return type(of: value, left: left - 1).map { .type($0) } ?? .unknown }
    func taken(_ type: TypeSyntax?) -> Local {
      if let type { return .type(Declaration.baseName(of: type)) }
      guard TypeResolver.selfNames.contains(name) else { return .unknown }
      return TypeResolver.enclosingType(of: Syntax(closure)).map { .type($0) } ?? .unknown
    }
    if let list = signature.parameterClause?.as(ClosureShorthandParameterListSyntax.self) {
      return list.contains { $0.name.text == name } ? taken(nil) : nil
    }
    let clause = signature.parameterClause?.as(ClosureParameterClauseSyntax.self)
    return clause?.parameters.first { ($0.secondName ?? $0.firstName).text == name }.map { taken($0.type) }
  }

  // MARK: Types

  /// The name of the innermost type whose declaration contains a node; nil outside of types.
  static func enclosingType(of node: Syntax) -> String? { enclosingTypes(of: node).first }

  /// The names of the types whose declarations contain a node, innermost first.
  static func enclosingTypes(of node: Syntax) -> [String] {
    var names: [String] = []
    var current = node.parent
    while let node = current {
      if let owner = node.as(ExtensionDeclSyntax.self) {
        names.append(Declaration.baseName(of: owner.extendedType))
      } else if node.isProtocol((any DeclGroupSyntax).self), let owner = node.asProtocol((any NamedDeclSyntax).self) {
        names.append(owner.name.text)
      }
      current = node.parent
    }
    return names
  }

  /// A type with all types that it inherits from or conforms to, as far as they are declared here.
  func ancestry(of type: String) -> [String] {
    if let found = known.ancestry[type] { return found }
    var found: [String] = []
    var next = TypeResolver.parts(of: type)
    while let type = next.popLast() {
      if found.contains(type) { continue }
      found.append(type)
      for declaration in declarations(of: type) {
        next += declaration.inherited.flatMap(TypeResolver.parts)
        if let alias = declaration.node.as(TypeAliasDeclSyntax.self) {
          next += TypeResolver.parts(of: Declaration.baseName(of: alias.initializer.value))
        }
      }
    }
    known.ancestry[type] = found
    return found
  }

  /// The protocols of a composition.
  private static func parts(of type: String) -> [String] {
    type.split { "&() ".contains($0) }.map(String.init).filter { $0 != "any" }
  }

  /// The declarations of a type, and its extensions.
  func declarations(of type: String) -> [Declaration] {
    if let found = known.declarations[type] { return found }
    let found = workspace.declarations(mentioning: type).filter { $0.name == type }
    known.declarations[type] = found
    return found
  }

  /// Whether a type or one that it inherits from has a member, as far as they are declared here.
  func has(_ member: String, _ type: String) -> Bool {
    ancestry(of: type).flatMap(declarations(of:)).contains { $0.declares(member) }
  }

  /// Whether a member overrides one of a type that is not declared here.
  func overridesForeign(_ node: some DeclSyntaxProtocol, named name: String) -> Bool {
    let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
    guard modifiers?.contains(where: { $0.name.text == "override" }) == true,
      let type = TypeResolver.enclosingType(of: Syntax(node))
    else { return false }
    return !ancestry(of: type).dropFirst().flatMap(declarations(of:)).contains { $0.declares(name) }
  }

  private func type(ofMember name: String, of owner: String, left: Int) -> String? {
    guard left > 0 else { return nil }
    let declarations = ancestry(of: owner).flatMap(declarations(of:))
    for declaration in declarations {
      for binding in declaration.variables.flatMap(\.bindings)
      where binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name {
        guard case .type(let type) = value(binding.typeAnnotation, binding.initializer, left: left) else { continue }
        return type
      }
      if let function = declaration.functions.first(where: { $0.name.text == name }) {
        return function.signature.returnClause.map { Declaration.baseName(of: $0.type) }
      }
    }
    for inherited in declarations.compactMap(\.inheritanceClause).flatMap(\.inheritedTypes) {
      guard let type = inherited.type.as(IdentifierTypeSyntax.self),
        let index = Self.inherited[type.name.text]?[name],
        let arguments = type.genericArgumentClause?.arguments.map(\.argument), index < arguments.count,
        case .type(let argument) = arguments[index]
      else { continue }
      return Declaration.baseName(of: argument)
    }
    return nil
  }
}

extension Declaration {
  /// Whether a property, a function, a case or an initializer with a name is among its members.
  fileprivate func declares(_ name: String) -> Bool {
    members.contains { member in
      if let function = member.as(FunctionDeclSyntax.self) { return function.name.text == name }
      if member.is(InitializerDeclSyntax.self) { return name == "init" }
      if let cases = member.as(EnumCaseDeclSyntax.self) { return cases.elements.contains { $0.name.text == name } }
      return member.as(VariableDeclSyntax.self)?.bindings.contains { $0.pattern.mentions([name]) } ?? false
    }
  }
}
