// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Generates the members of a mock that satisfy one requirement.
struct MockMember {
  let mock: String
  let owner: Declaration
  let storage: MockStorage
  let library: ProtocolLibrary
  let defaults: DefaultValues

  // MARK: Functions

  func function(_ node: FunctionDeclSyntax, name: String) -> String {
    let signature = node.signature
    let generics = generics(node.genericParameterClause, signature.parameterClause)
    let call = call(
      name: name, signature.parameterClause, generics: generics,
      effects: Effects(signature.effectSpecifiers, generics: generics), result: signature.returnClause?.type,
      attributes: node.attributes)
    let result = signature.returnClause.map { " -> " + MockText.resolved($0.type, mock: mock) } ?? ""
    let clause = node.genericWhereClause.map { " " + $0.trimmedDescription } ?? ""
    let operatorSpace =
      node.name.text.first?.isLetter == false && node.name.text.first.map { !"_`".contains($0) } == true
    return """
      \(call.stored.joined(separator: "\n"))

      \(head(node.attributes))\(modifiers(node.modifiers))func \(node.name.text)\(operatorSpace ? " " : "")\
      \(node.genericParameterClause?.trimmedDescription ?? "")(\(call.parameters))\
      \(node.signature.effectSpecifiers.map { " " + $0.trimmedDescription } ?? "")\(result)\(clause) {
      \(call.body)
      }
      """
  }

  func initializer(_ node: InitializerDeclSyntax, name: String) -> String {
    let call = call(
      name: name, node.signature.parameterClause,
      generics: generics(node.genericParameterClause, node.signature.parameterClause), effects: nil, result: nil,
      attributes: node.attributes)
    let clause = node.genericWhereClause.map { " " + $0.trimmedDescription } ?? ""
    return """
      \(call.stored.joined(separator: "\n"))

      \(head(node.attributes))\(modifiers(node.modifiers))init\(node.optionalMark?.text ?? "")\
      \(node.genericParameterClause?.trimmedDescription ?? "")(\(call.parameters))\
      \(node.signature.effectSpecifiers.map { " " + $0.trimmedDescription } ?? "")\(clause) {
      \(call.body)
      }
      """
  }

  func subscripting(_ node: SubscriptDeclSyntax, name: String) -> String {
    let result = node.returnClause.type
    let generics = generics(node.genericParameterClause, node.parameterClause)
    let get = MockMember.accessor("get", of: node.accessorBlock)
    let read = call(
      name: name, node.parameterClause, generics: generics, effects: Effects(get?.effectSpecifiers), result: result,
      attributes: node.attributes)
    var stored = read.stored
    var setter = ""
    if MockMember.accessor("set", of: node.accessorBlock) != nil {
      let set = call(
        name: name + "Set", node.parameterClause, generics: generics, effects: Effects(), result: nil,
        attributes: node.attributes, newValue: result)
      stored += set.stored
      setter = "\nset {\n\(set.body)\n}"
    }
    return """
      \(stored.joined(separator: "\n"))

      \(head(node.attributes))\(modifiers(node.modifiers))subscript\
      \(node.genericParameterClause?.trimmedDescription ?? "")(\(read.parameters)) \
      -> \(MockText.resolved(result, mock: mock)) {
      get\(get?.effectSpecifiers.map { " " + $0.trimmedDescription } ?? "") {
      \(read.body)
      }\(setter)
      }
      """
  }

  // MARK: Properties

