// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TaxiOrder

/// A request of a rider that has an effect.
enum RiderRequest: Hashable, Codable, Sendable {
  case open(choices: OrderChoices)
  case choose(choices: OrderChoices)
  case confirm
  case cancel
  case pay(by: Payment)

  /// What the request does, for messages.
  var verb: String {
    switch self {
    case .open: "open an order"
    case .choose: "choose"
    case .confirm: "confirm"
    case .cancel: "cancel"
    case .pay: "pay by this means"
    }
  }
}

/// The request is not possible now.
struct Refusal: Error {
  let request: RiderRequest
  let rider: RiderView
}
