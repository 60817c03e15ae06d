// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

private actor Other {
  func works(at home: QueueActor) -> Bool { home.isCurrent }
}

@Suite("Another actor that bound work calls")
struct OtherActorTests {
  @Test("does not work in the time of the tree's actor")
  func elsewhere() async {
    let (home, other) = (QueueActor(), Other())
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        interactor.task {
          let worksAtHome = await other.works(at: home)
          result.yield([worksAtHome, home.isCurrent])
        }
      }
      return root
    }
    #expect(await first(of: results) == [false, true])
    await home.shutdown()
  }
}
