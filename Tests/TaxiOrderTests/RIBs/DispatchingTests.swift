// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs of the search for a taxi, each alone", .folded)
final class DispatchingTests: LoneRIB {
  @Test("Dispatching retries until a taxi is free")
  func search() {
    dependencies.service.change { $0.assignments = [nil, nil, AppDependencyDouble.assignment] }
    launch("Dispatching")
    test.expectTree("Dispatching\n  CancelOrder")
    test.advance(by: .seconds(60))
    finish(
      """
      › Looking for a taxi
      › None is free; looking again in 0:20
      20.0 seconds later
      › None is free; looking again in 0:20
      20.0 seconds later
      › Taken by Mara
      Parent.dispatchingDidAssign(Mara, T1)
      """)
  }

  @Test("Dispatching is cancelled by its CancelOrder when the rider cancels")
  func cancel() {
    dependencies.rider.cancellationTimes.search = .seconds(7)
    dependencies.service.change { $0.assignments = [nil] }
    launch("Dispatching")
    test.settle()
    test.skip()
    test.advance(by: .seconds(10))
    finish(
      """
      7.0 seconds later
      › The rider wants to cancel
      › The order is cancelled
      Parent.dispatchingDidCancel()
      """)
  }

  @Test("CancelOrder sends no request before the rider cancels")
  func cancelsAfter() {
    launch("CancelOrder")
    test.advance(by: .seconds(3600))
    #expect(dependencies.service.requests.isEmpty)
    finish()
  }

  @Test(
    "CancelOrder leaves the decision to the backend, unless the ride is known to have begun", arguments: [true, false])
  func refused(isCancellable: Bool) {
    dependencies.rider.cancellationTimes.search = .seconds(7)
    dependencies.service.change { $0.canBeCancelled = false }
    launch("CancelOrder")
    dependencies.cancellable.accept(isCancellable)
    test.advance(by: .seconds(7))
    #expect(dependencies.service.requests == (isCancellable ? [.cancellation] : []))
    finish("7.0 seconds later", "› The rider wants to cancel", "› Too late to cancel: the ride has begun")
  }
}
