// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Finds test doubles: types that conform to a RIB's protocol in addition to the real one.
enum Doubles {
  static func of(_ name: String, but real: String, in workspace: Workspace) -> [Declaration] {
    workspace.declarations(mentioning: name).filter { declaration in
      declaration.kind != .protocol && declaration.name != real && declaration.inherited.contains(name)
    }
  }

  /// Adds methods that record their calls, either like the doubles of RIBsTesting or with a counter.
  static func add(_ methods: [(name: String, declaration: String)], to double: TypeEditor) throws {
    for method in methods {
      let members = members(method, of: try double.declaration())
      if let property = members.property { try double.insertProperty(property) { $0.isStored } }
      try double.append(members.method, afterBlankLine: true)
    }
  }

  /// Removes these methods.
  static func remove(_ methods: [(name: String, declaration: String)], from double: TypeEditor) throws {
    for method in methods {
      let declaration = try double.declaration()
      if let found = declaration.functions.first(where: { $0.name.text == method.name }) {
        let expected = members(method, of: declaration).method
        try MemberCheck.refuseUnlessAsWritten(found, as: expected, in: declaration.file)
        try double.remove { $0.as(FunctionDeclSyntax.self)?.name.text == method.name }
      }
      try double.remove { $0.as(VariableDeclSyntax.self)?.firstName == method.name + "CallCount" }
    }
  }

  private static func members(
    _ method: (name: String, declaration: String), of double: Declaration
  ) -> (property: String?, method: String) {
    if double.kind == .extension { return (nil, method.declaration + " {}") }
    if double.inherited.first?.hasSuffix("Double") == true {
      return (nil, "\(method.declaration) { record(\(arguments(of: method.declaration))) }")
    }
    let count = method.name + "CallCount"
    return ("private(set) var \(count) = 0", "\(method.declaration) { \(count) += 1 }")
  }

  /// The arguments of a call that forwards the parameters of a function.
  private static func arguments(of declaration: String) -> String {
    let function = SourceFile(path: "", text: declaration).syntax.statements.first?.item.as(FunctionDeclSyntax.self)
    let parameters = function?.signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).text } ?? []
    return parameters.joined(separator: ", ")
  }
}
