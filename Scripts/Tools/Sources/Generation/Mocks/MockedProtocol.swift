// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// A protocol with all its requirements, including inherited ones.
struct MockedProtocol {
  /// A requirement, and the protocol that declares it.
  struct Requirement {
    let node: DeclSyntax
    let owner: Declaration
  }

  let declaration: Declaration
  private(set) var requirements: [Requirement] = []
  private(set) var associatedTypes: [AssociatedTypeDeclSyntax] = []
  /// The associated types that the protocol fixes.
  private(set) var bindings: [(name: String, type: String)] = []
  /// Constraints on associated types.
  private(set) var conditions: [String] = []
  /// The inherited protocols of the standard library.
  private(set) var standard: Set<String> = []
  /// Inherited protocols that can't be found.
  private(set) var unknown: [String] = []
  private var visited: Set<String> = []

  var name: String { declaration.name }
  var mockName: String { name + "Mock" }
  var isSendable: Bool { !standard.isDisjoint(with: ["Sendable", "SendableMetatype", "Error"]) }

  /// Whether its mock can be created anywhere by name.
  var isPlain: Bool { associatedTypes.isEmpty && globalActor == nil && declaration.namespace.isEmpty }

  /// The attribute of its global actor.
  private(set) var globalActor: String?

  private static let known: Set<String> = [
    "AnyObject", "class", "Any", "Sendable", "SendableMetatype", "Error", "Equatable", "Hashable", "Identifiable",
    "CustomStringConvertible", "CustomDebugStringConvertible", "Copyable", "Escapable",
  ]

  init(_ declaration: Declaration, in library: ProtocolLibrary) {
    self.declaration = declaration
    add(declaration, library)
    associatedTypes.removeAll { type in bindings.contains { $0.name == type.name.text } }
  }

  private mutating func add(_ declaration: Declaration, _ library: ProtocolLibrary) {
    guard visited.insert((declaration.namespace + [declaration.name]).joined(separator: ".")).inserted,
      let node = declaration.node.as(ProtocolDeclSyntax.self)
    else { return }
    for attribute in node.attributes {
      let text = attribute.trimmedDescription
      if text.hasSuffix("Actor") && !text.contains("(") { globalActor = globalActor ?? text }
    }
    for member in declaration.members {
      if let type = member.as(AssociatedTypeDeclSyntax.self) {
        if !associatedTypes.contains(where: { $0.name.text == type.name.text }) { associatedTypes.append(type) }
        if let clause = type.genericWhereClause { addConditions(clause) }
      } else if !isRepeated(member), !isHidden(member, of: declaration, library) {
        requirements.append(Requirement(node: member, owner: declaration))
      }
    }
    if let clause = node.genericWhereClause {
      addConditions(clause)
      for requirement in clause.requirements {
        guard let conformance = requirement.requirement.as(ConformanceRequirementSyntax.self),
          conformance.leftType.trimmedDescription == "Self"
        else { continue }
        inherit(from: conformance.rightType, of: declaration, library)
      }
    }
    for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] {
      inherit(from: inherited.type, of: declaration, library)
    }
  }

  private mutating func inherit(from type: TypeSyntax, of declaration: Declaration, _ library: ProtocolLibrary) {
    if let composition = type.as(CompositionTypeSyntax.self) {
      for element in composition.elements { inherit(from: element.type, of: declaration, library) }
      return
    }
    if let attributed = type.as(AttributedTypeSyntax.self) {
      return inherit(from: attributed.baseType, of: declaration, library)
    }
    if type.is(SuppressedTypeSyntax.self) { return }
    let name = Declaration.baseName(of: type)
    guard let found = library.find(name, from: declaration) else {
      if MockedProtocol.known.contains(name) { standard.insert(name) } else { unknown.append(name) }
      return
    }
    if let alias = found.node.as(TypeAliasDeclSyntax.self) {
      return inherit(from: alias.initializer.value, of: found, library)
    }
    let arguments = type.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments.map(\.argument) ?? []
    let primary = found.node.as(ProtocolDeclSyntax.self)?.primaryAssociatedTypeClause?.primaryAssociatedTypes ?? []
    for (primary, argument) in zip(primary, arguments) {
      bindings.append((primary.name.text, argument.trimmedDescription))
    }
    add(found, library)
  }

  private mutating func addConditions(_ clause: GenericWhereClauseSyntax) {
    for requirement in clause.requirements {
      let conformance = requirement.requirement.as(ConformanceRequirementSyntax.self)
      if conformance?.leftType.trimmedDescription == "Self" { continue }
      let text = requirement.requirement.trimmedDescription.replacing("Self.", with: "")
      if let same = requirement.requirement.as(SameTypeRequirementSyntax.self) {
        let left = same.leftType.trimmedDescription.replacing("Self.", with: "")
        if !left.contains(".") {
          bindings.append((left, same.rightType.trimmedDescription.replacing("Self.", with: "")))
          continue
        }
      }
      conditions.append(text)
    }
  }

  /// Whether an earlier requirement is the same. A settable property covers a read-only one.
  private mutating func isRepeated(_ member: DeclSyntax) -> Bool {
    let key = MockedProtocol.key(of: member)
    guard let index = requirements.firstIndex(where: { MockedProtocol.key(of: $0.node) == key }) else { return false }
    if let variable = member.as(VariableDeclSyntax.self), variable.trimmedDescription.contains(" set ") {
      requirements[index] = Requirement(node: member, owner: requirements[index].owner)
    }
    return true
  }

  private static func key(of member: DeclSyntax) -> String {
    if let function = member.as(FunctionDeclSyntax.self) {
      let parameters = function.signature.parameterClause.parameters.map {
        $0.firstName.text + ":" + $0.type.trimmedDescription
      }
      let result = function.signature.returnClause?.type.trimmedDescription ?? ""
      return "\(isStatic(function.modifiers)) \(function.name.text)(\(parameters.joined(separator: ",")))\(result)"
    }
    if let variable = member.as(VariableDeclSyntax.self) {
      return "\(isStatic(variable.modifiers)) \(variable.firstName ?? "")"
    }
    return member.trimmedDescription
  }

  static func isStatic(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains { $0.name.text == "static" || $0.name.text == "class" }
  }

  /// Whether a requirement is an implementation detail of the library, which provides it.
  private func isHidden(_ member: DeclSyntax, of declaration: Declaration, _ library: ProtocolLibrary) -> Bool {
    if member.is(TypeAliasDeclSyntax.self) { return true }
    let name = member.as(FunctionDeclSyntax.self)?.name.text ?? member.as(VariableDeclSyntax.self)?.firstName
    return name?.hasPrefix("_") == true && library.isOfRuntime(declaration)
  }
}
