// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport
import Testing

@testable import RIBsStore

@Suite("The sleeping trees that a store in files has in memory")
struct WakeQueueTests {
  @Test("are those that wake first, and at most twice as many as it keeps, however many are read or added")
  func bounds() throws {
    var queue = WakeQueue(capacity: 10)
    let begun = queue.beginLoading(at: .noon, limit: 10, schema: 1)
    let loading = try #require(begun)
    let found = (0..<500).map { (id: "read \($0)", time: WallTime.noon + .milliseconds($0)) }
    queue.endLoading(found.shuffled(), to: loading.end)
    #expect(queue.count == 10)
    #expect(queue.horizon == .noon + .milliseconds(10))
    for number in 0..<500 {
      queue.add("added \(number)", at: .noon - .milliseconds(number), schema: nil)
      #expect(queue.count <= 20)
    }
    let due = queue.due(at: .noon + .seconds(1), limit: 5, schema: 1).map(\.id)
    #expect(due == (495..<500).reversed().map { "added \($0)" })
  }
}
