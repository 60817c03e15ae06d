// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation
import SourceLint
import SourceModel
import SourceTree

/// `ribs lint`.
struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find probable mistakes in RIBs.",
    discussion: """
      Reads Swift files and reports probable mistakes. Reports nothing where it can't decide. The code does not have to \
      compile. Excludes tests.

      Rules:
      \(Rule.allCases.map { "  \($0.rawValue)\n\(LintCommand.indented($0.reason))" }.joined(separator: "\n"))

      To suppress a finding, add a comment with the reason on the line or the line before it, or for the whole file:
        // ribs:ignore attach-without-detach: stays attached
        // ribs:ignore-file orphan-rib: another package builds it

      Exits with 1 if it finds something, and with 73 if it could not read a file, which it names.

      With --strict, also reports comments that suppress nothing, and code that could not be resolved.

      Examples:
        ribs lint
        ribs lint Sources --rule weak-listener --rule weak-router
        ribs lint --format github   in a workflow: annotations on the changed lines
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, github
  }

  @Argument(help: "Folders or files to read. (default: the current folder)", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("The rule to check. Can be repeated. (default: all)", valueName: "rule"))
  var rule: [String] = []

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = Format.text

  @Flag(help: "Also report unused suppressions and unresolved code.")
  var strict = false

  @OptionGroup var reading: ReadingOptions

  func run() async throws {
    let rules = try Set(rule.map(LintCommand.rule))
    let (scan, local) = try await reading.scan(paths, beside: ["UUID()"]) { FileFindings($0) }
    var manifests = Manifests()
    let runtimes = scan.files.map { ($0.path, manifests.runtime(of: $0.path)) }
    let known = Dictionary(runtimes) { first, _ in first }
    let findings = Linter(
      scan.files, local: local, rules: rules.isEmpty ? Set(Rule.allCases) : rules,
      runtime: { known[$0.path] ?? nil }, isStrict: strict
    ).findings
    let files = scan.count == 1 ? "1 file" : "\(scan.count) files"
    switch format {
    case .text: for finding in findings { print(LintCommand.text(of: finding)) }
    case .json: print(try LintCommand.json(of: findings))
    case .github: for finding in findings { print(LintCommand.annotation(of: finding)) }
    }
    try reading.refuseUnread(scan)
    if findings.isEmpty {
      if format == .text { reading.say("nothing found in \(files)") }
      return
    }
    reading.note("\(findings.count) found in \(files)")
    throw ExitCode(1)
  }

  /// Wraps a text at the width of the help output.
  private static func indented(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 78 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append("      \(word)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func rule(_ name: String) throws -> Rule {
    if let rule = Rule(rawValue: name) { return rule }
    let names = Rule.allCases.map(\.rawValue)
    let near = Suggestion.nearest(to: name, among: names)
    throw Failure.usage(
      "there is no rule '\(name)'"
        + (near.map { "; did you mean '\($0)'?" } ?? "; there are: \(names.joined(separator: ", "))"))
  }

  private static func text(of finding: Finding) -> String {
    "\(finding.path):\(finding.line): warning: \(finding.message) [\(finding.rule)]"
  }

  private static func annotation(of finding: Finding) -> String {
    func escaped(_ text: String, _ more: [String: String] = [:]) -> String {
      var text = text.replacingOccurrences(of: "%", with: "%25")
      for (sign, code) in more { text = text.replacingOccurrences(of: sign, with: code) }
      return text
    }
    let path = escaped(finding.path, [":": "%3A", ",": "%2C"])
    return "::warning file=\(path),line=\(finding.line),title=\(finding.rule)::\(escaped(finding.message))"
  }

  private struct Entry: Encodable {
    let rule: String
    let file: String
    let line: Int
    let message: String
    let reason: String?
  }

  private static func json(of findings: [Finding]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let entries = findings.map {
      Entry(
        rule: $0.rule, file: $0.path, line: $0.line, message: $0.message, reason: Rule(rawValue: $0.rule)?.reason)
    }
    return String(decoding: try encoder.encode(entries), as: UTF8.self)
  }
}
