// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("A counter of RIBs", .folded)
struct RIBCounterTests {
  @Test("counts a RIB that outlives its tree")
  func leak() {
    let test = TestTree(recording: [])
    let dependencies = AppDependencyDouble(test)
    var kept: (any Routing)? = RatingBuilder(dependency: dependencies)
      .build(withListener: Parent(), bill: AppDependencyDouble.bill)
    test.launch(Router(interactor: Interactor())).attachChild(kept!)
    #expect(dependencies.ribCounter.count == 1)
    test.finish()
    _ = test.takeLeaks()
    #expect(dependencies.ribCounter.count == 1)
    kept = nil
    #expect((dependencies.ribCounter.count, dependencies.ribCounter.peak) == (0, 1))
  }
}
