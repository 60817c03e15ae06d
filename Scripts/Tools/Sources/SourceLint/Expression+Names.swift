// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceTree

extension Expression {
  /// The names of the functions called in the expression.
  var calledNames: [String] {
    switch self {
    case .call(let callee, _): [callee.lastName] + callee.calledNames
    case .member(let base, _), .cast(let base, _): base.calledNames
    default: []
    }
  }

  /// Collects the base names of the expression: variables, and properties of `self`.
  func collectNames(into names: inout Set<String>) {
    switch self {
    case .name(let name): names.insert(name)
    case .member(let base, let name):
      names.insert(name)
      base.collectNames(into: &names)
    case .call(let callee, let arguments):
      callee.collectNames(into: &names)
      for argument in arguments { argument.value.collectNames(into: &names) }
    case .cast(let base, _): base.collectNames(into: &names)
    case .any(let parts), .closure(let parts): for part in parts { part.collectNames(into: &names) }
    case .tuple(let parts): for part in parts { part.value.collectNames(into: &names) }
    case .type, .other: break
    }
  }

  /// Collects the members accessed on objects other than `self`.
  func collectForeignMembers(into names: inout Set<String>) {
    switch self {
    case .member(let base, let name):
      if base != .name("self") { names.insert(name) }
      base.collectForeignMembers(into: &names)
    case .call(let callee, let arguments):
      callee.collectForeignMembers(into: &names)
      for argument in arguments { argument.value.collectForeignMembers(into: &names) }
    case .cast(let base, _): base.collectForeignMembers(into: &names)
    default: break
    }
  }
}
