// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Writes the mock of one protocol.
struct MockClass {
  let mocked: MockedProtocol
  let library: ProtocolLibrary
  var defaults: DefaultValues

  /// Whether a test can create it without arguments.
  var isMadeWithoutArguments: Bool {
    initializers.isEmpty && lacking.allSatisfy { defaults.value(of: $0.type, mayMakeMocks: true) != nil }
  }

  /// Whether it needs a lock because several threads may use it.
  var isLocked: Bool { usage.contains { $0.isLocked } }

  /// The reason why it can't be generated; nil if it can.
  var reasonAgainst: String? {
    if let unknown = mocked.unknown.first { return "nothing is known here of '\(unknown)', which it inherits from" }
    if let id = identity, id.value == nil { return "its identity is a '\(id.type)', which only a test could make" }
    if let place = confined {
      return "\(place) has a type whose values can't be stored"
    }
    if let property = lacking.first(where: \.isConditional) {
      return "'\(property.name)' has no obvious value, and is inside of '#if'"
    }
    if SourceFile(path: "", text: text()).syntax.hasError {
      return "its mock would not be valid Swift"
    }
    let hasStatics = usage.contains(where: \.isStatic)
    if hasStatics && !mocked.associatedTypes.isEmpty {
      return "it has static members and associated types, and a generic class can't store what belongs to the type"
    }
    return nil
  }

  /// A requirement whose value can't be stored by a mock: a property, or the result of a function.
  private var confined: String? {
    for requirement in mocked.requirements {
      if let variable = requirement.node.as(VariableDeclSyntax.self), let name = variable.firstName,
        let type = variable.bindings.first?.typeAnnotation?.type, !library.isStorable(type)
      {
        return "'\(name)'"
      }
      let result =
        requirement.node.as(FunctionDeclSyntax.self)?.signature.returnClause?.type
        ?? requirement.node.as(SubscriptDeclSyntax.self)?.returnClause.type
      guard let result else { continue }
      let suppressed = MockText.suppressed(around: requirement.node)
      let isKnown = library.isStorable(result, besides: suppressed)
      let name = requirement.node.as(FunctionDeclSyntax.self)?.name.text ?? "subscript"
      if !isKnown, !library.isOwned(result) || requirement.node.is(SubscriptDeclSyntax.self) { return "'\(name)'" }
    }
    return nil
  }

  /// The storage of each member.
  private var usage: [MockStorage] {
    mocked.requirements.map { storage(of: $0.node) }
  }

  /// The identity required by `Identifiable` if the protocol fixes its type. Classes otherwise have one by default.
  private var identity: (type: String, value: String?)? {
    guard mocked.standard.contains("Identifiable"), let type = mocked.bindings.first(where: { $0.name == "ID" })?.type,
      !mocked.requirements.contains(where: { $0.node.as(VariableDeclSyntax.self)?.firstName == "id" })
    else { return nil }
    let file = SourceFile(path: "", text: "var id: \(type)")
    let variable = file.syntax.statements.first?.item.as(VariableDeclSyntax.self)
    let syntax = variable?.bindings.first?.typeAnnotation?.type
    return (type, syntax.flatMap { defaults.value(of: $0, mayMakeMocks: false) })
  }

  private var functionNames: [String] {
    mocked.requirements.compactMap { requirement in
      if let function = requirement.node.as(FunctionDeclSyntax.self) { return function.name.text }
      if requirement.node.is(InitializerDeclSyntax.self) { return "init" }
      return requirement.node.is(SubscriptDeclSyntax.self) ? "subscript" : nil
    }
  }
  private var initializers: [InitializerDeclSyntax] {
    mocked.requirements.compactMap { $0.node.as(InitializerDeclSyntax.self) }
  }

  /// The storage of a requirement: its location and isolation.
  private func storage(of node: DeclSyntax) -> MockStorage {
    let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
    return MockStorage(
      isStatic: MockedProtocol.isStatic(modifiers), isNonisolated: modifiers.contains { $0.name.text == "nonisolated" },
      isSendable: mocked.isSendable, globalActor: mocked.globalActor, reserved: reserved)
  }

