// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The price of a ride, itemized.
public struct Bill: Hashable, Codable, Sendable {
  /// The price of the ride itself.
  public let fare: Cents
  /// What the rider adds.
  public let tip: Cents
  /// Charges for roads and bridges.
  public let tolls: Cents
  /// Charges other than fare, tip and tolls.
  public let surcharge: Cents
  /// The total charge.
  public let total: Cents

  /// Computes the surcharge; nil if the items exceed the total.
  package init?(fare: Cents, tip: Cents, tolls: Cents, total: Cents) {
    let parts = Int128(fare.count) + Int128(tip.count) + Int128(tolls.count)
    guard parts <= Int128(total.count) else { return nil }
    self.init(fare: fare, tip: tip, tolls: tolls, surcharge: Cents(Int(Int128(total.count) - parts)))
  }

  /// Computes the total.
  public init(fare: Cents, tip: Cents, tolls: Cents, surcharge: Cents) {
    self.fare = fare
    self.tip = tip
    self.tolls = tolls
    self.surcharge = surcharge
    total = Cents(fare.count + tip.count + tolls.count + surcharge.count)
  }
}

/// An amount of money, in whole cents.
public struct Cents: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
  /// The number of cents.
  public let count: Int

  /// Creates an amount.
  public init(_ count: Int) { self.count = count }

  /// Decodes the number of cents.
  public init(from decoder: any Decoder) throws { count = try decoder.singleValueContainer().decode(Int.self) }

  /// Encodes the number of cents.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }

  /// Compares two amounts.
  public static func < (one: Cents, other: Cents) -> Bool { one.count < other.count }

  /// Dollars and cents: `12.95`.
  public var description: String { FixedPoint.text(Int128(count), decimals: 2) }
}

/// The paid bill and the means of payment.
struct PaidBill: Hashable, Codable, Sendable {
  let bill: Bill
  let payment: Payment
}

/// The price quoted before the order is placed.
public enum Quote: Hashable, Codable, Sendable, CustomStringConvertible {
  /// A fixed fare, if the destination is known.
  case fare(amount: Cents)
  /// By the meter, if the destination is unknown.
  case metered

  /// The fare, or `metered`.
  public var description: String {
    switch self {
    case .fare(let fare): "\(fare)"
    case .metered: "metered"
    }
  }
}

/// A means of payment.
public enum Payment: String, Codable, Sendable, CustomStringConvertible {
  /// The rider's card.
  case card
  /// The card that is tried after the first one was declined.
  case otherCard
  /// Paid to the driver; no request to the payment service.
  case cash

  /// The means of payment in words.
  public var description: String {
    switch self {
    case .card: "credit card"
    case .otherCard: "another credit card"
    case .cash: "cash"
    }
  }
}

/// The result of a payment request.
public enum PaymentAnswer: String, Codable, Sendable {
  /// The card was charged.
  case paid
  /// The card can't be charged, and was not.
  case declined
}
