// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

@testable import TaxiOrder

/// The dependencies of any RIB of the app, for a test of one RIB alone.
final class AppDependencyDouble: PickupSelectionDependency, DestinationSelectionDependency, FareQuoteDependency,
  PaymentMethodDependency, ConfirmationDependency, SelectingDependency, DispatchingDependency, CancelOrderDependency,
  OrderResultDetailDependency, VehicleDynamicsDependency, EtaDependency, DriverInfoDependency, RideMeterDependency,
  SettlementDependency, ReceiptDependency, RatingDependency, OrderDependency, MapDependency, HistoryDependency,
  NearbyTaxiDependency,
  LoggedInDependency, LoggedOutDependency, RootDependency
{
  static let bill = Bill(fare: Cents(1000), tip: Cents(200), tolls: Cents(0), surcharge: Cents(330))
  static let ride = Ride(duration: .seconds(600), distance: Distance(micromiles: 2_000_000), bill: bill)
  static let assignment = Assignment(
    driver: Driver(name: "Mara", plate: "T1"), position: Position(east: 0, north: -100),
    arrival: OrderTime(.seconds(60)),
    nextPoll: OrderTime(.seconds(30)))

  let ribCounter = RIBCounter()
  let narrator: Narrator
  var rider = Rider(pickupZone: "Elm Court", dropoffZone: "Mill Pond", payment: .card)
  var remoteRider: RemoteRider?
  var choosingRider: RemoteRider?
  var paymentPoint = PaymentPoint(without: [])
  let service: ScriptedService
  let clock: any OrderClock
  /// None, unless a test is about them: what a RIB does when it fails is then seen at once.
  var restarts = Restarts.never
  let draft = MutableOrderDraftStream()
  let taxiState = MutableTaxiStateStream(.assigned(assignment: assignment))
  let cancellable = BehaviorRelay(value: true)
  let history = MutableOrderHistoryStream()
  let mode = MutableNearbyTaxisModeStream()
  let map = MapViewController(narrator: Narrator())
  let view: any LoggedInViewControllable = RootViewController()
  let report: (OrderOutcome) -> Void

  /// - Parameter test: the test tree, whose transcript records output, requests and listener calls.
  init(_ test: TestTree) {
    let transcript = test.transcript
    narrator = Narrator { narration in
      if case .line(let text) = narration { transcript.write("› \(text)") }
    }
    service = ScriptedService()
    clock = test.clock
    report = { outcome in transcript.write("reported: \(OrderState.ended(outcome: outcome).name)") }
  }

  var quoteService: any QuoteService { service }
  var dispatchService: any DispatchService { service }
  var vehicleService: any VehicleService { service }
  var paymentService: any PaymentService { service }
  var draftStream: any OrderDraftStream { draft }
  var taxiStateStream: any TaxiStateStream { taxiState }
  var isCancellable: Observable<Bool> { cancellable.asObservable() }
  var cancelsAfter: Duration? { rider.cancellationTimes.search }
  var orderHistoryStream: any OrderHistoryStream { history }
  var nearbyTaxisMode: any NearbyTaxisModeStream { mode }
  var mapViewController: any MapViewControllable { map }
  var loggedInViewController: any LoggedInViewControllable { view }
}
