// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An expression, reduced to the parts that can lead to a RIB.
package indirect enum Expression: Hashable, Sendable {
  case name(String)
  case member(Expression, String)
  /// An implicit member expression, or a type with generic arguments.
  case type(TypeName)
  case call(Expression, [Argument])
  /// A closure, represented by its results.
  case closure([Expression])
  case tuple([Argument])
  /// The elements of a collection, or the possible results of a choice.
  case any([Expression])
  case cast(Expression, TypeName)
  case other

  package struct Argument: Hashable, Sendable {
    package let label: String?
    package let value: Expression
  }

  /// The last component of the name: `attachChild` of `self.attachChild`.
  package var lastName: String {
    switch self {
    case .name(let name), .member(_, let name): name
    case .type(let type): type.lastName
    case .call(let callee, _): callee.lastName
    default: ""
    }
  }

  /// The names of a chain such as `Settings.Builder`; nil if it contains anything else.
  package var path: [String]? {
    switch self {
    case .name(let name): [name]
    case .member(let base, let name): base.path.map { $0 + [name] }
    case .type(.named(let path, _)): path
    default: nil
    }
  }

  /// The expression without casts.
  package var withoutCasts: Expression {
    if case .cast(let base, _) = self { base.withoutCasts } else { self }
  }

  /// The name of the accessed property of `self`: `child` of `self.child`; nil for other expressions.
  package var ownProperty: String? {
    if case .member(.name("self"), let name) = self { name } else { nil }
  }
}
