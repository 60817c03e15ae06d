// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import Support
import Testing

@testable import Generation

@Suite("An id that 'ribs tree' prints")
struct IdentifierTests {
  private let folder = TemporaryFolder()

  /// A RIB `Home` in each of two targets.
  private func workspace() throws -> Workspace {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "Apps", targets: [.target(name: "Shop"), .target(name: "Kiosk")])

      """, to: "Package.swift")
    for target in ["Shop", "Kiosk"] {
      try folder.write(SmallRIB.file("Home", []), to: "Sources/\(target)/Screens/Home.swift")
    }
    return Workspace(root: folder.url)
  }

  @Test(
    "selects the RIB of its module, folder or file",
    arguments: ["Home [Kiosk]", "Home [Kiosk/Screens]", "Home [Sources/Kiosk/Screens/Home.swift:37]"])
  func distinguished(id: String) throws {
    let workspace = try workspace()
    #expect(throws: Failure.self) { try Remove(name: try workspace.rib("Home")).apply(to: workspace) }
    #expect(try Rename(from: try workspace.rib(id), to: try RIBName("Start")).apply(to: workspace) == [])
    #expect(try workspace.plan().changes.map(\.path) == ["Sources/Kiosk/Screens/Home.swift"])
  }

  @Test("is refused if there is no such RIB", arguments: ["Home [Bar]", "Home [Screens]", "home [Kiosk]"])
  func unknown(id: String) throws {
    let workspace = try workspace()
    #expect(throws: Failure.self) { try workspace.rib(id) }
  }
}
