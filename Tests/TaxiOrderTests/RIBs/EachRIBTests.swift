// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("Each RIB of the program", .folded)
struct EachRIBTests {
  /// The names of the folders.
  private static let names: [String] = {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/TaxiOrder/RIBs").standardized
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
  }()

  @Test("has a folder", .noTrees)
  func folders() {
    #expect(EachRIBTests.names.count == 23)
  }

  @Test("starts alone, without the rest of the application, and leaves nothing behind", arguments: names)
  func alone(name: String) throws {
    let rib = LoneRIB(recording: [])
    let (test, ribCounter) = (rib.test, rib.dependencies.ribCounter)
    do {
      _ = try #require(
        rib.dependencies.build(name, withListener: rib.parent), "Say in LoneRIB how '\(name)' is built, and test it.")
      rib.launch(name)
    }
    // Without a label.
    #expect(test.tree?.snapshot().nodes.first?.name == name)
    test.advance(by: .seconds(3600))
    test.skip()
    rib.finish()
    #expect(ribCounter.peak >= 1 && ribCounter.count == 0)
  }
}