  /// - Parameter isLazy: whether it may have no value at first, because no initializer sets it.
  func property(_ node: VariableDeclSyntax, name: String, isLazy: Bool) -> [String] {
    guard let type = node.bindings.first?.typeAnnotation?.type, let declared = node.firstName else { return [] }
    let text = MockText.resolved(type, mock: mock)
    let get = MockMember.getter(of: node)
    if let effects = get?.effectSpecifiers {
      let call = call(
        name: name, nil, generics: [], effects: Effects(effects), result: type, attributes: node.attributes)
      let body = "get \(effects.trimmedDescription) {\n\(call.body)\n}"
      return call.stored + ["\(modifiers(node.modifiers))var \(declared): \(text) {\n\(body)\n}"]
    }
    let isSettable = MockMember.accessor("set", of: node.bindings.first?.accessorBlock) != nil
    let counter = isSettable ? name + "SetCallCount" : nil
    let initial = defaults.value(of: type, mayMakeMocks: false)
    let isWeak = isSettable && pointsBack(declared, type)
    let counting = counter.map { [storage.counter($0)] } ?? []
    guard initial == nil, storage.isStatic || isLazy else {
      let bare = name == declared ? name : declared
      return [storage.variable(bare, type: text, initial: initial, counter: counter, isWeak: isWeak)] + counting
    }
    let hidden = "given" + name.prefix(1).uppercased() + name.dropFirst()
    let message = "\(mock) has no '\(declared)' yet: set it first"
    let set = counter.map { storage.changing([($0, " += 1")]) + "\n" } ?? ""
    return counting + [
      "\(storage.variable(hidden, type: MockText.optional(text), initial: "nil"))",
      """
      \(modifiers(node.modifiers))var \(declared): \(text) {
      get {
      guard let \(hidden) else { fatalError("\(message)") }
      return \(hidden)
      }
      set {
      \(set)\(hidden) = newValue
      }
      }
      """,
    ]
  }

  /// Whether a property refers to the owner of the mock, as a presenter's listener does, and must be weak.
  private func pointsBack(_ name: String, _ type: TypeSyntax) -> Bool {
    let isBack = ["listener", "router", "delegate"].contains { name.lowercased().hasSuffix($0) }
    guard isBack, let optional = type.as(OptionalTypeSyntax.self) else { return false }
    return library.isClassBound(Declaration.baseName(of: optional.wrappedType), from: owner)
  }

  static func getter(of node: VariableDeclSyntax) -> AccessorDeclSyntax? {
    accessor("get", of: node.bindings.first?.accessorBlock)
  }

  private static func accessor(_ name: String, of block: AccessorBlockSyntax?) -> AccessorDeclSyntax? {
    guard case .accessors(let accessors)? = block?.accessors else { return nil }
    return accessors.first { $0.accessorSpecifier.text == name }
  }

  // MARK: Calls

  private struct Effects {
    let isAsync: Bool
    let throwing: String?
    /// The type of the errors, if it is a generic type of the function, which a handler can't have.
    let generic: String?

    init() {
      isAsync = false
      throwing = nil
      generic = nil
    }

    init(_ node: FunctionEffectSpecifiersSyntax?, generics: Set<String>) {
      isAsync = node?.asyncSpecifier != nil
      let clause = node?.throwsClause
      let isGeneric = clause?.type.map { MockText.mentions(generics, in: $0) } ?? false
      generic = isGeneric ? clause?.type?.trimmedDescription : nil
      throwing =
        clause?.throwsSpecifier.text == "rethrows" ? nil : isGeneric ? "throws" : clause?.trimmedDescription
    }

    init(_ node: AccessorEffectSpecifiersSyntax?) {
      isAsync = node?.asyncSpecifier != nil
      throwing = node?.throwsClause?.trimmedDescription
      generic = nil
    }

    var ofType: String { (isAsync ? "async " : "") + (throwing.map { $0 + " " } ?? "") }
    var ofCall: String { (throwing == nil ? "" : "try ") + (isAsync ? "await " : "") }
  }

  private struct Call {
    let stored: [String]
    let parameters: String
    let body: String
  }

