// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A violation of a rule, or another problem, at a source location.
package struct Finding: Hashable, Sendable, Comparable {
  /// The name of the rule, or of another kind of problem.
  package let rule: String
  package let path: String
  /// The line, starting at 1.
  package let line: Int
  /// The problem and its solution.
  package let message: String

  package init(rule: Rule, path: String, line: Int, message: String) {
    self.init(name: rule.rawValue, path: path, line: line, message: message)
  }

  init(name: String, path: String, line: Int, message: String) {
    rule = name
    self.path = path
    self.line = line
    self.message = message
  }

  package static func < (one: Finding, other: Finding) -> Bool {
    (one.path, one.line, one.rule, one.message) < (other.path, other.line, other.rule, other.message)
  }
}
