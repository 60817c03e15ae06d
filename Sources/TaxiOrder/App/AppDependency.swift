// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// The dependencies of the whole app: each RIB with children passes them on to its children.
protocol AppDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  /// Nil if the rider is simulated by `rider` and timers.
  var remoteRider: RemoteRider? { get }
  var quoteService: any QuoteService { get }
  var dispatchService: any DispatchService { get }
  var vehicleService: any VehicleService { get }
  var paymentService: any PaymentService { get }
  var paymentPoint: PaymentPoint { get }
  var clock: any OrderClock { get }
  /// How often a RIB is restarted that fails because of the backend.
  var restarts: Restarts { get }
}

extension Restarts {
  /// Restarts that outlast an outage of a minute.
  ///
  /// Without jitter, so that an order is deterministic.
  package static let outlastingOutage = Restarts.upTo(
    4, within: .seconds(600), after: .exponential(from: .seconds(5), to: .seconds(30), jitter: 0))
}

/// A component that forwards the dependencies of the app from its parent to its children.
///
/// A property that the component declares itself takes precedence over the forwarded one.
protocol AppDependencyForwarding: AppDependency {
  /// The parent's dependencies.
  var appDependency: any AppDependency { get }
}

extension AppDependencyForwarding {
  var ribCounter: RIBCounter { appDependency.ribCounter }
  var narrator: Narrator { appDependency.narrator }
  var rider: Rider { appDependency.rider }
  var remoteRider: RemoteRider? { appDependency.remoteRider }
  var quoteService: any QuoteService { appDependency.quoteService }
  var dispatchService: any DispatchService { appDependency.dispatchService }
  var vehicleService: any VehicleService { appDependency.vehicleService }
  var paymentService: any PaymentService { appDependency.paymentService }
  var paymentPoint: PaymentPoint { appDependency.paymentPoint }
  var clock: any OrderClock { appDependency.clock }
  var restarts: Restarts { appDependency.restarts }
}

/// The external dependencies of the root of an order's tree, for a program that runs orders.
package final class AppComponent: RootDependency {
  let ribCounter: RIBCounter
  let narrator: Narrator
  let rider: Rider
  var remoteRider: RemoteRider? { nil }
  let quoteService: any QuoteService
  let dispatchService: any DispatchService
  let vehicleService: any VehicleService
  let paymentService: any PaymentService
  let paymentPoint: PaymentPoint
  let clock: any OrderClock
  let restarts: Restarts
  let report: (OrderOutcome) -> Void

  package init(
    rider: Rider, services: OrderServices, clock: any OrderClock, narrator: Narrator, ribCounter: RIBCounter,
    restarts: Restarts = .outlastingOutage, paymentPoint: PaymentPoint = PaymentPoint(without: []),
    report: @escaping (OrderOutcome) -> Void
  ) {
    self.ribCounter = ribCounter
    self.narrator = narrator
    self.rider = rider
    quoteService = services.quote
    dispatchService = services.dispatch
    vehicleService = services.vehicle
    paymentService = services.payment
    self.paymentPoint = paymentPoint
    self.clock = clock
    self.restarts = restarts
    self.report = report
  }

  /// Builds the RIBs of an order.
  ///
  /// - Returns: the router to launch or to attach, and the handler of links.
  package func buildOrder() -> (router: any RootRouting, linkHandler: any LinkHandler) {
    RootBuilder(dependency: self).build()
  }
}
