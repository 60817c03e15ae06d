// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("An edit beside an Xcode project")
struct XcodeProjectTests {
  private let folder = TemporaryFolder()

  private func write(_ project: String) throws {
    try folder.write(project, to: "App/App.xcodeproj/project.pbxproj")
    try folder.write(SmallRIB.file("Home", []), to: "App/Sources/Home/HomeBuilder.swift")
  }

  private func renamed() throws -> Plan {
    let workspace = Workspace(root: folder.url)
    try Rename(from: try RIBName("Home"), to: try RIBName("Start")).apply(to: workspace)
    return try workspace.plan()
  }

  @Test("says which entries no longer fit, and which are missing")
  func listed() throws {
    try write("A1 /* HomeBuilder.swift */ = {isa = PBXFileReference; path = HomeBuilder.swift; };\n")
    #expect(
      try renamed().projectNotes == [
        "App/App.xcodeproj still lists what is gone; remove it there: App/Sources/Home/HomeBuilder.swift",
        "App/App.xcodeproj does not list what is new; add it there, to its target: App/Sources/Start/StartBuilder.swift",
      ])
  }

  @Test("says that a synchronized folder needs no change")
  func synchronized() throws {
    try write(
      """
      A1 /* Sources */ = {
        isa = PBXFileSystemSynchronizedRootGroup;
        path = Sources;
      };

      """)
    #expect(
      try renamed().projectNotes == [
        "App/App.xcodeproj synchronizes the folder of the new files, and needs no change"
      ])
  }

  @Test("finds the app beside a package that is for something else, and no package in the project")
  func otherPackage() throws {
    try write("")
    try folder.write(
      "// swift-tools-version: 6.2\nlet package = Package(name: \"Tools\", targets: [.target(name: \"Tools\")])\n",
      to: "Package.swift")
    try folder.write("enum Tools {}\n", to: "Sources/Tools/Tools.swift")
    try folder.write("let package = Package(name: \"Kit\")\n", to: "App/Kit/Package.swift")
    try folder.write("enum Kit {}\n", to: "App/Kit/Kit.swift")
    try folder.write("enum Help {}\n", to: "Help.swift")
    let workspace = Workspace(root: folder.url)
    #expect(workspace.sourcePaths == ["App/Sources/Home/HomeBuilder.swift", "Sources/Tools/Tools.swift"])
    #expect(try renamed().changes.map(\.path).contains("App/Sources/Start/StartBuilder.swift"))
  }
}
