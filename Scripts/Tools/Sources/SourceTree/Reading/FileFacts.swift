import SourceModel

/// What a file says that may tell of RIBs. The syntax of the file is not kept.
package struct FileFacts: Sendable {
  package let path: String
  /// The module it belongs to; empty if that is not known.
  package var module = ""
  package var imports: [String] = []
  package var types: [TypeFacts] = []
  /// The functions that belong to no type, and what stands at the top of a script.
  package var functions: [FunctionFacts] = []
  /// The first line that is no Swift, or holds a placeholder of an editor.
  package var brokenLine: Int?

  package init(path: String) { self.path = path }
}

/// What a type, or an extension of it, says.
package struct TypeFacts: Sendable {
  package let kind: Declaration.Kind
  /// The name, with the types it stands in before it; for an extension, that of the extended type.
  package let path: [String]
  package let line: Int
  package var inherited: [TypeName] = []
  /// What stands for generic parameters, by their constraints.
  package var generics: [String: TypeName] = [:]
  package var properties: [PropertyFacts] = []
  package var functions: [FunctionFacts] = []
  /// What a type alias stands for.
  package var alias: TypeName?
  package var isPublic = false
  /// The first sentence of its documentation.
  package var summary: String?
  /// Whether a comment says that it is the summary.
  package var isSummaryMarked = false

  package var name: String { path.last ?? "" }
}

/// What a property says.
package struct PropertyFacts: Sendable {
  package let name: String
  package let type: TypeName?
  /// What it begins with, or what its getter returns.
  package let value: Expression?
  package let isStored: Bool
  package let isPrivate: Bool
  package let line: Int
}

/// What a function, an initializer or a getter says.
package struct FunctionFacts: Sendable {
  package struct Parameter: Sendable {
    package let label: String?
    package let name: String
    package let type: TypeName
  }

  /// A name that stands for a value inside a body.
  package struct Binding: Sendable {
    package let name: String
    package let type: TypeName?
    package let value: Expression?
  }

  /// The name; `init` of initializers and of what properties begin with.
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

/// Where a value goes.
package struct Flow: Sendable {
  package enum Sink: Hashable, Sendable {
    /// Nowhere.
    case dropped
    /// Into a variable of the body.
    case variable(String)
    /// Into what stands left of an equals sign.
    case assigned(Expression)
    case argument(of: Expression, label: String?, position: Int)
    /// To the caller.
    case result
    /// It is looked at, and goes nowhere.
    case inspected
    case other
  }

  package let source: Expression
  package let sink: Sink
  package let line: Int
}
