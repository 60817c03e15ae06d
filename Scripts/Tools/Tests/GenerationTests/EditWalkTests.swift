// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import SwiftSyntax
import Testing

@testable import Generation

/// Random edits of random apps, and back. `RIBS_EPISODES` sets the number of apps, and `RIBS_SEED` repeats a run.
@Suite("Random edits of random apps")
struct EditWalkTests {
  private struct Randomness: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private enum Edit: CustomStringConvertible {
    case link(String, String, Link.Route)
    case rename(String, String)
    case create(String, parent: String?, NewRIB.Kind, Link.Route)

    var description: String {
      switch self {
      case .link(let child, let parent, let route): "link \(child) --parent \(parent) --route \(route)"
      case .rename(let old, let new): "rename \(old) \(new)"
      case .create(let name, let parent, let kind, let route):
        "new \(name) \(kind)" + (parent.map { " --parent \($0) --route \(route)" } ?? "")
      }
    }

    func apply(to workspace: Workspace, _ templates: TemplateLibrary) throws {
      switch self {
      case .link(let child, let parent, let route):
        var link = Link(child: try RIBName(child), parent: try RIBName(parent), templates: templates)
        link.route = route
        _ = try link.apply(to: workspace)
      case .rename(let old, let new): try Rename(from: try RIBName(old), to: try RIBName(new)).apply(to: workspace)
      case .create(let name, let parent, let kind, let route):
        var new = NewRIB(name: try RIBName(name), templates: templates)
        new.kind = kind
        new.route = route
        new.parents = try parent.map { [try RIBName($0)] } ?? []
        new.folder = parent == nil ? "App" : nil
        _ = try new.apply(to: workspace)
      }
    }

    func revert(in workspace: Workspace) throws {
      switch self {
      case .link(let child, let parent, _):
        _ = try Unlink(child: try RIBName(child), parent: try RIBName(parent)).apply(to: workspace)
      case .rename(let old, let new): try Rename(from: try RIBName(new), to: try RIBName(old)).apply(to: workspace)
      case .create(let name, let parent, _, _):
        var remove = Remove(name: try RIBName(name))
        remove.unlinks = parent != nil
        _ = try remove.apply(to: workspace)
      }
    }
  }

  private static let words = [
    "Order", "Ride", "Login", "Menu", "Rating", "Chat", "Map", "Search", "Wallet", "Invite", "Tour", "Zone",
  ]

  /// Writes a random app, and returns the names of its RIBs.
  private func write(to folder: TemporaryFolder, _ random: inout Randomness) throws -> [String] {
    let names = Array(Self.words.shuffled(using: &random).prefix(.random(in: 3...6, using: &random)))
    for name in names {
      let style = HandWrittenApp.Style.allCases.randomElement(using: &random) ?? .template
      let endsWithReturns = Int.random(in: 0..<4, using: &random) == 0
      let isCommented = Bool.random(using: &random)
      var files = HandWrittenApp.files(of: name, style)
      files["App/\(name)/\(name)ViewController.swift"] =
        "protocol \(name)PresentableListener: AnyObject {}\n\nfinal class \(name)ViewController: \(name)Presentable, "
        + "\(name)ViewControllable {\n    weak var listener: \(name)PresentableListener?\n}\n"
      for (path, text) in files.sorted(by: { $0.key < $1.key }) {
        var text = isCommented ? "// \(name): what it is for, and who owns it.\n" + text + "\n// The end.\n" : text
        if endsWithReturns { text = text.replacing("\n", with: "\r\n") }
        try folder.write(text, to: path)
      }
    }
    return names
  }

  private func edit(of names: [String], _ random: inout Randomness) -> Edit {
    let unused = Self.words.filter { !names.contains($0) }
    let route = Link.Route.allCases.randomElement(using: &random) ?? .attach
    let (one, other) = (names.randomElement(using: &random) ?? "", names.randomElement(using: &random) ?? "")
    let new = unused.randomElement(using: &random) ?? one
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .rename(one, new)
    case 1:
      let kind: NewRIB.Kind = Bool.random(using: &random) ? .view : .viewless
      return .create(new, parent: Bool.random(using: &random) ? one : nil, kind, route)
    default: return .link(one, other, route)
    }
  }

  @Test("succeed or change nothing, parse, and are reverted byte for byte")
  func walks() throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["RIBS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
    let count = environment["RIBS_EPISODES"].flatMap { Int($0) } ?? 25
    let templates = try TemplateLibrary()
    var (made, refused) = (0, 0)
    for seed in first..<first + UInt64(count) {
      var random = Randomness(state: seed)
      let folder = TemporaryFolder()
      var names = try write(to: folder, &random)
      let workspace = Workspace(root: folder.url)
      var edits: [Edit] = []
      var walk: Comment { "RIBS_SEED=\(seed) RIBS_EPISODES=1: \(edits.map(\.description).joined(separator: "; "))" }
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        let edit = edit(of: names, &random)
        let before = try workspace.plan()
        do {
          try edit.apply(to: workspace, templates)
        } catch let failure as Failure {
          #expect(try workspace.plan() == before, "\(walk), then \(edit): \(failure.message)")
          refused += 1
          continue
        }
        edits.append(edit)
        made += 1
        if case .rename(let old, let new) = edit { names = names.map { $0 == old ? new : $0 } }
        if case .create(let name, _, _, _) = edit { names.append(name) }
        for change in try workspace.plan().changes where change.after != nil && change.path.hasSuffix(".swift") {
          #expect(try !workspace.source(at: change.path).syntax.hasError, "\(walk): \(change.path)")
        }
      }
      while let last = edits.last {
        #expect(throws: Never.self, walk) { try last.revert(in: workspace) }
        edits.removeLast()
      }
      let left = try workspace.plan().diff
      #expect(left.isEmpty, "\(walk)\nRIBS_SEED=\(seed)\n\(left)")
    }
    #expect(made > count && refused < made, "\(made) made, \(refused) refused")
  }
}
