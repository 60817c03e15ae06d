// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

@testable import TaxiOrder

/// The base of suites that test RIBs of the app alone: a test tree, and doubles of the dependencies and of the parent.
class LoneRIB {
  let test: TestTree
  let dependencies: AppDependencyDouble
  let parent: Parent

  init(recording contents: Transcript.Contents = [.calls, .failures, .time]) {
    test = TestTree(recording: contents)
    dependencies = AppDependencyDouble(test)
    parent = Parent(in: test.transcript)
  }

  /// Restarts RIBs that fail after 5 seconds, then after 10.
  func restart(upTo count: Int) {
    dependencies.restarts = .upTo(count, within: .seconds(60), after: .exponential(from: .seconds(5), jitter: 0))
  }

  /// Launches the RIB with a name.
  func launch(_ name: String) {
    _ = launch { dependencies, parent in dependencies.build(name, withListener: parent) }
  }

  /// Launches a RIB.
  func launch<Root>(_ build: @escaping (AppDependencyDouble, Parent) -> Root) -> Root {
    test.launch(building: { [dependencies, parent] in build(dependencies, parent) })
  }

  /// Expects the rest of the transcript and that the tree survives a restart, and ends the tree.
  func finish(
    _ lines: String...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    test.expect(
      lines.joined(separator: "\n"), fileID: fileID, filePath: filePath, line: line, column: column)
    test.expectSurvivesRestart(fileID: fileID, filePath: filePath, line: line, column: column)
    test.finish(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension AppDependencyDouble {
  /// Builds a RIB by its name; nil if there is none.
  func build(_ name: String, withListener parent: Parent) -> (any Routing)? {
    switch name {
    case "CancelOrder": CancelOrderBuilder(dependency: self).build(withListener: parent)
    case "Confirmation": ConfirmationBuilder(dependency: self).build(withListener: parent)
    case "DestinationSelection": DestinationSelectionBuilder(dependency: self).build(withListener: parent)
    case "Dispatching":
      DispatchingBuilder(dependency: self).build(withListener: parent, draft: OrderDraft(), key: RequestKey("key"))
    case "DriverInfo": DriverInfoBuilder(dependency: self).build()
    case "Eta": EtaBuilder(dependency: self).build()
    case "FareQuote": FareQuoteBuilder(dependency: self).build(withListener: parent)
    case "History": HistoryBuilder(dependency: self).build(withListener: parent)
    case "LoggedIn": LoggedInBuilder(dependency: self).build(withListener: parent).router
    case "LoggedOut": LoggedOutBuilder(dependency: self).build(withListener: parent)
    case "Map": MapBuilder(dependency: self).build()
    case "NearbyTaxi":
      NearbyTaxiBuilder(dependency: self).build(NearbyTaxi(id: 1, position: Position(east: 0, north: 0)))
    case "Order": OrderBuilder(dependency: self).build(withListener: parent, link: nil).router
    case "OrderResultDetail":
      OrderResultDetailBuilder(dependency: self).build(withListener: parent, assignment: AppDependencyDouble.assignment)
    case "PaymentMethod": PaymentMethodBuilder(dependency: self).build(withListener: parent, without: [])
    case "PickupSelection": PickupSelectionBuilder(dependency: self).build(withListener: parent)
    case "Rating": RatingBuilder(dependency: self).build(withListener: parent, bill: AppDependencyDouble.bill)
    case "Receipt":
      ReceiptBuilder(dependency: self)
        .build(withListener: parent, paid: PaidBill(bill: AppDependencyDouble.bill, payment: .card))
    case "RideMeter": RideMeterBuilder(dependency: self).build()
    case "Root": RootBuilder(dependency: self).build().router
    case "Selecting": SelectingBuilder(dependency: self).build(withListener: parent)
    case "Settlement":
      SettlementBuilder(dependency: self)
        .build(withListener: parent, ride: AppDependencyDouble.ride, payment: .card, key: RequestKey("key"))
    case "VehicleDynamics": VehicleDynamicsBuilder(dependency: self).build(withListener: parent)
    default: nil
    }
  }
}
