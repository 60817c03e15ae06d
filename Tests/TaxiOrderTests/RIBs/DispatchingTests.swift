// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs of the search for a taxi, each alone", .folded)
struct DispatchingTests {
  private let test = TestTree(recording: [.calls, .time])
  private let dependencies: AppDependencyDouble
  private let parent: Parent

  init() {
    dependencies = AppDependencyDouble(test)
    parent = Parent(in: test.transcript)
  }

  @Test("Dispatching retries until a taxi is free")
  func search() {
    dependencies.service.change { $0.assignments = [nil, nil, AppDependencyDouble.assignment] }
    test.launch(building: {
      DispatchingBuilder(dependency: dependencies).build(
        withListener: parent, draft: OrderDraft(), key: RequestKey("key"))
    })
    test.expectTree("Dispatching\n  CancelOrder")
    test.advance(by: .seconds(60))
    test.expect(
      """
      › Looking for a taxi
      › None is free; looking again in 0:20
      20.0 seconds later
      › None is free; looking again in 0:20
      20.0 seconds later
      › Taken by Mara
      Parent.dispatchingDidAssign(Mara, T1)
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Dispatching fails after the fourth search")
  func noTaxi() {
    dependencies.service.change { $0.assignments = [nil] }
    test.launch(building: {
      DispatchingBuilder(dependency: dependencies).build(
        withListener: parent, draft: OrderDraft(), key: RequestKey("key"))
    })
    test.advance(by: .seconds(600))
    #expect(dependencies.service.requests == [.taxi, .taxi, .taxi, .taxi])
    #expect(test.transcript.lines.last == "Parent.dispatchingDidFail(\"no taxi is free\")")
    test.skip()
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Dispatching is cancelled by its CancelOrder when the rider cancels")
  func cancel() {
    dependencies.rider.cancellationTimes.search = .seconds(7)
    dependencies.service.change { $0.assignments = [nil] }
    test.launch(building: {
      DispatchingBuilder(dependency: dependencies).build(
        withListener: parent, draft: OrderDraft(), key: RequestKey("key"))
    })
    test.settle()
    test.skip()
    test.advance(by: .seconds(10))
    test.expect(
      """
      7.0 seconds later
      › The rider wants to cancel
      › The order is cancelled
      Parent.dispatchingDidCancel()
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("CancelOrder sends no request before the rider cancels")
  func cancelsAfter() {
    test.launch(building: { CancelOrderBuilder(dependency: dependencies).build(withListener: parent) })
    test.advance(by: .seconds(3600))
    #expect(dependencies.service.requests.isEmpty)
    test.expect("")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("CancelOrder refuses without a request once the ride is known to have begun")
  func tooLate() {
    dependencies.rider.cancellationTimes.search = .seconds(7)
    test.launch(building: { CancelOrderBuilder(dependency: dependencies).build(withListener: parent) })
    dependencies.cancellable.accept(false)
    test.advance(by: .seconds(7))
    #expect(dependencies.service.requests.isEmpty)
    test.expect(
      """
      7.0 seconds later
      › The rider wants to cancel
      › Too late to cancel: the ride has begun
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("CancelOrder leaves the decision to the backend")
  func refused() {
    dependencies.rider.cancellationTimes.search = .seconds(7)
    dependencies.service.change { $0.canBeCancelled = false }
    test.launch(building: { CancelOrderBuilder(dependency: dependencies).build(withListener: parent) })
    test.advance(by: .seconds(7))
    #expect(dependencies.service.requests == [.cancellation])
    test.expect(
      """
      7.0 seconds later
      › The rider wants to cancel
      › Too late to cancel: the ride has begun
      """)
    test.expectSurvivesRestart()
    test.finish()
  }
}
