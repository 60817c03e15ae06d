import SourceModel
import SwiftSyntax

/// Types that conform to a RIB's protocol beside the one that the RIB is built with: the mocks of its tests.
enum Doubles {
  static func of(_ name: String, but real: String, in workspace: Workspace) -> [Declaration] {
    workspace.declarations(mentioning: name).filter { declaration in
      declaration.kind != .protocol && declaration.name != real && declaration.inherited.contains(name)
    }
  }

  /// Adds methods that count their calls.
  static func add(_ methods: [(name: String, declaration: String)], to double: TypeEditor) throws {
    for method in methods {
      let counting = ChildInterface.countingMembers(method.declaration, name: method.name)
      if double.kind == .extension {
        try double.append(method.declaration + " {}", afterBlankLine: true)
      } else {
        try double.insertProperty(counting.property) { $0.isStored }
        try double.append(counting.method, afterBlankLine: true)
      }
    }
  }

  /// Takes them out again.
  static func remove(_ methods: [(name: String, declaration: String)], from double: TypeEditor) throws {
    for method in methods {
      let declaration = try double.declaration()
      let counting = ChildInterface.countingMembers(method.declaration, name: method.name)
      if let found = declaration.functions.first(where: { $0.name.text == method.name }) {
        let expected = double.kind == .extension ? method.declaration + " {}" : counting.method
        try MemberCheck.refuseUnlessAsWritten(found, as: expected, in: declaration.file)
        try double.remove { $0.as(FunctionDeclSyntax.self)?.name.text == method.name }
      }
      try double.remove { $0.as(VariableDeclSyntax.self)?.firstName == method.name + "CallCount" }
    }
  }
}
