// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs that follow a taxi, each alone", .folded)
struct OrderResultDetailTests {
  private let test = TestTree(recording: [.calls, .time])
  private let dependencies: AppDependencyDouble
  private let parent: Parent

  init() {
    dependencies = AppDependencyDouble(test)
    parent = Parent(in: test.transcript)
  }

  /// Takes a RIB that follows the taxi through all states.
  private func follow(_ build: @escaping () -> any Routing) {
    test.launch(building: build)
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
    follow { VehicleDynamicsBuilder(dependency: dependencies).build(withListener: parent) }
    #expect(dependencies.service.requests == [.position, .position, .position])
    test.expect(
      """
      Parent.vehicleDynamicsDidLocate(nil)
      Parent.vehicleDynamicsDidLocate(100)
      Parent.vehicleDynamicsDidLocate(50)
      Parent.vehicleDynamicsDidLocate(20)
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("VehicleDynamics fails when the vehicle can't be located")
  func lostVehicle() {
    let test = TestTree(recording: [.calls, .failures])
    let parent = Parent(in: test.transcript)
    dependencies.service.change { $0.failure = ServiceUnavailable() }
    test.launch(building: { VehicleDynamicsBuilder(dependency: dependencies).build(withListener: parent) })
    dependencies.taxiState.accept(.arrived)
    test.settle()
    test.expect(
      """
      Parent.vehicleDynamicsDidLocate(nil)
      VehicleDynamics failed: the service is unavailable
      """)
    test.finish()
  }

  /// Launches OrderResultDetail with a feed that fails at the first position.
  private func launchWithoutFeed(_ test: TestTree, _ dependencies: AppDependencyDouble, _ parent: Parent) {
    dependencies.service.change {
      $0.statuses = [
        .taxi(.arrived, nextPoll: OrderTime(.seconds(120))),
        .taxi(.ended(ride: AppDependencyDouble.ride), nextPoll: nil),
      ]
    }
    let builder = OrderResultDetailBuilder(dependency: dependencies)
    test.launch(building: { builder.build(withListener: parent, assignment: AppDependencyDouble.assignment) })
    test.settle()
    test.skip()
    dependencies.service.change { $0.failures[.position] = ServiceUnavailable() }
  }

  @Test("OrderResultDetail has VehicleDynamics restarted alone, and continues to poll when it has located the vehicle")
  func restartedFeed() {
    let test = TestTree(recording: [.calls, .failures, .time])
    let dependencies = AppDependencyDouble(test)
    dependencies.restarts = .upTo(2, within: .seconds(60), after: .exponential(from: .seconds(5), jitter: 0))
    let parent = Parent(in: test.transcript)
    launchWithoutFeed(test, dependencies, parent)
    test.advance(by: .seconds(36))
    test.expectTree("OrderResultDetail\n  Eta\n  DriverInfo\n  RideMeter\n  CancelOrder")
    dependencies.service.change { $0.failures = [:] }
    test.advance(by: .seconds(100))
    #expect(dependencies.service.requests == [.status, .position, .position, .position, .status])
    test.expect(
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
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("OrderResultDetail reports that VehicleDynamics is out of restarts")
  func exhaustedFeed() {
    let test = TestTree(recording: [.calls, .failures, .time])
    let dependencies = AppDependencyDouble(test)
    dependencies.restarts = .upTo(1, within: .seconds(60), after: .exponential(from: .seconds(5), jitter: 0))
    let parent = Parent(in: test.transcript)
    launchWithoutFeed(test, dependencies, parent)
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

  @Test("Eta shows the time to the pickup, then to the destination")
  func eta() {
    follow { EtaBuilder(dependency: dependencies).build() }
    test.expect("› Pickup in 1:00\n› Pickup in 0:30\n› There in 5:00")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("DriverInfo shows the driver, and that the driver waits")
  func driverInfo() {
    follow { DriverInfoBuilder(dependency: dependencies).build() }
    test.expect("› Driver: Mara, T1\n› Mara is waiting")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("RideMeter runs during the ride")
  func rideMeter() {
    follow { RideMeterBuilder(dependency: dependencies).build() }
    test.expect("› The meter is running\n› Metered: 2.00 mi in 10:00")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("OrderResultDetail has five children, polls when it is due, and reports the ride")
  func orderResultDetail() {
    dependencies.service.change {
      $0.statuses = [
        .taxi(.arrived, nextPoll: OrderTime(.seconds(120))),
        .taxi(.ended(ride: AppDependencyDouble.ride), nextPoll: nil),
      ]
    }
    let builder = OrderResultDetailBuilder(dependency: dependencies)
    test.launch(building: { builder.build(withListener: parent, assignment: AppDependencyDouble.assignment) })
    test.expectTree(
      """
      OrderResultDetail
        VehicleDynamics
        Eta
        DriverInfo
        RideMeter
        CancelOrder
      """)
    test.skip()
    test.advance(by: .seconds(3600))
    #expect(dependencies.service.requests == [.status, .position, .status])
    test.expect(
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
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("OrderResultDetail reports that the driver has cancelled")
  func driverCancels() {
    dependencies.service.change { $0.statuses = [.driverCancelled] }
    let builder = OrderResultDetailBuilder(dependency: dependencies)
    test.launch(building: { builder.build(withListener: parent, assignment: AppDependencyDouble.assignment) })
    test.skip()
    test.advance(by: .seconds(30))
    test.expect(
      """
      30.0 seconds later
      › The driver has cancelled
      Parent.orderResultDetailDidLoseDriver()
      """)
    test.expectSurvivesRestart()
    test.finish()
  }
}
