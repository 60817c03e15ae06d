// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("A target whose name is no identifier")
struct TargetNameTests {
  private let folder = TemporaryFolder()

  @Test("is imported by the name of its module, and is meant by both names", arguments: ["my-app", "1.app"])
  func module(target: String) throws {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App",
        targets: [
          .target(name: "\(target)"), .target(name: "Other"),
          .testTarget(name: "\(target)-tests", dependencies: ["\(target)"]),
        ])

      """, to: "Package.swift")
    let module = target == "my-app" ? "my_app" : "__app"
    let tests = "Tests/\(target)-tests"
    func ribs(_ arguments: String...) throws -> String {
      let outcome = try Tool.run(Tool.url, arguments, in: folder.url)
      #expect(outcome.status == 0, "\(arguments): \(outcome)")
      return outcome.output
    }
    _ = try ribs("new", "Root", "--root", "--target", target)
    _ = try ribs("new", "Root", "--root", "--target", "Other", "--no-tests")
    let test = try #require(folder.contents["\(tests)/RIBs/Root/RootRouterTests.swift"])
    #expect(test.contains("\n@testable import \(module)\n"), "\(test)")
    _ = try ribs("mocks", "Sources/\(target)", "--output", "\(tests)/Mocks.swift")
    #expect(folder.contents["\(tests)/Mocks.swift"]?.contains("\n@testable import \(module)\n") == true)
    #expect(Set(try ribs("tree").split(separator: "\n")) == ["Root [Other]", "Root [\(module)]"])
    _ = try ribs("rename", "Root [\(module)]", "Start")
    _ = try ribs("rename", "Root [Other]", "Trunk")
    #expect(Set(try ribs("tree").split(separator: "\n")) == ["Start", "Trunk"])
  }
}
