// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftParser
import SwiftSyntax

/// The modules of a Tuist project, as far as its `Project.swift` states them with literals.
struct TuistProject {
  /// The name of the project; nil if it is computed.
  private var name: String?
  /// The names of the targets.
  private var targets: Set<String> = []
  /// The folders of sources with their targets.
  private var sources: [(folder: [Substring], target: String)] = []

  /// Reads a `Project.swift`.
  init(_ text: String) {
    let finder = NameFinder(viewMode: .sourceAccurate)
    finder.walk(SourceFile(path: "Project.swift", text: text).syntax)
    for call in finder.found {
      if call.isInList {
        targets.insert(call.name)
      } else if name == nil {
        name = call.name
      }
      for glob in call.sources {
        let folder = glob.split(separator: "/").prefix { !$0.contains("*") && !$0.hasSuffix(".swift") }
        sources.append((folder.filter { $0 != "." }, call.name))
      }
    }
  }

  /// The module of a file: the target with its sources, the target with the name of a folder, or the project.
  ///
  /// - Parameters:
  ///   - path: the path of the file, relative to the project.
  ///   - folder: the name of the folder of the project.
  func module(of path: String, in folder: String) -> String {
    let folders = path.split(separator: "/").dropLast()
    let containing = sources.filter { folders.starts(with: $0.folder) }
    // A folder may be shared by targets, such as two variants of an app.
    if let longest = containing.map(\.folder.count).max() {
      let names = Set(containing.filter { $0.folder.count == longest }.map(\.target))
      if names.count == 1, let only = names.first { return PackageModel.moduleName(only) }
    }
    if let target = folders.last(where: { targets.contains(String($0)) }) {
      return PackageModel.moduleName(String(target))
    }
    return PackageModel.moduleName(name ?? folder)
  }

  /// Finds the calls with a literal name, such as `.target(name: "App", sources: ["Sources/**"])`.
  private final class NameFinder: SyntaxVisitor {
    private(set) var found: [(name: String, sources: [String], isInList: Bool)] = []

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard let name = node.literal("name") else { return .visitChildren }
      let sources = node.arguments.filter { $0.label?.text == "sources" }.flatMap { literals(in: $0.expression) }
      let isInList = node.parent?.is(ArrayElementSyntax.self) ?? false
      // Packages, schemes and settings have names, too.
      let isTarget = !isInList || listLabel(of: node) == "targets" || !sources.isEmpty
      if isTarget, !isArgument(node) { found.append((name, sources, isInList)) }
      return .visitChildren
    }

    private func listLabel(of node: FunctionCallExprSyntax) -> String? {
      var parent = node.parent
      while let current = parent {
        if let argument = current.as(LabeledExprSyntax.self) { return argument.label?.text }
        if let binding = current.as(PatternBindingSyntax.self) {
          return binding.pattern.trimmedDescription.lowercased().contains("target") ? "targets" : nil
        }
        parent = current.parent
      }
      return nil
    }

    /// Whether a call is an argument by itself, such as a setting.
    private func isArgument(_ node: FunctionCallExprSyntax) -> Bool { node.parent?.is(LabeledExprSyntax.self) ?? false }

    private func literals(in node: some SyntaxProtocol) -> [String] {
      node.tokens(viewMode: .sourceAccurate).compactMap { token in
        if case .stringSegment(let text) = token.tokenKind { text } else { nil }
      }
    }
  }
}
