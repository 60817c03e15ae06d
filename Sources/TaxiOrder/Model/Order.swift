// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The choices of an order before it is placed.
public struct OrderDraft: Hashable, Codable, Sendable {
  /// Where the ride begins.
  public package(set) var pickup = Place.riderPosition
  /// Nil until it is chosen, and if the rider skips it.
  public package(set) var destination: Place?
  /// Nil until the price is quoted.
  public package(set) var quote: Quote?
  /// How the rider pays.
  public package(set) var payment = Payment.cash
  /// When a taxi is searched; nil for at once.
  public package(set) var time: OrderTime?

  package init() {}
}

/// How an order ended.
public enum OrderOutcome: Hashable, Codable, Sendable {
  /// The ride has ended and is paid.
  case completed(charged: Cents)
  /// Cancelled by the rider, or by an interruption of the program.
  case cancelled
  /// A request that the order needs failed, with the reason.
  case failed(reason: String)

  /// The outcome in one word.
  public var name: String {
    switch self {
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

/// An ended order, as shown in the history.
public struct PastOrder: Hashable, Codable, Sendable, CustomStringConvertible {
  /// Where the ride began, or was to begin.
  public let pickup: Place
  /// Where it was to end; nil if the rider did not say.
  public let destination: Place?
  /// How the order ended.
  public let outcome: OrderOutcome
  /// Nil if there was no ride to rate.
  let rating: Rating?

  /// The order as one line.
  public var description: String {
    let way = "\(pickup)\(destination.map { " to \($0)" } ?? "")"
    return switch outcome {
    case .completed(let charged): "\(way), \(charged)\(rating.map { ", \($0)" } ?? "")"
    case .cancelled: "\(way), cancelled"
    case .failed(let reason): "\(way), failed: \(reason)"
    }
  }
}
