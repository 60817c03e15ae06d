// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// The facts of a file that may concern RIBs. Does not retain the syntax tree.
package struct FileFacts: Sendable {
  package let path: String
  /// The module; empty if unknown.
  package var module = ""
  /// Whether the module follows from names of folders only.
  package var isModuleGuessed = false
  package var imports: [String] = []
  package var types: [TypeFacts] = []
  /// The functions outside of types, and the top-level code of a script.
  package var functions: [FunctionFacts] = []
  /// The first line with a syntax error or an editor placeholder.
  package var brokenLine: Int?

  package init(path: String) { self.path = path }
}

/// The facts of a type or of one of its extensions.
package struct TypeFacts: Sendable {
  package let kind: Declaration.Kind
  /// The name, preceded by the enclosing types; for an extension, the name of the extended type.
  package let path: [String]
  package let line: Int
  package var inherited: [TypeName] = []
  /// The generic parameters, with the types that constrain them.
  package var generics: [String: TypeName] = [:]
  package var properties: [PropertyFacts] = []
  package var functions: [FunctionFacts] = []
  /// The target of a type alias.
  package var alias: TypeName?
  package var isPublic = false
  package var isOpen = false
  package var isFinal = false
  /// The first sentence of its documentation.
  package var summary: String?
  /// Whether the summary is marked as one in a comment.
  package var isSummaryMarked = false

  package var name: String { path.last ?? "" }
}

/// The facts of a property.
package struct PropertyFacts: Sendable {
  package let name: String
  package let type: TypeName?
  /// The initial value, or the result of the getter.
  package let value: Expression?
  package let isStored: Bool
  package let isPrivate: Bool
  package let line: Int
}

/// The facts of a function, an initializer or a getter.
package struct FunctionFacts: Sendable {
  package struct Parameter: Sendable {
    package let label: String?
    package let name: String
    package let type: TypeName
  }

  /// A name bound to a value inside a body.
  package struct Binding: Sendable {
    package let name: String
    package let type: TypeName?
    package let value: Expression?
  }

  /// The name; `init` for initializers and initial values of properties.
  package let name: String
  package var parameters: [Parameter] = []
  package var generics: [String: TypeName] = [:]
  package var result: TypeName?
  package var results: [Expression] = []
  package var bindings: [Binding] = []
  package var flows: [Flow] = []
  package var isPrivate = false
  package let line: Int
}

/// The flow of a value to its destination.
package struct Flow: Sendable {
  package enum Sink: Hashable, Sendable {
    /// The value is discarded.
    case dropped
    /// A variable of the body.
    case variable(String)
    /// The expression to the left of an equals sign.
    case assigned(Expression)
    case argument(of: Expression, label: String?, position: Int)
    /// The caller.
    case result
    /// The value is only inspected.
    case inspected
    case other
  }

  package let source: Expression
  package let sink: Sink
  package let line: Int
}
