// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("The lifecycle stream of a router", .folded)
struct LifecycleStreamTests {
  @Test("emits once that the router loads, replays nothing, and completes when the router is released")
  func lifecycle() throws {
    var router: ProbeRouter? = ProbeRouter("router")
    let received = StreamRecorder(try #require(router?.lifecycle))
    received.expect()
    router?.load()
    router?.load()
    received.expect(.didLoad)
    let late = StreamRecorder(try #require(router?.lifecycle))
    #expect(!received.hasEnded)
    router = nil
    received.expect()
    late.expect()
    #expect(received.hasEnded && late.hasEnded)
  }
}
