// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What a rider has chosen of an order so far, in any order.
public struct OrderChoices: Hashable, Codable, Sendable {
  /// Where a ride goes.
  public enum Destination: Hashable, Codable, Sendable {
    /// To a place, at a fixed fare.
    case to(place: Place)
    /// The rider tells the driver, and pays by the meter.
    case unknown

    /// Nil if it is unknown.
    var place: Place? {
      switch self {
      case .to(let place): place
      case .unknown: nil
      }
    }
  }

  /// Where the ride begins; nil until it is chosen.
  public var pickup: Place?
  /// Where it ends; nil until it is chosen.
  public var destination: Destination?
  /// How the rider pays; nil until it is chosen.
  public var payment: Payment?

  /// Combines choices.
  public init(pickup: Place? = nil, destination: Destination? = nil, payment: Payment? = nil) {
    self.pickup = pickup
    self.destination = destination
    self.payment = payment
  }

  /// The same choices, replaced by others as far as those are made.
  func replaced(by other: OrderChoices) -> OrderChoices {
    OrderChoices(
      pickup: other.pickup ?? pickup, destination: other.destination ?? destination, payment: other.payment ?? payment)
  }
}