  /// The names of all members and parameters.
  private var reserved: Set<String> {
    Set(
      mocked.requirements.flatMap { requirement in
        requirement.node.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
          guard case .identifier(let name) = token.tokenKind, token.parent?.is(IdentifierTypeSyntax.self) != true else {
            return nil
          }
          return name.filter { $0 != "`" }
        }
      })
  }

  private func lock(isStatic: Bool) -> String {
    MockStorage(isStatic: isStatic, isNonisolated: false, isSendable: true, globalActor: nil, reserved: reserved).lock
  }

  // MARK: The class

  /// The declaration.
  func text() -> String { conditional(bareText, mocked.declaration.node) }

  /// A piece of code within the conditions around a node, such as '#if os(Linux)'.
  private func conditional(_ text: String, _ node: some SyntaxProtocol) -> String {
    let conditions = MockText.conditions(around: node)
    if conditions.isEmpty { return text }
    return "#if " + conditions.joined(separator: " && ") + "\n" + text + "\n#endif\n"
  }

  private var bareText: String {
    var names = MockNames(functionNames, reserved: reserved)
    var members: [String] = []
    var body: [String] = []
    if usage.contains(where: { $0.isLocked && !$0.isStatic }) {
      members.append(
        "private \(mocked.globalActor == nil ? "" : "nonisolated ")let \(lock(isStatic: false)) = NSLock()")
    }
    if usage.contains(where: { $0.isLocked && $0.isStatic }) {
      members.append("private static let \(lock(isStatic: true)) = NSLock()")
    }
    members += mocked.bindings.map { "typealias \($0.name) = \($0.type)" }
    for requirement in mocked.requirements {
      let conditions = MockText.conditions(around: requirement.node, in: requirement.owner)
      func within(_ text: String) -> String {
        conditions.isEmpty ? text : "#if \(conditions.joined(separator: " && "))\n\(text)\n#endif"
      }
      let writer = MockMember(
        mock: mocked.mockName, owner: requirement.owner, storage: storage(of: requirement.node), library: library,
        defaults: defaults)
      if let variable = requirement.node.as(VariableDeclSyntax.self) {
        let name = names.name(variable.firstName ?? "")
        members += writer.property(variable, name: name, isLazy: !initializers.isEmpty).map(within)
      } else if let function = requirement.node.as(FunctionDeclSyntax.self) {
        let name = names.name(function.name.text, parameters: function.signature.parameterClause.parameters)
        body.append(within(writer.function(function, name: name)))
      } else if let initializer = requirement.node.as(InitializerDeclSyntax.self) {
        body.append(
          writer.initializer(
            initializer, name: names.name("init", parameters: initializer.signature.parameterClause.parameters)))
      } else if let node = requirement.node.as(SubscriptDeclSyntax.self) {
        body.append(
          writer.subscripting(node, name: names.name("subscript", parameters: node.parameterClause.parameters)))
      }
    }
    members += initializer()
    members += conformances()
    if members.isEmpty && body.isEmpty { return head() + " {}\n" }
    let all = members.joined(separator: "\n") + (members.isEmpty || body.isEmpty ? "" : "\n\n")
    let text = head() + " {\n" + all + body.joined(separator: "\n\n") + "\n}\n"
    guard !mocked.declaration.namespace.isEmpty else { return text }
    return "extension \(mocked.declaration.namespace.joined(separator: ".")) {\n\(text)}\n"
  }

  private func head() -> String {
    let generics = mocked.associatedTypes.map { type in
      type.name.text + (type.inheritanceClause.map { ": " + $0.inheritedTypes.trimmedDescription } ?? "")
    }
    let clause = generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>"
    let conditions =
      generics.isEmpty || mocked.conditions.isEmpty ? "" : " where " + mocked.conditions.joined(separator: ", ")
    let isUnchecked = mocked.isSendable && mocked.globalActor == nil
    let actor = mocked.globalActor.map { $0 + "\n" } ?? ""
    return
      "\(actor)final class \(mocked.mockName)\(clause): \(mocked.name)\(isUnchecked ? ", @unchecked Sendable" : "")\(conditions)"
  }

  /// The properties without a default value, which a test must provide.
  private var lacking: [(name: String, type: TypeSyntax, storage: MockStorage, isConditional: Bool)] {
    mocked.requirements.compactMap { requirement in
      guard let variable = requirement.node.as(VariableDeclSyntax.self), let name = variable.firstName,
        let type = variable.bindings.first?.typeAnnotation?.type, !MockedProtocol.isStatic(variable.modifiers),
        MockMember.getter(of: variable)?.effectSpecifiers == nil, defaults.value(of: type, mayMakeMocks: false) == nil
      else { return nil }
      let isConditional = !MockText.conditions(around: requirement.node, in: requirement.owner).isEmpty
      return (name, type, storage(of: requirement.node), isConditional)
    }
  }

  private func initializer() -> [String] {
    if !initializers.isEmpty {
      let isThere = initializers.contains { $0.signature.parameterClause.parameters.isEmpty }
      return isThere ? [] : ["\ninit() {}"]
    }
    if lacking.isEmpty { return [] }
    let parameters = lacking.map { property in
      let value = defaults.value(of: property.type, mayMakeMocks: true).map { " = " + $0 } ?? ""
      let escaping = library.isFunction(property.type, from: mocked.declaration) ? "@escaping " : ""
      return "\(property.name): \(escaping)\(MockText.resolved(property.type, mock: mocked.mockName))\(value)"
    }
    let lines = lacking.map {
      $0.storage.isLocked ? "\($0.storage.hidden($0.name)) = \($0.name)" : "self.\($0.name) = \($0.name)"
    }
    return ["\ninit(\(parameters.joined(separator: ", "))) {\n\(lines.joined(separator: "\n"))\n}"]
  }

  /// Conformances to protocols of the standard library. A mock equals only itself.
  private func conformances() -> [String] {
    let isolation = mocked.globalActor == nil ? "" : "nonisolated "
    let declared = Set(mocked.requirements.compactMap { $0.node.as(VariableDeclSyntax.self)?.firstName })
    var members: [String] = []
    if let id = identity, let value = id.value { members.append("\nvar id: \(id.type) = \(value)") }
    if !mocked.standard.isDisjoint(with: ["Equatable", "Hashable"]) {
      members.append(
        "\n\(isolation)static func == (left: \(mocked.mockName), right: \(mocked.mockName)) -> Bool { left === right }")
    }
    if mocked.standard.contains("Hashable") {
      members.append("\n\(isolation)func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }")
    }
    for (name, property) in [
      ("CustomStringConvertible", "description"), ("CustomDebugStringConvertible", "debugDescription"),
    ] where mocked.standard.contains(name) && !declared.contains(property) {
      members.append("\n\(isolation)var \(property): String { \"\(mocked.mockName)\" }")
    }
    return members
  }
}
