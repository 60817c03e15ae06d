/// An expression, as far as it can lead to a RIB.
package indirect enum Expression: Hashable, Sendable {
  case name(String)
  case member(Expression, String)
  /// What begins with a dot, and with generic arguments a type.
  case type(TypeName)
  case call(Expression, [Argument])
  /// A closure, by what it returns.
  case closure([Expression])
  case tuple([Argument])
  /// The elements of a collection, or what may come out of a choice.
  case any([Expression])
  case cast(Expression, TypeName)
  case other

  package struct Argument: Hashable, Sendable {
    package let label: String?
    package let value: Expression
  }

  /// The last name that is said: `attachChild` of `self.attachChild`.
  package var lastName: String {
    switch self {
    case .name(let name), .member(_, let name): name
    case .type(let type): type.lastName
    case .call(let callee, _): callee.lastName
    default: ""
    }
  }

  /// The names of a chain such as `Settings.Builder`; nil if it is more than names.
  package var path: [String]? {
    switch self {
    case .name(let name): [name]
    case .member(let base, let name): base.path.map { $0 + [name] }
    case .type(.named(let path, _)): path
    default: nil
    }
  }

  /// It, before it was taken for something else.
  package var withoutCasts: Expression {
    if case .cast(let base, _) = self { base.withoutCasts } else { self }
  }

  /// Whether it is a property of the object itself, and which: `child` of `self.child`.
  package var ownProperty: String? {
    if case .member(.name("self"), let name) = self { name } else { nil }
  }
}
