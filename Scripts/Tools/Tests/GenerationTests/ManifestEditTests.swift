// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("A manifest")
struct ManifestEditTests {
  private let folder = TemporaryFolder()

  /// Adds RIBsTesting to the target AppTests.
  ///
  /// - Returns: the resulting manifest, and the note on manual steps.
  private func adding(to manifest: String) throws -> (text: String, note: String?) {
    try folder.write(#"{ "version": 1, "lineLength": 120, "indentation": { "spaces": 2 } }"#, to: ".swift-format")
    try folder.write(manifest, to: "Package.swift")
    let workspace = Workspace(root: folder.url)
    let note = try ManifestEdit(workspace: workspace).add("RIBsTesting", to: "AppTests")
    // The second call has nothing to add.
    let once = try workspace.source(at: "Package.swift").text
    #expect(try ManifestEdit(workspace: workspace).add("RIBsTesting", to: "AppTests") == note)
    #expect(try workspace.source(at: "Package.swift").text == once)
    return (once, note)
  }

  private func package(
    _ tests: String, dependency: String = #".package(url: "https://x/swift-ribs.git", from: "1.0.0")"#
  )
    -> String
  {
    """
    let package = Package(
      name: "App", dependencies: [\(dependency)],
      targets: [
        .target(name: "App"),
        \(tests),
      ])

    """
  }

  private static let product = #".product(name: "RIBsTesting", package: "swift-ribs")"#

  @Test(
    "gets a product for a target, however its dependencies are laid out",
    arguments: [
      (#".testTarget(name: "AppTests")"#, #".testTarget(name: "AppTests", dependencies: [P])"#),
      (
        #".testTarget(name: "AppTests", dependencies: [])"#,
        #".testTarget(name: "AppTests", dependencies: [P])"#
      ),
      (
        #".testTarget(name: "AppTests", dependencies: ["App"])"#,
        #".testTarget(name: "AppTests", dependencies: ["App", P])"#
      ),
      (
        ".testTarget(\n      name: \"AppTests\",\n      dependencies: [\n        \"App\",\n      ])",
        ".testTarget(\n      name: \"AppTests\",\n      dependencies: [\n        \"App\",\n        P,\n      ])"
      ),
      (
        ".testTarget(\n  name: \"AppTests\",\n  dependencies: [\n\t\"App\"\n  ])",
        ".testTarget(\n  name: \"AppTests\",\n  dependencies: [\n\t\"App\",\n\tP\n  ])"
      ),
    ])
  func layouts(before: String, after: String) throws {
    let (text, note) = try adding(to: package(before))
    #expect(note == nil)
    #expect(
      text
        == package(
          after.replacing("P]", with: "\(Self.product)]").replacing("P,", with: Self.product + ",")
            .replacing("\tP", with: "\t" + Self.product)))
  }

  @Test(
    "calls the package as it is called elsewhere",
    arguments: [
      (#".package(path: "../swift-ribs")"#, "swift-ribs"),
      (#".package(name: "swift-ribs", path: "../Fork")"#, "swift-ribs"),
      (#".package(url: "git@host:group/swift-ribs.git", branch: "main")"#, "swift-ribs"),
    ])
  func names(dependency: String, name: String) throws {
    let (text, note) = try adding(to: package(#".testTarget(name: "AppTests")"#, dependency: dependency))
    #expect(note == nil && text.contains(#".product(name: "RIBsTesting", package: "\#(name)")"#))
    let product = #".product(name: "RIBs", package: "fork")"#
    let other = package(#".testTarget(name: "AppTests", dependencies: [\#(product)])"#, dependency: dependency)
    #expect(try adding(to: other).text.contains(#".product(name: "RIBsTesting", package: "fork")"#))
  }

  @Test(
    "stays as it is where it says things in other words, and prints what the user has to write",
    arguments: [
      #".testTarget(name: "AppTests", dependencies: all)"#, #".testTarget(name: "AppTests", dependencies: [P] + more)"#,
    ])
  func computed(tests: String) throws {
    let manifest = package(tests)
    let (text, note) = try adding(to: manifest)
    #expect(text == manifest)
    #expect(
      note == "AppTests does not depend on RIBsTesting yet; add to its dependencies in Package.swift: \(Self.product)")
    let alone = package(#".testTarget(name: "AppTests")"#, dependency: "")
    #expect(try adding(to: alone).text == alone)
  }

  @Test(
    "of a package that uses another RIBs library is not changed",
    arguments: ["https://github.com/uber/RIBs-iOS", "https://github.com/DevYeom/ModernRIBs.git"])
  func otherLibrary(url: String) throws {
    let manifest = package(
      #".target(name: "Kit", dependencies: [.product(name: "RIBs", package: "RIBs-iOS")]), .testTarget(name: "AppTests")"#,
      dependency: ".package(url: \"\(url)\", from: \"1.0.0\")")
    let failure = #expect(throws: Failure.self) { try adding(to: manifest) }
    #expect(
      failure?.message.contains(/'AppTests' \(Package\.swift:\d+\) uses another RIBs library, the package '/) == true)
    #expect(failure?.message.contains("', which has no product 'RIBsTesting'") == true)
  }

  @Test("stays as it is where the product comes with another target")
  func inherited() throws {
    let manifest = package(
      #".target(name: "Kit", dependencies: [P]), .testTarget(name: "AppTests", dependencies: ["Kit"])"#
        .replacing("P", with: Self.product))
    let (text, note) = try adding(to: manifest)
    #expect(text == manifest && note == nil)
  }
}
