// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SourceTree
import Support
import Testing

@Suite("Modules of projects without a package manifest")
struct ProjectModuleTests {
  private let folder = TemporaryFolder()
  private var root: URL { URL(filePath: folder.url.path, directoryHint: .isDirectory) }

  /// Writes a RIB whose types are named only by their roles.
  private func writeRIB(in path: String) throws {
    try folder.write(
      """
      public protocol Dependency: RIBs.Dependency {}
      public protocol Listener: AnyObject {}
      public protocol Routing: ViewableRouting {}
      public protocol Buildable: RIBs.Buildable { func build(withListener listener: Listener) -> Routing }
      public final class Builder: RIBs.Builder<Dependency>, Buildable {
        public func build(withListener listener: Listener) -> Routing {
          Router(interactor: interactor, viewController: viewController)
        }
      }
      final class Router: ViewableRouter<Interactable, ViewControllable>, Routing {}
      """, to: path + "/RIB.swift")
  }

  /// Writes a RIB that attaches the RIBs of some modules.
  private func writeParent(of modules: String..., in path: String) throws {
    let properties = modules.map { "  private let \($0.lowercased()): \($0).Buildable\n" }
    let methods = modules.map {
      "  func show\($0)() { attachChild(\($0.lowercased()).build(withListener: interactor)) }\n"
    }
    try folder.write(
      "final class MainRouter: LaunchRouter<MainInteractable, V> {\n\((properties + methods).joined())}\n",
      to: path + "/Main.swift")
  }

  private func edges() async throws -> [String] {
    let entries = try #require(try SourceScan.entries(below: ".", in: root))
    let graph = GraphBuilder(await SourceScan.read(entries).files).graph()
    #expect(graph.gaps.isEmpty, "\(graph.gaps)")
    return graph.edges.filter { $0.kind == .tree }
      .map { "\(graph.nodes[$0.parent].title) > \(graph.nodes[$0.child].title)" }.sorted()
  }

  @Test("the targets of a Tuist project by their sources, by a folder, and by the name of the project")
  func tuist() async throws {
    // Lists dependencies only.
    try folder.write("let package = Package(name: \"Dependencies\")", to: "Package.swift")
    try folder.write(
      """
      import ProjectDescription
      let project = Project(
        name: "Settings",
        packages: [.package(name: "RIBs", url: "https://github.com/uber/RIBs-iOS")],
        targets: [
          .target(name: "SettingsInterface", product: .framework, sources: ["Interface/Sources/**"]),
          .target(name: "SettingsFeature", product: .framework, sources: "Implementation/**"),
        ])
      """, to: "Projects/Settings/Project.swift")
    try writeRIB(in: "Projects/Settings/Implementation")
    try folder.write(
      """
      import ProjectDescription
      let project = Project.makeModule(layer: .feature, name: "OrderFeature", dependencies: [.project(name: "RIBs")])
      """, to: "Projects/Order/Project.swift")
    try writeRIB(in: "Projects/Order/Sources")
    try folder.write(
      """
      import ProjectDescription
      let targets: [Target] = [.makeFramework(name: "Map"), .makeFramework(name: "Search-UI")]
      let project = Project(name: Names.core, targets: targets)
      """, to: "Projects/Core/Project.swift")
    try writeRIB(in: "Projects/Core/Map/Sources")
    try writeRIB(in: "Projects/Core/Search-UI/Sources")
    try folder.write(
      "import ProjectDescription\nlet project = Project(name: \"App\", targets: Targets.all)",
      to: "Projects/App/Project.swift")
    try writeParent(of: "OrderFeature", "SettingsFeature", "Map", "Search_UI", in: "Projects/App/Sources")
    let children = ["Map", "OrderFeature", "Search_UI", "SettingsFeature"]
    #expect(try await edges() == children.map { "Main > \($0)" })
  }

  @Test("the targets of an Xcode project that have folders of their names")
  func xcode() async throws {
    let targets = ["App", "Clock", "Alarm-Kit"].map { name in
      """
      \t\tAB01 /* \(name) */ = {
      \t\t\tisa = PBXNativeTarget;
      \t\t\tname = "\(name)";
      \t\t\tproductName = \(name);
      \t\t};

      """
    }
    try folder.write(
      targets.joined() + "\t\tAB02 = {\n\t\t\tisa = PBXGroup;\n\t\t\tname = Source;\n\t\t};\n",
      to: "App.xcodeproj/project.pbxproj")
    try writeRIB(in: "Clock/Source/View")
    try writeRIB(in: "Modules/Alarm-Kit/Source")
    try writeParent(of: "Clock", "Alarm_Kit", in: "App/Source")
    #expect(try await edges() == ["Main > Alarm_Kit", "Main > Clock"])
  }

  @Test("the targets of a package, of which only tests and what supports them are left out")
  func package() throws {
    try folder.write(
      """
      let package = Package(
        name: "App",
        targets: [
          .target(name: "App"), .target(name: "AppTestSupport"), .target(name: "Probe", path: "Tests/Probe"),
          .testTarget(name: "AppTests", dependencies: ["App"]),
        ])
      """, to: "Package.swift")
    for target in ["Sources/App", "Sources/AppTestSupport", "Tests/AppTests", "Tests/Probe"] {
      for path in ["BloodTests/BloodTests.swift", "Mocks/Mocks.swift", "Test/TestBuilder.swift"] {
        try folder.write("", to: target + "/RIBs/" + path)
      }
    }
    try folder.write("", to: "Other/Mocks/Mocks.swift")
    let paths = try #require(try SourceScan.entries(below: ".", in: root)).map(\.path)
    #expect(
      paths
        == ["BloodTests/BloodTests.swift", "Mocks/Mocks.swift", "Test/TestBuilder.swift"].map {
          "Sources/App/RIBs/" + $0
        })
  }

  @Test("a limit for the files and folders outside of projects")
  func limit() throws {
    for number in 0..<20 { try folder.write("", to: "Folder/\(number).txt") }
    try writeRIB(in: "Folder")
    #expect(throws: FileFinder.LimitExceeded.self) {
      try SourceScan.entries(below: "Folder", in: root, limit: 20)
    }
    #expect(try SourceScan.entries(below: "Folder", in: root, limit: 21)?.count == 1)
    #expect(!SourceScan.isInProject("Folder", in: root))
    try folder.write("", to: "App.xcodeproj/project.pbxproj")
    #expect(SourceScan.isInProject("Folder", in: root))
  }
}
