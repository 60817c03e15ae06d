// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SourceTree
import SwiftSyntax
import Support
import Testing

@testable import Generation

/// An app whose RIBs have names that begin with those of others, in one of the usual layouts.
enum EdgeLayout: String, CaseIterable {
  case modules, nested, oneFile, threeFiles

  static let tree = [
    "Root": ["Home", "Detail"], "Home": ["HomeList", "Detail", "DetailNote"], "HomeList": ["Detail", "HomeListRow"],
    "HomeListRow": ["DetailNote", "Detail"], "Detail": ["DetailNote"], "DetailNote": [],
  ]

  private static let folders = [
    "Root": "Root", "Home": "Root/Home", "HomeList": "Root/Home/HomeList", "Detail": "Root/Detail",
    "HomeListRow": "Root/Home/HomeList/HomeListRow", "DetailNote": "Root/Detail/DetailNote",
  ]

  /// With doubles of the routers, and tests that use them.
  var files: [String: String] {
    var files: [String: String] = [:]
    for (name, children) in Self.tree {
      let builder = SmallRIB.builder(name, children)
      let router = SmallRIB.router(name, children)
      let interactor = SmallRIB.interactor(name, children)
      switch self {
      case .oneFile: files["App/RIBs.swift", default: ""] += builder + "\n" + router + "\n" + interactor + "\n"
      case .threeFiles: files["App/\(name).swift"] = builder + "\n" + router + "\n" + interactor
      case .modules, .nested:
        let folder = self == .modules ? "Features/\(name)/Sources" : "App/" + (Self.folders[name] ?? name)
        files["\(folder)/\(name)Builder.swift"] = builder
        files["\(folder)/\(name)Router.swift"] = router
        files["\(folder)/\(name)Interactor.swift"] = interactor
      }
      files["Tests/Doubles.swift", default: ""] += SmallRIB.double(name, children) + "\n"
      files["Tests/\(name)Tests.swift"] = """
        struct \(name)Tests {
          let routing = \(name)RoutingMock()
          let interactor = \(name)Interactor()
          func taps() {
            interactor.router = routing
        \(children.map { "    check(routing.attach\($0)CallCount == 1)\n" }.joined())  }
        }

        """
    }
    return files
  }
}

@Suite("An edit of one edge or one RIB changes nothing else")
struct EdgeTests {
  private let folder = TemporaryFolder()

  private func workspace(_ layout: EdgeLayout) throws -> Workspace {
    for (path, text) in layout.files { try folder.write(text, to: path) }
    return Workspace(root: folder.url)
  }

  private func tree(_ workspace: Workspace) throws -> Set<String> {
    let paths = workspace.sourcePaths.filter { !$0.hasPrefix("Tests/") }
    let graph = GraphBuilder(try paths.map { FactsReader.facts(of: try workspace.source(at: $0)) }).graph()
    return Set(
      graph.edges.map { "\($0.kind) \(graph.nodes[$0.parent].name) > \(graph.nodes[$0.child].name)" })
  }

  /// The declarations outside of tests, with the type's name and the code.
  private func declarations(_ workspace: Workspace) throws -> [(name: String, text: String)] {
    try workspace.sourcePaths.filter { !$0.hasPrefix("Tests/") }.flatMap { try workspace.source(at: $0).declarations }
      .map { ($0.name, $0.node.trimmedDescription) }
  }

  @Test("unlinking each", arguments: EdgeLayout.allCases)
  func unlink(layout: EdgeLayout) throws {
    let workspace = try workspace(layout)
    let start = workspace.mark()
    let (tree, code) = (try tree(workspace), try declarations(workspace))
    #expect(tree.filter { $0.hasPrefix("tree ") }.count == 10)
    let isThorough = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil
    let layoutNumber = try #require(EdgeLayout.allCases.firstIndex(of: layout))
    // Each edge in every other layout, unless RIBS_THOROUGH is set.
    for (number, parent) in EdgeLayout.tree.keys.sorted().enumerated() {
      for (index, child) in (EdgeLayout.tree[parent] ?? []).enumerated()
      where isThorough || (number + index + layoutNumber).isMultiple(of: 2) {
        let edge: Comment = "\(child) from \(parent)"
        let notes = try Unlink(child: try RIBName(child), parent: try RIBName(parent)).apply(to: workspace)
        #expect(
          notes.map { $0.hasPrefix("this test uses what is gone: Tests/\(parent)Tests.swift:") } == [true], edge)
        #expect(try tree.symmetricDifference(self.tree(workspace)) == ["tree \(parent) > \(child)"], edge)
        for (before, after) in zip(code, try declarations(workspace)) where before.text != after.text {
          let others = EdgeLayout.tree.keys.filter { $0.count > parent.count && $0.hasPrefix(parent) }
          #expect(before.name == after.name && before.name.hasPrefix(parent), edge)
          #expect(!others.contains { before.name.hasPrefix($0) }, edge)
          #expect(
            !after.text.split { !$0.isLetter }.contains { $0 == "attach\(child)" || $0 == "\(child)Builder" }, edge)
        }
        workspace.goBack(to: start)
      }
    }
  }

  @Test("renaming each, and back", arguments: EdgeLayout.allCases)
  func rename(layout: EdgeLayout) throws {
    let workspace = try workspace(layout)
    let tree = try tree(workspace)
    for name in EdgeLayout.tree.keys {
      let (old, new) = (try RIBName(name), try RIBName("Other"))
      try Rename(from: old, to: new).apply(to: workspace)
      let expected = tree.map { edge in
        edge.split(separator: " ").map { $0 == name ? "Other" : String($0) }.joined(separator: " ")
      }
      #expect(try self.tree(workspace) == Set(expected), "\(name)")
      try Rename(from: new, to: old).apply(to: workspace)
      #expect(try workspace.plan().changes.isEmpty, "\(name)")
    }
  }
}
