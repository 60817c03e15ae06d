// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("Each RIB of the program", .folded)
struct EachRIBTests {
  /// The names of the folders.
  private static let names: [String] = {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/TaxiOrder/RIBs").standardized
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
  }()

  @Test("has a folder", .noTrees)
  func folders() {
    #expect(EachRIBTests.names.count == 23)
  }

  @Test("starts alone, without the rest of the application, and leaves nothing behind", arguments: names)
  func alone(name: String) throws {
    let test = TestTree(recording: [])
    let dependencies = AppDependencyDouble(test)
    let parent = Parent(in: test.transcript)
    do {
      _ = try #require(
        EachRIBTests.build(name, dependencies, parent), "Say here how '\(name)' is built, and test it.")
      test.launch(building: { EachRIBTests.build(name, dependencies, parent) })
    }
    // Without a label.
    #expect(test.tree?.snapshot().nodes.first?.name == name)
    test.advance(by: .seconds(3600))
    test.skip()
    test.expectSurvivesRestart()
    test.finish()
    #expect(dependencies.ribCounter.peak >= 1)
    #expect(dependencies.ribCounter.count == 0)
  }

  /// Builds a RIB by its name; nil if there is none.
  private static func build(_ name: String, _ dependencies: AppDependencyDouble, _ parent: Parent) -> (any Routing)? {
    switch name {
    case "CancelOrder": CancelOrderBuilder(dependency: dependencies).build(withListener: parent)
    case "Confirmation": ConfirmationBuilder(dependency: dependencies).build(withListener: parent)
    case "DestinationSelection": DestinationSelectionBuilder(dependency: dependencies).build(withListener: parent)
    case "Dispatching":
      DispatchingBuilder(dependency: dependencies)
        .build(withListener: parent, draft: OrderDraft(), key: RequestKey("key"))
    case "DriverInfo": DriverInfoBuilder(dependency: dependencies).build()
    case "Eta": EtaBuilder(dependency: dependencies).build()
    case "FareQuote": FareQuoteBuilder(dependency: dependencies).build(withListener: parent)
    case "History": HistoryBuilder(dependency: dependencies).build(withListener: parent)
    case "LoggedIn": LoggedInBuilder(dependency: dependencies).build(withListener: parent).router
    case "LoggedOut": LoggedOutBuilder(dependency: dependencies).build(withListener: parent)
    case "Map": MapBuilder(dependency: dependencies).build()
    case "NearbyTaxi":
      NearbyTaxiBuilder(dependency: dependencies).build(NearbyTaxi(id: 1, position: Position(east: 0, north: 0)))
    case "Order": OrderBuilder(dependency: dependencies).build(withListener: parent, link: nil).router
    case "OrderResultDetail":
      OrderResultDetailBuilder(dependency: dependencies)
        .build(withListener: parent, assignment: AppDependencyDouble.assignment)
    case "PaymentMethod": PaymentMethodBuilder(dependency: dependencies).build(withListener: parent, without: [])
    case "PickupSelection": PickupSelectionBuilder(dependency: dependencies).build(withListener: parent)
    case "Rating": RatingBuilder(dependency: dependencies).build(withListener: parent, bill: AppDependencyDouble.bill)
    case "Receipt":
      ReceiptBuilder(dependency: dependencies)
        .build(withListener: parent, paid: PaidBill(bill: AppDependencyDouble.bill, payment: .card))
    case "RideMeter": RideMeterBuilder(dependency: dependencies).build()
    case "Root": RootBuilder(dependency: dependencies).build().router
    case "Selecting": SelectingBuilder(dependency: dependencies).build(withListener: parent)
    case "Settlement":
      SettlementBuilder(dependency: dependencies)
        .build(withListener: parent, ride: AppDependencyDouble.ride, payment: .card, key: RequestKey("key"))
    case "VehicleDynamics": VehicleDynamicsBuilder(dependency: dependencies).build(withListener: parent)
    default: nil
    }
  }
}