  /// The code that records a call, and the body of the function.
  ///
  /// - Parameters:
  ///   - effects: the effects of the handler; nil for no handler.
  ///   - newValue: the type of the value in a setter.
  private func call(
    name: String, _ clause: FunctionParameterClauseSyntax?, generics: Set<String>, effects: Effects?,
    result: TypeSyntax?, attributes: AttributeListSyntax, newValue: TypeSyntax? = nil
  ) -> Call {
    var parameters = (clause?.parameters ?? []).enumerated().map { index, parameter in
      MockParameter(
        parameter, index: index, generics: generics, mock: mock, owner: owner,
        isOfSubscript: clause?.parent?.is(SubscriptDeclSyntax.self) == true, in: library)
    }
    let declarations = parameters.map(\.declaration).joined(separator: ", ")
    if let newValue {
      let parameter = FunctionParameterSyntax(
        firstName: .identifier("newValue"), colon: .colonToken(), type: newValue.trimmed)
      parameters.append(
        MockParameter(parameter, index: 0, generics: generics, mock: mock, owner: owner, in: library))
    }
    var stored = [storage.counter(name + "CallCount")]
    var changes = [(name + "CallCount", " += 1")]
    let kept = parameters.filter { $0.keptType != nil }
    if !kept.isEmpty {
      let types = kept.map { ($0.name, $0.keptType ?? "") }
      let element = types.count == 1 ? types[0].1 : "(\(types.map { "\($0): \($1)" }.joined(separator: ", ")))"
      let values = kept.map(\.kept).joined(separator: ", ")
      stored.append(storage.variable(name + "Arguments", type: "[\(element)]", initial: "[]"))
      changes.append((name + "Arguments", kept.count == 1 ? ".append(\(values))" : ".append((\(values)))"))
    }
    var body = storage.changing(changes)
    guard let effects else { return Call(stored: stored, parameters: declarations, body: body) }
    let handed = parameters.filter { $0.handedType != nil }
    let isErased = result.map { MockText.mentions(generics, in: $0) } ?? false
    let resultText = result.map { MockText.resolved($0, mock: mock).replacing("!", with: "?") }
    let types = handed.compactMap(\.handedType).joined(separator: ", ")
    let isolation = attributes.compactMap { attribute in
      let text = attribute.trimmedDescription
      return text.hasSuffix("Actor") ? text + " " : nil
    }.joined()
    let handlerType =
      "\(isolation.isEmpty ? storage.handlerPrefix : isolation)(\(types)) \(effects.ofType)-> "
      + "\(isErased ? "Any" : resultText ?? "Void")"
    stored.append(storage.variable(name + "Handler", type: MockText.optional(handlerType), initial: "nil"))
    let arguments = handed.map(\.handed).joined(separator: ", ")
    let answer = answer(name + "Handler", arguments, effects, result, resultText, isErased)
    body += "\n" + (effects.generic.map { typed(answer, name + "Handler", $0) } ?? answer)
    return Call(stored: stored, parameters: declarations, body: body)
  }

  /// An answer in a function that throws errors of a generic type.
  private func typed(_ answer: String, _ handler: String, _ type: String) -> String {
    """
    do {
    \(answer)
    } catch let error as \(type) {
    throw error
    } catch {
    fatalError("\(mock): '\(handler)' throws another type")
    }
    """
  }

  private func answer(
    _ handler: String, _ arguments: String, _ effects: Effects, _ result: TypeSyntax?, _ resultText: String?,
    _ isErased: Bool
  ) -> String {
    guard let result, let resultText, resultText != "Void", resultText != "()" else {
      return "\(effects.ofCall)\(handler)?(\(arguments))"
    }
    let value = isErased ? nil : defaults.value(of: result, mayMakeMocks: true)
    let otherwise =
      value.map { "return " + $0 } ?? "fatalError(\"\(mock) does not know what to return: set '\(handler)'\")"
    if resultText == "Never" {
      return
        "if let \(handler) { \(effects.ofCall)\(handler)(\(arguments)) }\nfatalError(\"\(mock): set '\(handler)'\")"
    }
    let call = "\(effects.ofCall)\(handler)(\(arguments))"
    guard isErased else { return "if let \(handler) { return \(call) }\n\(otherwise)" }
    // A test sets the result without knowing the requested type.
    return """
      if let \(handler) {
      guard let result = \(call) as? \(resultText) else { fatalError("\(mock): '\(handler)' returns another type") }
      return result
      }
      \(otherwise)
      """
  }

  // MARK: Pieces

  /// The generic types of a function.
  private func generics(
    _ clause: GenericParameterClauseSyntax?, _ parameters: FunctionParameterClauseSyntax
  ) -> Set<String> { Set(clause?.parameters.map(\.name.text) ?? []) }

  private func head(_ attributes: AttributeListSyntax) -> String {
    attributes.map(\.trimmedDescription).filter { !$0.hasPrefix("@objc") }.map { $0 + "\n" }.joined()
  }

  private func modifiers(_ modifiers: DeclModifierListSyntax) -> String {
    let kept: Set<String> = ["static", "nonisolated", "prefix", "postfix"]
    return modifiers.filter { kept.contains($0.name.text) }.map { $0.trimmedDescription + " " }.joined()
  }
}
