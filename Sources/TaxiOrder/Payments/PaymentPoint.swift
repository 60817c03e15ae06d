// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// Where the app offers means of payment, each written by one team. The first one that is offered is chosen.
package typealias PaymentPoint = PluginPoint<PaymentContext, Payment>

/// What decides which means of payment are offered.
package struct PaymentContext: Hashable, Sendable {
  /// What the rider prefers to pay by.
  let preference: Payment
  /// The means of payment that were declined for this order.
  var declined: Set<Payment> = []
}

/// The names by which means of payment are switched off.
package enum PaymentFeature: String, CaseIterable, Sendable {
  case card
  case otherCard = "other-card"
  case cash
}

extension PluginPoint where Context == PaymentContext, Product == Payment {
  /// The point with the means of payment of all teams.
  ///
  /// - Parameter disabled: those that are switched off.
  package init(without disabled: Set<PaymentFeature>) {
    let names = Set(disabled.map(\.rawValue))
    self.init(CardTeam.plugins + CashTeam.plugins, isEnabled: { !names.contains($0) })
  }
}
