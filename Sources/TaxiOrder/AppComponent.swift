internal import RIBs

/// The external dependencies of the root of an order's tree.
final class AppComponent: RootDependency {
  let census: Census
  let narrator: Narrator
  let rider: Rider
  let quoteService: any QuoteService
  let dispatchService: any DispatchService
  let vehicleService: any VehicleService
  let paymentService: any PaymentService
  let clock: any Clock<Duration>
  let report: (OrderOutcome) -> Void

  init(
    rider: Rider, services: OrderServices, clock: any Clock<Duration>, narrator: Narrator, census: Census,
    report: @escaping (OrderOutcome) -> Void
  ) {
    self.census = census
    self.narrator = narrator
    self.rider = rider
    quoteService = services.quote
    dispatchService = services.dispatch
    vehicleService = services.vehicle
    paymentService = services.payment
    self.clock = clock
    self.report = report
  }
}
