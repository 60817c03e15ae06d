// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("Mocks where several targets or apps have the same names")
struct MockScopeTests {
  private let folder = TemporaryFolder()

  private func text(_ paths: [String], output: String?, files: [String: String]) throws -> (
    text: String, notes: [String]
  ) {
    for (path, text) in files { try folder.write(text, to: path) }
    return try Mocks(paths: paths, output: output).text(in: Workspace(root: folder.url))
  }

  private let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(
      name: "App",
      targets: [
        .target(name: "A"), .target(name: "B"), .target(name: "C", dependencies: ["B"]),
        .testTarget(name: "ATests", dependencies: ["A"]), .testTarget(name: "BTests", dependencies: ["B"]),
      ])

    """

  @Test("use the protocols of their own target, then of those it depends on, then of RIBs")
  func targets() throws {
    let files = [
      "Package.swift": manifest,
      "Sources/A/Named.swift":
        "enum Service { protocol Named { func ofA() } }\nprotocol Named { func ofA() }\nprotocol Routing { func noRIBs() }\n"
        + "protocol Far { func far() }\n",
      "Sources/B/Named.swift": "protocol Named { func ofB() }\n",
      "Sources/B/Service.swift": "protocol Service: Named { func serve() }\n",
      "Sources/C/Other.swift": "protocol Other: Named, Routing, Far { func other() }\n",
    ]
    let own = try text(["Sources/B/Service.swift"], output: "Tests/BTests/Mocks.swift", files: files).text
    #expect(own.contains("func ofB()") && own.contains("func serve()") && !own.contains("ofA"))
    let other = try text(["Sources/C"], output: nil, files: [:]).text
    #expect(other.contains("func ofB()") && !other.contains("ofA"))
    #expect(other.contains("interactable") && !other.contains("noRIBs"))
    #expect(other.contains("func far()"))
  }

  @Test("without a package, know neither protocols nor mocks of other apps below the folder")
  func apps() throws {
    let files = [
      "One/Sources/Named.swift": "protocol Named { func ofOne() }\n",
      "One/Tests/ServiceMock.swift": "final class ServiceMock {}\n",
      "Two/Sources/Named.swift": "protocol Named { func ofTwo() }\n",
      "Two/Sources/Service.swift": "protocol Service: Named { func serve() }\n",
    ]
    let made = try text(["Two/Sources/Service.swift"], output: "Two/Tests/Mocks.swift", files: files)
    #expect(made.notes == [])
    #expect(made.text.contains("class ServiceMock") && made.text.contains("func ofTwo()"))
    #expect(!made.text.contains("ofOne"))
    // A mock in the same package still counts.
    try folder.write("final class NamedMock {}\n", to: "Two/Tests/NamedMock.swift")
    let rest = try text(["Two/Sources"], output: "Two/Tests/Mocks.swift", files: [:])
    #expect(rest.notes.map { $0.contains("there is a mock in Two/Tests/NamedMock.swift") } == [true])
  }

  @Test("use the protocols of a target that one of theirs depends on, and not those of an unrelated target")
  func indirectTargets() throws {
    let manifest = """
      let package = Package(
        name: "App",
        targets: [
          .target(name: "App", dependencies: ["Feature"]), .target(name: "Feature", dependencies: ["Core"]),
          .target(name: "Core", dependencies: ["Feature"]), .target(name: "Another"),
        ])

      """
    let files = [
      "Package.swift": manifest, "Sources/Another/Named.swift": "protocol Named { func ofAnother() }\n",
      "Sources/Core/Inner/Named.swift": "protocol Named { func ofCore() }\n",
      "Sources/Feature/Feature.swift": "@_exported import Core\n",
      "Sources/App/Service.swift": "protocol Service: Named { func serve() }\n",
    ]
    let text = try text(["Sources/App"], output: nil, files: files).text
    #expect(text.contains("func ofCore()") && !text.contains("ofAnother"))
  }

  @Test("end, too, where protocols inherit each other, which is an error")
  func circle() throws {
    let files = [
      "One.swift": "protocol One: Two { func one() }\n", "Two.swift": "protocol Two: Three { func two() }\n",
      "Three.swift": "protocol Three: One { func three() }\n",
      "Service.swift": "protocol Service { var one: any One { get }\n  weak var two: (any Two)? { get set } }\n",
    ]
    let made = try text(["Service.swift", "One.swift"], output: nil, files: files)
    #expect(made.text.contains("class ServiceMock") && made.text.contains("func one()"), "\(made)")
  }
}
