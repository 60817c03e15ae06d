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

  /// When a taxi is searched.
  public enum Time: Hashable, Codable, Sendable {
    /// As soon as the order is confirmed.
    case now
    /// At a date; at once if it has passed.
    case at(time: OrderTime)

    /// Nil for now.
    var date: OrderTime? {
      switch self {
      case .now: nil
      case .at(let time): time
      }
    }
  }

  /// Where the ride begins; nil until it is chosen.
  public var pickup: Place?
  /// Where it ends; nil until it is chosen.
  public var destination: Destination?
  /// How the rider pays; nil until it is chosen.
  public var payment: Payment?
  /// When a taxi is searched; nil for now.
  public var time: Time?

  /// Combines choices.
  public init(pickup: Place? = nil, destination: Destination? = nil, payment: Payment? = nil, time: Time? = nil) {
    self.pickup = pickup
    self.destination = destination
    self.payment = payment
    self.time = time
  }

  /// The same choices, replaced by others as far as those are made.
  func replaced(by other: OrderChoices) -> OrderChoices {
    OrderChoices(
      pickup: other.pickup ?? pickup, destination: other.destination ?? destination, payment: other.payment ?? payment,
      time: other.time ?? time)
  }
}
