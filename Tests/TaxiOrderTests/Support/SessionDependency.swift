// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TaxiOrder

/// What the session of a rider needs from a server.
final class SessionDependency: RiderSessionDependency {
  let orderServices: OrderServices
  let orderClock: any OrderClock

  init(_ services: OrderServices, _ clock: any OrderClock = WallClock()) {
    (orderServices, orderClock) = (services, clock)
  }
}
