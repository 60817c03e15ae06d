// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

@Suite("RIBs as apps write them")
struct HandWrittenTests {
  private let folder = TemporaryFolder()

  private func workspace(_ files: [String: String]) throws -> Workspace {
    for (path, text) in files { try folder.write(text, to: path) }
    return Workspace(root: folder.url)
  }

  @Test("are linked in every combination of styles, and unlinked byte for byte")
  func everyPair() throws {
    var files: [String: String] = [:]
    let styles = HandWrittenApp.Style.allCases
    for style in styles {
      for role in ["Outer", "Inner"] {
        let name = style.rawValue.prefix(1).uppercased() + style.rawValue.dropFirst() + role
        files.merge(HandWrittenApp.files(of: name, style)) { $1 }
      }
    }
    let workspace = try workspace(files)
    let templates = try TemplateLibrary()
    let start = workspace.mark()
    for outer in styles {
      for inner in styles {
        func name(_ style: HandWrittenApp.Style, _ role: String) throws -> RIBName {
          try RIBName(style.rawValue.prefix(1).uppercased() + style.rawValue.dropFirst() + role)
        }
        let (parent, child) = (try name(outer, "Outer"), try name(inner, "Inner"))
        let pair: Comment = "\(child) to \(parent)"
        var notes: [String]?
        let link = Link(child: child, parent: parent, templates: templates)
        #expect(throws: Never.self, pair) { notes = try link.apply(to: workspace) }
        #expect(notes == [], pair)
        #expect(try workspace.plan().changes.count == 4, pair)
        let router = try workspace.source(at: "App/\(parent)/\(parent)Router.swift").text
        #expect(router.contains("attachChild(\(child.lowerCamel))"), pair)
        #expect(throws: Never.self, pair) { try Unlink(child: child, parent: parent).apply(to: workspace) }
        let left = try workspace.plan().diff
        #expect(left == "", pair)
        workspace.goBack(to: start)
      }
    }
  }

  @Test(
    "are taken from a parent that was written by hand, which keeps its other child",
    arguments: HandWrittenApp.Edge.allCases)
  func unlink(edge: HandWrittenApp.Edge) throws {
    let files = HandWrittenApp.main(edge)
    let workspace = try workspace(files)
    let notes = try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    // The method that detaches any child stays, and so do its callers.
    #expect(
      notes.map { $0.contains("chatDidClose (App/Main/MainInteractor.swift:") } == (edge == .shared ? [true] : []))
    var feed = 0
    for path in workspace.paths where path.hasPrefix("App/Main/") {
      let source = try workspace.source(at: path)
      #expect(!source.syntax.hasError, "\(source.text)")
      for token in source.syntax.tokens(viewMode: .sourceAccurate) {
        let word = token.text.lowercased()
        if word.contains("feed") { feed += 1 }
        if token.text != "chatDidClose" { #expect(!word.contains("chat"), "\(source.text)") }
      }
      if let before = files[path]?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        // Only removes lines, and keeps the remaining ones unchanged.
        let changed = source.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
          .filter { line in !before.contains(line) && !line.contains("FeedListener") && !line.contains("FeedDependency")
          }
        #expect(changed.allSatisfy { $0.hasSuffix("break") }, "\(changed)")
      }
    }
    #expect(feed == count("feed", in: files) && feed > 10)
    #expect(try workspace.plan().changes.allSatisfy { $0.path.hasPrefix("App/Main/") })
  }

  @Test(
    "are unlinked where a link was changed since, and what does something else stays",
    arguments: [
      (
        "Home/HomeInteractor.swift", "{ router?.detachDetail() }", "{\n    save()\n    router?.detachDetail()\n  }",
        "func detailDidFinish() {\n    save()\n  }"
      ),
      ("Home/HomeRouter.swift", "    attachChild(detail)", "    log()\n    attachChild(detail)", "HomeRouting {}"),
      (
        "Home/HomeRouter.swift", "  func detach", "  override func didLoad() { routeToDetail() }\n\n  func detach",
        "HomeRouting {\n  override func didLoad() { }\n}"
      ),
      ("Home/HomeBuilder.swift", "DetailBuilder(dependency: component)", "made(component)", "(interactor: interactor)"),
      (
        "Home/HomeComponent+Detail.swift", "{}", "{}\n\nextension HomeComponent: Sendable {}",
        "extension HomeComponent: Sendable {}"
      ),
    ])
  func changedLink(path: String, written: String, changed: String, left: String) throws {
    let workspace = try SampleParent().workspace(in: folder)
    _ = try SampleParent.link().apply(to: workspace)
    let text = try workspace.source(at: path).text
    #expect(text.contains(written))
    workspace.write(text.replacing(written, with: changed), to: path)
    let notes = try SampleParent.unlink().apply(to: workspace)
    let now = try workspace.source(at: path).text
    #expect(now.contains(left))
    #expect(notes.isEmpty == !left.contains("save"))
    for path in workspace.paths where path.hasPrefix("Home/") {
      let source = try workspace.source(at: path)
      #expect(!source.syntax.hasError)
      #expect(!source.text.contains("DetailB") && !source.text.contains("routeToDetail"), "\(source.text)")
    }
  }

  private func count(_ word: String, in files: [String: String]) -> Int {
    files.filter { $0.key.hasPrefix("App/Main/") }.values.map { text in
      SourceFile(path: "", text: text).syntax.tokens(viewMode: .sourceAccurate)
        .count { $0.text.lowercased().contains(word) }
    }.reduce(0, +)
  }
}
