// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Testing

@testable import Generation

@Suite("Linking and unlinking the RIBs of the demonstration")
struct DemonstrationLinkTests {
  /// This repository.
  private let root = TemplateLibrary.builtIn.deletingLastPathComponent()

  @Test("every RIB to every other leaves all files as they were, or is refused with all files as they are")
  func everyPair() throws {
    let templates = try TemplateLibrary()
    let workspace = Workspace(root: root)
    let names = RIBParts.names(in: workspace).compactMap { try? RIBName($0) }
      .filter { (try? RIBParts.find($0.text, in: workspace).router.file.path.hasPrefix("Sources/TaxiOrder/")) ?? false }
    #expect(names.count >= 17)
    let builders = try names.map { try RIBParts.find($0.text, in: workspace).builder.file.path }
    for path in builders + ["Sources/TaxiOrder/App/AppDependency.swift"] {
      try removeRequirements(at: path, in: workspace)
    }
    let start = try workspace.plan()
    var linked = 0
    for (index, parent) in names.enumerated() {
      for (offset, child) in names.enumerated() where child != parent && (isThorough || (index + offset) % 12 == 1) {
        for route in [Link.Route.attach, .slot]
        where isThorough || (index + offset + (route == .slot ? 12 : 0)) % 24 == 1 {
          let pair: Comment = "\(child) to \(parent) by \(route)"
          do {
            #expect(
              try Link(child: child, parent: parent, route: route, templates: templates).apply(to: workspace).isEmpty,
              pair)
            #expect(try workspace.plan().changes.count >= 3 + start.changes.count, pair)
            for path in workspace.sourcePaths where path.contains("/\(parent)/") {
              try expectLineLength(path, workspace)
            }
            try Unlink(child: child, parent: parent).apply(to: workspace)
            linked += 1
          } catch let failure as Failure {
            let reasons = [
              "there is no protocol", "is linked to '\(parent)' already", "does not return a router", "is above",
              "there is no class", "which a slot has to get from its route",
            ]
            #expect(reasons.contains { failure.message.contains($0) }, "\(failure.message)")
          }
          #expect(try workspace.plan() == start, pair)
        }
      }
    }
    #expect(linked > (isThorough ? 200 : 25))
  }

  private var isThorough: Bool { ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil }

  /// Removes all dependency requirements, so that every parent provides for every child.
  private func removeRequirements(at path: String, in workspace: Workspace) throws {
    let text = try workspace.source(at: path).text
    let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { !($0.hasPrefix("  var ") && $0.hasSuffix("{ get }")) }
    workspace.write(kept.joined(separator: "\n"), to: path)
  }

  /// Expects new lines to respect the maximum length.
  private func expectLineLength(_ path: String, _ workspace: Workspace) throws {
    let file = FileManager.default.contents(atPath: root.appending(path: path).path) ?? Data()
    let old = Set(String(decoding: file, as: UTF8.self).split(separator: "\n"))
    for line in try workspace.source(at: path).text.split(separator: "\n") where !old.contains(line) {
      #expect(line.count <= 120, "\(path): \(line)")
    }
  }
}
