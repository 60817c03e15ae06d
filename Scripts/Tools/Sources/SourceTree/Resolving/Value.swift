// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A possible value of an expression, known by its type.
package indirect enum Value: Hashable {
  /// An instance of a declared type, or the type itself, with its generic arguments.
  case type(Int, [Value])
  /// An instance of a type that is not in the sources.
  case external(String, [Value])
  /// A function, represented by its results.
  case function([Value])
  case tuple([Element])
  /// The result of a builder, regardless of its declared type.
  case built(Value)
  /// One of several values.
  case any([Value])

  package struct Element: Hashable {
    package let label: String?
    package let values: [Value]
  }

  package var declared: Int? {
    if case .type(let id, _) = self { id } else { nil }
  }

  package var arguments: [Value] {
    switch self {
    case .type(_, let arguments), .external(_, let arguments): arguments
    default: []
    }
  }
}
