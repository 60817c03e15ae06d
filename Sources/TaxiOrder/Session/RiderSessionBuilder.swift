// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// What a server provides for the session of one rider.
public protocol RiderSessionDependency: Dependency {
  /// The services, for this rider.
  var orderServices: OrderServices { get }
  /// The clock of the session; `WallClock` in a server.
  var orderClock: any OrderClock { get }
}

/// The dependencies of RiderSession's child.
final class RiderSessionComponent: Component<any RiderSessionDependency>, RootDependency {
  let ribCounter = RIBCounter()
  let narrator = Narrator()
  /// Only a link orders.
  let rider = {
    var rider = Rider(pickupZone: nil, dropoffZone: nil, payment: .card)
    rider.ordersInApp = false
    return rider
  }()
  let connected = RemoteRider()

  var remoteRider: RemoteRider? { connected }
  var quoteService: any QuoteService { dependency.orderServices.quote }
  var dispatchService: any DispatchService { dependency.orderServices.dispatch }
  var vehicleService: any VehicleService { dependency.orderServices.vehicle }
  var paymentService: any PaymentService { dependency.orderServices.payment }
  let paymentPoint = PaymentPoint(without: [])
  var clock: any OrderClock { dependency.orderClock }
  var restarts: Restarts { .outlastingOutage }
  /// The rider sees the outcome in the status.
  var report: (OrderOutcome) -> Void { { _ in } }
}

/// Builds the session of one rider, for a server.
///
/// ```swift
/// let session = await TreeHost { RiderSessionBuilder(dependency: dependency).build() }
/// _ = try await session.perform { root in root.interactor.signIn() }
/// ```
public final class RiderSessionBuilder: Builder<any RiderSessionDependency> {
  /// Builds a session in which the rider is signed out.
  public func build() -> RiderSessionRouter {
    let component = RiderSessionComponent(dependency: dependency)
    return RiderSessionRouter(
      interactor: RiderSessionInteractor(rider: component.connected), rootBuilder: RootBuilder(dependency: component))
  }
}
