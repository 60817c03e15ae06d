import Foundation
import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("Each RIB of the program")
struct AloneTests {
  /// The names of the folders.
  private static let names: [String] = {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/TaxiOrder/RIBs").standardized
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
  }()

  @Test("has a folder")
  func folders() {
    #expect(AloneTests.names.count == 23)
  }

  @Test("starts alone, without the rest of the application, and leaves nothing behind", arguments: names)
  func alone(name: String) throws {
    let test = TestTree(recording: [])
    let surroundings = Surroundings(test)
    let parent = Parent(in: test.transcript)
    do {
      let router = try #require(
        AloneTests.build(name, surroundings, parent), "Say here how '\(name)' is built, and test it.")
      test.launch(router)
    }
    #expect(test.outline.split(separator: "\n").first == Substring(name))
    test.advance(by: .seconds(3600))
    test.skip()
    test.finish()
    #expect(surroundings.census.peak >= 1)
    #expect(surroundings.census.living == 0)
  }

  /// Builds a RIB by its name; nil if there is none.
  private static func build(_ name: String, _ surroundings: Surroundings, _ parent: Parent) -> (any Routing)? {
    switch name {
    case "CancelOrder": CancelOrderBuilder(dependency: surroundings).build(withListener: parent)
    case "Confirmation": ConfirmationBuilder(dependency: surroundings).build(withListener: parent)
    case "DestinationSelection": DestinationSelectionBuilder(dependency: surroundings).build(withListener: parent)
    case "Dispatching":
      DispatchingBuilder(dependency: surroundings).build(withListener: parent, draft: OrderDraft())
    case "DriverInfo": DriverInfoBuilder(dependency: surroundings).build()
    case "Eta": EtaBuilder(dependency: surroundings).build()
    case "FareQuote": FareQuoteBuilder(dependency: surroundings).build(withListener: parent)
    case "History": HistoryBuilder(dependency: surroundings).build(withListener: parent)
    case "LoggedIn": LoggedInBuilder(dependency: surroundings).build(withListener: parent).router
    case "LoggedOut": LoggedOutBuilder(dependency: surroundings).build(withListener: parent)
    case "Map": MapBuilder(dependency: surroundings).build()
    case "NearbyTaxi":
      NearbyTaxiBuilder(dependency: surroundings).build(NearbyTaxi(id: 1, position: Position(east: 0, north: 0)))
    case "Order": OrderBuilder(dependency: surroundings).build(withListener: parent, link: nil).router
    case "OrderResultDetail":
      OrderResultDetailBuilder(dependency: surroundings)
        .build(withListener: parent, assignment: Surroundings.assignment)
    case "PaymentMethod": PaymentMethodBuilder(dependency: surroundings).build(withListener: parent, without: [])
    case "PickupSelection": PickupSelectionBuilder(dependency: surroundings).build(withListener: parent)
    case "Rating": RatingBuilder(dependency: surroundings).build(withListener: parent, bill: Surroundings.bill)
    case "Receipt":
      ReceiptBuilder(dependency: surroundings)
        .build(withListener: parent, paid: PaidBill(bill: Surroundings.bill, payment: .card))
    case "RideMeter": RideMeterBuilder(dependency: surroundings).build()
    case "Root": RootBuilder(dependency: surroundings).build().router
    case "Selecting": SelectingBuilder(dependency: surroundings).build(withListener: parent)
    case "Settlement":
      SettlementBuilder(dependency: surroundings)
        .build(withListener: parent, ride: Surroundings.ride, payment: .card)
    case "VehicleDynamics": VehicleDynamicsBuilder(dependency: surroundings).build(withListener: parent)
    default: nil
    }
  }
}
