// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TaxiOrder

/// What the server provides for each rider.
struct RiderServices: Sendable {
  var clock: any OrderClock
  /// How many seconds of an order pass in a second.
  var speed: Int
  var ordersUntilDecline: Int?
}

/// The dependencies of Rider's children.
final class RiderComponent: Component<EmptyDependency>, TaxiCompanyDependency {
  private let services: RiderServices
  let companySeed: UInt64

  init(_ rider: RiderID, _ services: RiderServices) {
    self.services = services
    companySeed = rider.seed
    super.init(dependency: EmptyComponent())
  }

  var orderClock: any OrderClock { services.clock }
  var ordersUntilDecline: Int? { services.ordersUntilDecline }
}

/// The dependencies of the session: those of the rider, and the services of the simulated company.
final class SessionComponent: Component<any TaxiCompanyDependency>, RiderSessionDependency {
  let orderServices: OrderServices

  init(dependency: any TaxiCompanyDependency, services: OrderServices) {
    orderServices = services
    super.init(dependency: dependency)
  }

  var orderClock: any OrderClock { dependency.orderClock }
}

/// Builds the tree of one rider.
struct RiderBuilder {
  let services: RiderServices

  func build(_ rider: RiderID) -> RiderRouter {
    let component = RiderComponent(rider, services)
    let (company, orderServices) = TaxiCompanyBuilder(dependency: component).build()
    let session = RiderSessionBuilder(
      dependency: SessionComponent(dependency: component, services: orderServices)
    ).build()
    let interactor = RiderInteractor(session: session.interactor, speed: services.speed)
    return RiderRouter(interactor: interactor, company: company, session: session)
  }
}
