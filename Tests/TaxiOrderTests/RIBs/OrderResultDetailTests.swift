// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs that follow a taxi, each alone", .folded)
final class OrderResultDetailTests: LoneRIB {
  /// Takes a RIB that follows the taxi through all states.
  private func follow(_ name: String) {
    launch(name)
    for state in [
      TaxiState.approaching(arrival: OrderTime(.seconds(30))), .arrived, .riding(end: OrderTime(.seconds(300))),
      .ended(ride: AppDependencyDouble.ride),
    ] {
      dependencies.taxiState.accept(state)
      test.settle()
    }
  }

  @Test("VehicleDynamics locates the vehicle in each state but the first and the last, and computes its movement")
  func vehicleDynamics() {
    dependencies.service.change {
      $0.positions = [Position(east: 0, north: 0), Position(east: 50, north: 0), Position(east: 50, north: 20)]
    }
    follow("VehicleDynamics")
    #expect(dependencies.service.requests == [.position, .position, .position])
    finish(
      """
      Parent.vehicleDynamicsDidLocate(nil)
      Parent.vehicleDynamicsDidLocate(100)
      Parent.vehicleDynamicsDidLocate(50)
      Parent.vehicleDynamicsDidLocate(20)
      """)
  }

  /// The statuses of a taxi that waits for the rider, and of one whose ride has ended.
  private func scriptRide() {
    dependencies.service.change {
      $0.statuses = [
        .taxi(.arrived, nextPoll: OrderTime(.seconds(120))),
        .taxi(.ended(ride: AppDependencyDouble.ride), nextPoll: nil),
      ]
    }
  }

  /// OrderResultDetail with a feed that fails at the first position.
  private func launchWithoutFeed(restarts: Int) {
    restart(upTo: restarts)
    scriptRide()
    launch("OrderResultDetail")
    test.settle()
    test.skip()
    dependencies.service.change { $0.failures[.position] = ServiceUnavailable() }
  }

  @Test("OrderResultDetail has VehicleDynamics restarted alone, and continues to poll when it has located the vehicle")
  func restartedFeed() {
    launchWithoutFeed(restarts: 2)
    test.advance(by: .seconds(36))
    test.expectTree("OrderResultDetail\n  Eta\n  DriverInfo\n  RideMeter\n  CancelOrder")
    dependencies.service.change { $0.failures = [:] }
    test.advance(by: .seconds(100))
    #expect(dependencies.service.requests == [.status, .position, .position, .position, .status])
    finish(
      """
      30.0 seconds later
      › The taxi has arrived
      › Mara is waiting
      OrderResultDetail/VehicleDynamics failed: the service is unavailable
      5.0 seconds later
      OrderResultDetail/VehicleDynamics restarted 1 of 2 with its saved state
      OrderResultDetail/VehicleDynamics failed: the service is unavailable
      10.0 seconds later
      OrderResultDetail/VehicleDynamics restarted 2 of 2 with its saved state
      › Moved 100 m, heading north
      75.0 seconds later
      › The ride has ended
      › Metered: 2.00 mi in 10:00
      Parent.orderResultDetailDidEnd(2.00 mi)
      """)
  }

  @Test("OrderResultDetail reports that VehicleDynamics is out of restarts")
  func exhaustedFeed() {
    launchWithoutFeed(restarts: 1)
    test.advance(by: .seconds(100))
    test.expect(
      """
      30.0 seconds later
      › The taxi has arrived
      › Mara is waiting
      OrderResultDetail/VehicleDynamics failed: the service is unavailable
      5.0 seconds later
      OrderResultDetail/VehicleDynamics restarted 1 of 1 with its saved state
      OrderResultDetail/VehicleDynamics failed: the service is unavailable
      OrderResultDetail/VehicleDynamics restartsExhausted 1 of 1: the service is unavailable
      Parent.orderResultDetailDidFail("the service is unavailable")
      """)
    test.finish()
  }

  @Test(
    "Eta shows the time to the pickup, then to the destination; DriverInfo shows the driver, who waits; RideMeter runs",
    arguments: [
      ("Eta", "› Pickup in 1:00\n› Pickup in 0:30\n› There in 5:00"),
      ("DriverInfo", "› Driver: Mara, T1\n› Mara is waiting"),
      ("RideMeter", "› The meter is running\n› Metered: 2.00 mi in 10:00"),
    ])
  func details(name: String, lines: String) {
    follow(name)
    finish(lines)
  }

  @Test("OrderResultDetail has five children, polls when it is due, and reports the ride")
  func orderResultDetail() {
    scriptRide()
    launch("OrderResultDetail")
    test.expectTree("OrderResultDetail\n  VehicleDynamics\n  Eta\n  DriverInfo\n  RideMeter\n  CancelOrder")
    test.skip()
    test.advance(by: .seconds(3600))
    #expect(dependencies.service.requests == [.status, .position, .status])
    finish(
      """
      30.0 seconds later
      › The taxi has arrived
      › Mara is waiting
      › Moved 100 m, heading north
      90.0 seconds later
      › The ride has ended
      › Metered: 2.00 mi in 10:00
      Parent.orderResultDetailDidEnd(2.00 mi)
      """)
  }

  @Test("OrderResultDetail reports that the driver has cancelled")
  func driverCancels() {
    dependencies.service.change { $0.statuses = [.driverCancelled] }
    launch("OrderResultDetail")
    test.skip()
    test.advance(by: .seconds(30))
    finish("30.0 seconds later", "› The driver has cancelled", "Parent.orderResultDetailDidLoseDriver()")
  }
}
