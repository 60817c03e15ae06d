import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The census of RIBs")
struct CensusTests {
  @Test("counts a RIB that outlives its tree")
  func leak() {
    let test = TestTree(recording: [])
    let surroundings = Surroundings(test)
    var kept: (any Routing)? = RatingBuilder(dependency: surroundings)
      .build(withListener: Parent(), bill: Surroundings.bill)
    test.launch(Router(interactor: Interactor())).attachChild(kept!)
    #expect(surroundings.census.living == 1)
    test.finish()
    _ = test.takeLeaks()
    #expect(surroundings.census.living == 1)
    kept = nil
    #expect(surroundings.census.living == 0)
    #expect(surroundings.census.peak == 1)
  }
}
