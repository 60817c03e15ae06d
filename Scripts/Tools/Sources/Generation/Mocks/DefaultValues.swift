// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// The default results and initial property values of mocks.
struct DefaultValues {
  /// The mocks that can be created without arguments, by protocol name.
  var mocks: [String: String] = [:]

  private static let literals: [String: String] = {
    var literals = ["Bool": "false", "String": "\"\"", "Substring": "\"\"", "Void": "()", "Duration": ".zero"]
    for number in [
      "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
      "Float", "Double", "CGFloat", "TimeInterval",
    ] { literals[number] = "0" }
    return literals
  }()

  /// An expression for a value of a type; nil if there is no obvious default.
  func value(of type: TypeSyntax, mayMakeMocks: Bool) -> String? {
    if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return "nil" }
    if type.is(ArrayTypeSyntax.self) { return "[]" }
    if type.is(DictionaryTypeSyntax.self) { return "[:]" }
    if let tuple = type.as(TupleTypeSyntax.self) {
      let values = tuple.elements.map { value(of: $0.type, mayMakeMocks: mayMakeMocks) }
      let known = values.compactMap { $0 }
      return known.count == values.count ? "(\(known.joined(separator: ", ")))" : nil
    }
    if let existential = type.as(SomeOrAnyTypeSyntax.self), existential.someOrAnySpecifier.text == "any" {
      return value(of: existential.constraint, mayMakeMocks: mayMakeMocks)
    }
    guard let identifier = type.as(IdentifierTypeSyntax.self) else { return nil }
    return named(identifier, mayMakeMocks)
  }

  private func named(_ type: IdentifierTypeSyntax, _ mayMakeMocks: Bool) -> String? {
    let arguments = type.genericArgumentClause?.arguments.map(\.argument.trimmedDescription) ?? []
    switch type.name.text {
    case "Optional": return "nil"
    case "Array", "ContiguousArray", "Set": return "[]"
    case "Dictionary": return "[:]"
    case "Observable" where arguments.count == 1: return ".never()"
    case "PublishRelay" where arguments.count == 1: return "PublishRelay()"
    case "Interactable", "InteractorScope": return "Interactor()"
    case let name where arguments.isEmpty:
      if let literal = DefaultValues.literals[name] { return literal }
      return mayMakeMocks ? mocks[name].map { $0 + "()" } : nil
    default: return nil
    }
  }
}
