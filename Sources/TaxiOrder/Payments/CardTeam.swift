// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The means of payment of the team that looks after cards.
enum CardTeam {
  static var plugins: [Plugin<PaymentContext, Payment>] { [plugin(.card, .card), plugin(.otherCard, .otherCard)] }

  private static func plugin(_ feature: PaymentFeature, _ payment: Payment) -> Plugin<PaymentContext, Payment> {
    Plugin(
      feature.rawValue, isApplicable: { $0.preference != .cash && !$0.declined.contains(payment) },
      build: { _ in payment })
  }
}
