import SourceModel
import SwiftSyntax

/// Types that conform to a RIB's protocol beside the one that the RIB is built with: the doubles of its tests.
enum Doubles {
  static func of(_ name: String, but real: String, in workspace: Workspace) -> [Declaration] {
    workspace.declarations(mentioning: name).filter { declaration in
      declaration.kind != .protocol && declaration.name != real && declaration.inherited.contains(name)
    }
  }

  /// Adds methods that record their calls: as the doubles of RIBsTesting do, or in a count of their own.
  static func add(_ methods: [(name: String, declaration: String)], to double: TypeEditor) throws {
    for method in methods {
      let members = members(method, of: try double.declaration())
      if let property = members.property { try double.insertProperty(property) { $0.isStored } }
      try double.append(members.method, afterBlankLine: true)
    }
  }

  /// Takes them out again.
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

  /// What a function is given, by the names that it has for it.
  private static func arguments(of declaration: String) -> String {
    let function = SourceFile(path: "", text: declaration).syntax.statements.first?.item.as(FunctionDeclSyntax.self)
    let parameters = function?.signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).text } ?? []
    return parameters.joined(separator: ", ")
  }
}
