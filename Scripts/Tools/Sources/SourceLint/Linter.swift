// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceTree

/// Checks sources against the rules.
package struct Linter {
  /// The findings, in the order of the files.
  package let findings: [Finding]

  /// - Parameters:
  ///   - files: the facts of each file.
  ///   - local: the findings of each file by itself.
  ///   - rules: the rules to check.
  ///   - runtime: the runtime that a file is known to use; nil to infer it from imports.
  ///   - isStrict: whether to report suppressions without effect, and code that could not be resolved.
  package init(
    _ files: [FileFacts], local: [FileFindings], rules: Set<Rule>, runtime: (FileFacts) -> Runtime? = { _ in nil },
    isStrict: Bool = false
  ) {
    let builder = GraphBuilder(files)
    let runtimes = Runtime.inferred(for: files, known: runtime)
    func applies(_ rule: String, in path: String) -> Bool {
      Rule(rawValue: rule)?.isAboutThisRuntime != true || runtimes[path] != .other
    }
    let usesModels = local.contains(where: \.usesModels)
    // If children are not created from models, an identity means something else, such as a row in a view.
    let rules = rules.filter { $0 != .unstableIdentity || usesModels }
    let names = Set(rules.map(\.rawValue))
    let numbers = Dictionary(files.enumerated().map { ($0.element.path, $0.offset) }) { first, _ in first }
    var found = local.flatMap { $0.candidates }.filter { candidate in
      guard names.contains(candidate.finding.rule), let file = numbers[candidate.finding.path] else { return false }
      return Linter.isMeant(candidate, in: file, of: builder.index)
    }.map(\.finding)
    found += GraphFinder(builder).findings().filter { names.contains($0.rule) }
    var used: [String: Set<Suppression>] = [:]
    let suppressions = Dictionary(local.map { ($0.path, $0.suppressions) }) { first, _ in first }
    var findings = Set(found).filter { finding in
      guard applies(finding.rule, in: finding.path) else { return false }
      let covering = suppressions[finding.path, default: []].filter { $0.covers(finding) }
      used[finding.path, default: []].formUnion(covering)
      return covering.isEmpty
    }
    if isStrict {
      for (path, list) in suppressions {
        for suppression in list
        where !used[path, default: []].contains(suppression) && applies(suppression.rule, in: path) {
          guard let message = Linter.complaint(about: suppression, checked: names) else { continue }
          findings.insert(Finding(name: "unused-suppression", path: path, line: suppression.line, message: message))
        }
      }
      for gap in builder.graph().gaps {
        findings.insert(Finding(name: "unresolved", path: gap.path, line: gap.line, message: gap.message))
      }
    }
    self.findings = findings.sorted()
  }

  private static func complaint(about suppression: Suppression, checked: Set<String>) -> String? {
    guard Rule(rawValue: suppression.rule) != nil else { return "there is no rule '\(suppression.rule)'" }
    // A suppression of an unchecked rule can't be judged.
    guard checked.contains(suppression.rule) else { return nil }
    return "'\(suppression.rule)' is not broken here; take the comment out"
  }

  /// Whether the type that contains a candidate has a role that the rule applies to.
  private static func isMeant(_ candidate: Candidate, in file: Int, of index: TypeIndex) -> Bool {
    guard let type = index.declared(candidate.type, in: TypeIndex.Scope(file: file, path: [])) else {
      return candidate.roles == nil
    }
    guard !index.isTestDouble(type) else { return false }
    return candidate.roles.map { !index.roles(of: type).isDisjoint(with: $0) } ?? true
  }
}
