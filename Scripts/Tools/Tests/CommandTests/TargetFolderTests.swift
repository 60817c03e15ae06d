// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// Compares with the package manager, which says which sources a target has.
@Suite("A target whose sources are not in Sources/NAME")
struct TargetFolderTests {
  struct Layout: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The arguments of the target after its name.
    var arguments = ""
    let main: String
    /// The folder of new RIBs.
    let home: String
    var others: [String: String] = [:]
    var testTarget = ""
    var testHome = "Tests/AppTests"
  }

  static let layouts = [
    Layout(
      testDescription: "the folder of the package", arguments: ", path: \".\", exclude: [\"Notes\", \"./Specs/\"]",
      main: "main.swift",
      home: "RIBs", others: ["Notes/Old.swift": "final class RootBuilder {}\n"], testTarget: ", path: \"Specs\"",
      testHome: "Specs"),
    Layout(
      testDescription: "the folder of the package, with a package inside",
      arguments: ", path: \"./\", exclude: [\"Tests\", \"Demo\"]",
      main: "main.swift", home: "RIBs",
      others: [
        "Demo/Package.swift":
          "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"D\")\n",
        "Demo/Old.swift": "final class RootBuilder {}\n",
      ]),
    Layout(
      testDescription: "some folders of the package", arguments: ", path: \"\", sources: [\"Code\", \"main.swift\"]",
      main: "main.swift", home: "Code/RIBs", others: ["Code/Some.swift": "let some = 1\n"],
      testHome: "Tests/AppTests/Code"),
    Layout(testDescription: "all of Sources", main: "Sources/main.swift", home: "Sources/RIBs"),
    Layout(
      testDescription: "all of Sources, and all of Tests", main: "Sources/main.swift", home: "Sources/RIBs",
      others: ["Tests/SomeTests.swift": "import Testing\n"], testHome: "Tests"),
    Layout(testDescription: "src/NAME", main: "src/App/main.swift", home: "src/App/RIBs"),
    Layout(
      testDescription: "a path with a dot", arguments: ", path: \"./Code/\"", main: "Code/main.swift", home: "Code/RIBs"
    ),
    Layout(testDescription: "Sources/NAME, as usual", main: "Sources/App/main.swift", home: "Sources/App/RIBs"),
  ]

  @Test("gets new RIBs where the package manager finds them, and is edited", arguments: layouts)
  func layout(_ layout: Layout) throws {
    let folder = TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "App",
        targets: [
          .executableTarget(name: "App"\(layout.arguments)),
          .testTarget(name: "AppTests", dependencies: ["App"]\(layout.testTarget)),
        ])

      """, to: "Package.swift")
    try folder.write("print(1)\n", to: layout.main)
    for (path, text) in layout.others { try folder.write(text, to: path) }
    if layout.testHome != "Tests" { try folder.write("import Testing\n", to: layout.testHome + "/SomeTests.swift") }
    for arguments in [["new", "Root", "--root"], ["new", "Order", "--parent", "Root"], ["rename", "Order", "Trip"]] {
      let made = try Tool.run(Tool.url, arguments, in: folder.url)
      #expect(made.status == 0, "\(made)")
    }
    let contents = folder.contents
    #expect(contents[layout.home + "/Root/RootRouter.swift"]?.contains("routeToTrip") == true)
    #expect(contents[layout.home + "/Trip/TripRouter.swift"] != nil, "\(contents.keys.sorted())")
    #expect(contents[layout.testHome + "/RIBs/Trip/TripRouterTests.swift"] != nil, "\(contents.keys.sorted())")
    let mocks = try Tool.run("mocks", in: folder.url)
    #expect(mocks.status == 0 && mocks.output.contains("class TripRoutingMock"), "\(mocks)")
    let described = try Tool.run(
      URL(filePath: "/usr/bin/env"), ["swift", "package", "describe", "--type", "json"], in: folder.url)
    let package = try JSONSerialization.jsonObject(with: Data(described.output.utf8)) as? [String: Any]
    let targets = try #require(package?["targets"] as? [[String: Any]], "\(described)")
    let sources = targets.flatMap { target in
      let path = target["path"] as? String ?? ""
      return (target["sources"] as? [String] ?? []).map { source in
        "\(target["name"] ?? "") " + (path == "." || path.isEmpty ? source : "\(path)/\(source)")
      }
    }
    for file in [layout.main, layout.home + "/Trip/TripRouter.swift"] {
      #expect(sources.contains("App " + file), "\(file): \(sources)")
    }
    let test = layout.testHome + "/RIBs/Trip/TripRouterTests.swift"
    #expect(sources.contains("AppTests " + test), "\(test): \(sources)")
    #expect(!sources.contains { $0.hasSuffix("Old.swift") })
  }
}
