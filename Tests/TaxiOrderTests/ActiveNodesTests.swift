// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import Testing

@testable import TaxiOrder

@Suite("The active RIBs of a tree")
struct ActiveNodesTests {
  @Test("are distinguished, whatever their number")
  func pages() throws {
    let ids = try [1, 2, 63, 64, 65, 127, 128, 1000].map { number in
      try JSONDecoder().decode(NodeID.self, from: Data("\(number)".utf8))
    }
    let active = ActiveNodes()
    for (index, id) in ids.enumerated() {
      #expect(ids.map(active.contains) == ids.indices.map { $0 < index })
      active.insert(id)
    }
    for (index, id) in ids.enumerated() {
      #expect(ids.map(active.contains) == ids.indices.map { $0 >= index })
      active.remove(id)
    }
    #expect(!ids.contains(where: active.contains))
  }
}
