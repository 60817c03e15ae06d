// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("A manifest that gets an adapter")
struct ManifestAdditionTests {
  private let folder = TemporaryFolder()

  private static let items = [
    ".package(url: \"https://github.com/apple/swift-log\", from: \"1.6.0\")",
    """
    .target(
      name: "TreeLog",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "Logging", package: "swift-log"),
      ])
    """,
  ]

  /// Adds the items, twice.
  private func adding(
    _ items: [String] = Self.items, known: [String] = [], to manifest: String, obstacle: String? = nil
  ) throws -> (text: String, rest: ManifestAddition.Rest) {
    try folder.write(manifest, to: "Package.swift")
    let workspace = Workspace(root: folder.url)
    let addition = ManifestAddition(workspace: workspace)
    let (items, known) = (items.compactMap(ManifestItem.init), known.compactMap(ManifestItem.init))
    let rest = try addition.add(items, known: known, unless: obstacle)
    let once = try workspace.source(at: "Package.swift").text
    _ = try addition.add(items, known: known, unless: obstacle)
    #expect(try workspace.source(at: "Package.swift").text == once)
    return (once, rest)
  }

  private static let ribs = ".package(url: \"https://x/swift-ribs.git\", from: \"0.1.0\")"

  @Test("keeps the comments and the layout of lists on lines of their own")
  func ownLines() throws {
    let (text, rest) = try adding(
      to: """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "App", // of the app
            dependencies: [
                // The trees.
                \(Self.ribs) // pinned
                // .package(path: "../swift-log"),
            ],
            targets: [
                .target(name: "App"),   /* the app */
                // More to come.
            ]
        )

        """)
    #expect(rest.reason == nil && rest.notes.isEmpty)
    #expect(
      text == """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "App", // of the app
            dependencies: [
                // The trees.
                \(Self.ribs), // pinned
                \(Self.items[0])
                // .package(path: "../swift-log"),
            ],
            targets: [
                .target(name: "App"),   /* the app */
                .target(
                    name: "TreeLog",
                    dependencies: [
                        .product(name: "RIBs", package: "swift-ribs"),
                        .product(name: "Logging", package: "swift-log"),
                    ]),
                // More to come.
            ]
        )

        """)
  }

  @Test(
    "gets lists that it lacks, and items in lists of any layout",
    arguments: [
      ("name: \"App\"", "name: \"App\",\n  dependencies: [\n    P,\n  ],\n  targets: [\n    T,\n  ]"),
      ("name: \"App\", targets: []", "name: \"App\",\n  dependencies: [\n    P,\n  ], targets: [\n    T,\n  ]"),
      (
        "\n  name: \"App\",  // app\n  // All targets.\n  targets: [  // none yet\n  ]\n",
        "\n  name: \"App\",  // app\n  dependencies: [\n    P,\n  ],\n  // All targets.\n  targets: [  // none yet\n    T,\n  ]\n"
      ),
      (
        "name: \"App\", dependencies: [.package(path: \"a\")], targets: [ .target(name: \"A\"), ]",
        "name: \"App\", dependencies: [\n  .package(path: \"a\"),\n  P,\n], targets: [\n  .target(name: \"A\"),\n  T,\n]"
      ),
      (
        "name: \"App\", dependencies: [/* a */ .package(path: \"a\") /* b */], targets: []",
        "name: \"App\", dependencies: [/* a */ .package(path: \"a\") /* b */,\n  P,\n], targets: [\n  T,\n]"
      ),
      (
        "name: \"App\", dependencies: [.package(path: \"a\")\n  ], targets: []",
        "name: \"App\", dependencies: [\n  .package(path: \"a\"),\n  P\n  ], targets: [\n    T,\n  ]"
      ),
    ])
  func layouts(before: String, after: String) throws {
    // Two spaces, so that it is not laid out by the formatter.
    let start = "let package  = Package("
    let (text, rest) = try adding([Self.items[0], ".target(name: \"T\")"], to: "\(start)\(before))\n")
    #expect(rest.reason == nil)
    let expected = after.replacing("P,", with: Self.items[0] + ",").replacing("  P\n", with: "  \(Self.items[0])\n")
      .replacing("T,", with: ".target(name: \"T\"),")
    #expect(text == "\(start)\(expected))\n")
    let list = try ManifestReading(SourceFile(path: "Package.swift", text: text))
    #expect(list.items.contains { $0.kind == .package("swift-log") } && list.items.contains { $0.kind == .target("T") })
    #expect(text.components(separatedBy: "/*").count == before.components(separatedBy: "/*").count)
    #expect(text.components(separatedBy: "//").count == before.components(separatedBy: "//").count + 1)
  }

  @Test(
    "names each package once, as it is called there",
    arguments: [
      (".package(url: \"https://github.com/apple/swift-log.git\", from: \"1.7.0\")", "swift-log"),
      (".package(path: \"../swift-log\")", "swift-log"),
      (".package(name: \"swift-log\", path: \"../Fork\")", "swift-log"),
      (".package(url: \"git@host:Swift-Log.git\", branch: \"main\")", "Swift-Log"),
      (".package(id: \"apple.swift-log\", .upToNextMajor(from: \"1.6.0\"))", "apple.swift-log"),
    ])
  func once(dependency: String, name: String) throws {
    let manifest = "let package = Package(name: \"App\", dependencies: [\(Self.ribs), \(dependency)], targets: [])\n"
    let (text, rest) = try adding(to: manifest)
    #expect(text.components(separatedBy: ".package(").count == 3)
    #expect(text.contains(".product(name: \"Logging\", package: \"\(name)\")"))
    #expect(rest.reason == nil && rest.notes.isEmpty)
  }

  @Test("finds items that variables and later statements declare")
  func elsewhere() throws {
    let (text, rest) = try adding(
      to: """
        let log = Package.Dependency.package(url: "https://github.com/apple/swift-log", from: "1.6.0")
        let package = Package(name: "App", dependencies: [log], targets: [.target(name: "App", dependencies: ["TreeLog"])])
        package.dependencies += [.package(name: "swift-ribs", path: "../fork")]
        package.targets.append(.target(name: "TreeLog", dependencies: [.product(name: "RIBs", package: "swift-ribs")]))
        for target in package.targets { target.swiftSettings = [] }

        """)
    #expect(rest.reason == nil && rest.notes.isEmpty)
    #expect(
      text.components(separatedBy: "url:").count == 2 && text.components(separatedBy: "name: \"TreeLog\"").count == 2)
    // The target has what it lacked.
    #expect(
      text.contains(".product(name: \"RIBs\", package: \"swift-ribs\"),\n")
        && text.contains(".product(name: \"Logging\", package: \"swift-log\"),\n"))
  }

  @Test("says which versions are too old, and that the runtime is missing")
  func notes() throws {
    let old = ".package(url: \"https://github.com/apple/swift-log\", from: \"1.5.10\")"
    try folder.write("", to: "Package@swift-6.0.swift")
    let (text, rest) = try adding(to: "let package = Package(name: \"App\", dependencies: [\(old)], targets: [])\n")
    #expect(text.contains(old) && text.contains("\"TreeLog\""))
    #expect(rest.notes.count == 3)
    #expect(rest.notes.contains { $0.contains("does not depend on swift-ribs yet") })
    #expect(rest.notes.contains("Package.swift asks for swift-log from 1.5.10; what was added needs 1.6.0 or later"))
    #expect(rest.notes.contains("not changed: Package@swift-6.0.swift"))
  }

  @Test(
    "stays as it is where it computes what it declares, and the rest is left to the user",
    arguments: [
      ("Package(name: \"App\", dependencies: all, targets: [])", "its dependencies are no literal array"),
      ("Package(name: \"App\", targets: [.target(name: \"App\")] + more)", "its targets are no literal array"),
      (
        "Package(name: \"App\", dependencies: [.package(url: base + \"swift-log\", from: \"1.0.0\")])",
        "one of its dependencies is computed"
      ),
      ("Package(name: \"App\", targets: [target(\"TreeLog\")])", "one of its targets is computed"),
      ("Package(name: \"App\")\npackage.targets = []", "it sets the targets of the package"),
      ("Package(name: \"App\")\npackage.targets += more", "its targets are no literal array"),
      ("Package(name: \"App\")\npackage.targets.append(more)", "one of its targets is computed"),
      ("Package(name: \"App\")\npackage.targets.removeAll()", "it sets the targets of the package"),
      ("Package(name: \"App\")\nlet other = Package(name: \"Other\")", "it calls Package(…) several times"),
      ("make()", "it calls Package(…) nowhere"),
      ("Package(name: \"App\"", "it is no valid Swift"),
      (
        "Package(name: \"App\", targets: [.target(name: \"TreeLog\", dependencies: all)])",
        "the dependencies of the target 'TreeLog' are no literal array"
      ),
      (
        "Package(name: \"App\", targets: [.target(name: \"TreeLog\", dependencies: [dependency(1)])])",
        "a dependency of the target 'TreeLog' is computed"
      ),
    ])
  func computed(package: String, reason: String) throws {
    let manifest = "let package = \(package)\n"
    let (text, rest) = try adding(to: manifest)
    #expect(text == manifest)
    #expect(rest.reason?.hasPrefix(reason) == true, "\(rest)")
    let isIncomplete = reason.contains("'TreeLog'")
    let missing = rest.missing.map(\.text)
    #expect(missing.contains(Self.items[0]))
    #expect(missing.contains(Self.items[1]) == !isIncomplete && rest.incomplete.count == (isIncomplete ? 1 : 0))
    let left = try #require(rest.text)
    #expect(left.hasPrefix("Package.swift is not changed: \(reason)"))
    #expect(left.contains("\n  .target(\n    name: \"TreeLog\",\n") && left.hasSuffix("    ]),\n"))
    #expect(left.contains("Complete the dependencies of these targets in Package.swift:\n") == isIncomplete)
  }

  @Test("that is not there, or that can't have the target, is left to the user")
  func obstacles() throws {
    let missing = try ManifestAddition(workspace: Workspace(root: folder.url)).add(
      Self.items.compactMap(ManifestItem.init))
    #expect(missing.reason == "there is no Package.swift" && missing.missing.count == 2)
    let manifest = "let package = Package(name: \"App\", dependencies: [\(Self.ribs)])\n"
    let (text, rest) = try adding(to: manifest, obstacle: "of a reason")
    #expect(text == manifest && rest.reason == "of a reason" && rest.missing.count == 2)
  }

  @Test("does not get again what the user has removed")
  func known() throws {
    let target = ".target(name: \"TreeLog\", dependencies: [.product(name: \"Logging\", package: \"swift-log\")])"
    let manifest = "let package = Package(name: \"App\", dependencies: [\(Self.ribs)], targets: [\(target)])\n"
    #expect(try adding(known: Self.items, to: manifest).text == manifest)
    let (text, _) = try adding(known: [Self.items[0], target], to: manifest)
    #expect(!text.contains("/swift-log\"") && text.contains(".product(name: \"RIBs\", package: \"swift-ribs\")"))
    let none = "let package = Package(name: \"App\", dependencies: [\(Self.ribs)])\n"
    #expect(try adding(known: Self.items, to: none).text == none)
  }

  @Test("keeps its line ends, and is laid out by the formatter if it was before")
  func lineEnds() throws {
    let manifest =
      "let package = Package(\r\n  name: \"App\",\r\n  targets: [\r\n    .target(name: \"App\")\r\n  ]\r\n)\r\n"
    let (text, _) = try adding(to: manifest)
    #expect(!text.replacing("\r\n", with: "").contains("\n") && text.contains("\"TreeLog\""))
    try folder.write(#"{ "version": 1, "lineLength": 120, "indentation": { "spaces": 4 } }"#, to: ".swift-format")
    let tidy = "let package = Package(name: \"App\", dependencies: [], targets: [.target(name: \"App\")])\n"
    let (formatted, _) = try adding(to: tidy)
    #expect(try Formatter.laidOut([("Package.swift", formatted)], near: folder.url) == [formatted])
    #expect(formatted.contains("\n    targets: [\n        .target(name: \"App\"),\n"))
  }

  @Test("has one requirement of a package, the higher one, and targets in other folders with their path")
  func items() throws {
    let items = ["1.6.0", "1.16.0", "1.9.0"].compactMap {
      ManifestItem(".package(url: \"https://github.com/apple/swift-log\", from: \"\($0)\")")
    }
    #expect(ManifestItem.merged(items).map(\.version) == ["1.16.0"])
    #expect(ManifestItem("print(1)") == nil)
    let target = try #require(ManifestItem(Self.items[1]))
    #expect(target.inFolder("Libraries/TreeLog").text.hasSuffix("\n  ],\n  path: \"Libraries/TreeLog\")"))
    let module = try #require(ManifestItem(".systemLibrary(name: \"CSQLite\", pkgConfig: \"sqlite3\")"))
    #expect(
      module.inFolder("C/CSQLite").text
        == ".systemLibrary(name: \"CSQLite\", path: \"C/CSQLite\", pkgConfig: \"sqlite3\")")
  }
}
