// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// Builds the example of the article on using both modules, with a stand-in package that has the name and the module
/// name of the other one.
@Suite("A program with two modules named RIBs")
struct BothModulesTests {
  @Test("uses both, told apart by an alias, even in one file", .ofInstalledTool)
  func bothModules() throws {
    let folder = TemporaryFolder()
    try writeOther(to: folder)
    // The clone may have any folder name, but module aliases need the name of the package.
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "swift-ribs"), withDestinationURL: Tool.repository)
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "app",
        platforms: [.macOS(.v15)],
        dependencies: [
          .package(path: "RIBs-iOS"), .package(path: "swift-ribs"),
        ],
        targets: [
          .target(name: "Screens", dependencies: [.product(name: "RIBs", package: "RIBs-iOS")]),
          .target(
            name: "Logic",
            dependencies: [
              .product(name: "RIBs", package: "swift-ribs", moduleAliases: ["RIBs": "HeadlessRIBs"]),
              .product(name: "RIBsInspector", package: "swift-ribs", moduleAliases: ["RIBs": "HeadlessRIBs"]),
            ]),
          .executableTarget(
            name: "Both",
            dependencies: [
              "Screens", "Logic", .product(name: "RIBs", package: "RIBs-iOS"),
              .product(name: "RIBs", package: "swift-ribs", moduleAliases: ["RIBs": "HeadlessRIBs"]),
            ]),
        ])

      """, to: "Package.swift")
    try folder.write(
      "import RIBs\n\npublic final class ScreenInteractor: Interactor {}\n", to: "Sources/Screens/Screen.swift")
    try folder.write(
      """
      public import HeadlessRIBs
      import RIBsInspector

      public final class LogicInteractor: Interactor {
        override public var treeSummary: String? { "summed up" }
      }

      public func text(of tree: Tree) -> String { tree.snapshot().text() }

      """, to: "Sources/Logic/Logic.swift")
    try folder.write(
      """
      import HeadlessRIBs
      import Logic
      import RIBs
      import Screens

      let there: RIBs.Interactor = ScreenInteractor()
      let logic = LogicInteractor()
      let here: HeadlessRIBs.Interactor = logic
      let tree = Tree(root: Router(interactor: logic))
      tree.launch()
      print(there.name, here.isActive, text(of: tree))

      """, to: "Sources/Both/main.swift")
    let run = try Tool.run(
      URL(filePath: "/usr/bin/env"), ["swift", "run", "--quiet", "--disable-dependency-cache", "Both"], in: folder.url)
    #expect(run.status == 0, "\(run)")
    #expect(run.output.hasPrefix("the other true Logic"), "\(run)")
    #expect(run.output.contains("summed up"), "\(run)")
  }

  private func writeOther(to folder: TemporaryFolder) throws {
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription

      let package = Package(
        name: "RIBs-iOS",
        products: [.library(name: "RIBs", targets: ["RIBs"])],
        targets: [.target(name: "RIBs")])

      """, to: "RIBs-iOS/Package.swift")
    try folder.write(
      """
      open class Interactor {
        public let name = "the other"
        public init() {}
      }

      """, to: "RIBs-iOS/Sources/RIBs/Interactor.swift")
  }
}
