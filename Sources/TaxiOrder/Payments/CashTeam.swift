// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The means of payment of the team that looks after cash.
enum CashTeam {
  static var plugins: [Plugin<PaymentContext, Payment>] {
    [
      Plugin(
        PaymentFeature.cash.rawValue, isApplicable: { $0.preference == .cash && !$0.declined.contains(.cash) },
        build: { _ in .cash })
    ]
  }
}
