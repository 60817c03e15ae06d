// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TaxiOrder

/// What a client sees of a rider, as JSON.
public struct RiderView: Hashable, Codable, Sendable {
  /// The state of the order: `none`, `choosing`, `confirming`, `scheduled`, `searching`, `assigned`, `approaching`,
  /// `arrived`, `riding`, `paying`, `choosingPayment`, `paid`, `completed`, `cancelled` or `failed`.
  public var status = "none"
  /// The requests that are possible: `open`, `choose`, `confirm`, `cancel`, `pay`.
  public var actions: [String] = []
  /// A zone, or `here`.
  public var pickup: String?
  /// A zone, or `by meter`.
  public var destination: String?
  public var payment: String?
  /// In cents; nil until it is known, and for a ride by the meter.
  public var fare: Int?
  /// In cents; nil until the ride has ended.
  public var total: Int?
  public var driver: String?
  public var plate: String?
  /// When the taxi is searched; nil for now: milliseconds since 1970.
  public var at: Int?
  /// When the taxi arrives, the ride ends, or a declined card is charged once more: milliseconds since 1970.
  public var until: Int?
  /// The means of payment that were declined.
  public var declined: [String]?
  /// Why the order has failed.
  public var reason: String?

  /// - Parameter speed: how many seconds of an order pass in a second.
  init(_ status: OrderStatus, _ choices: OrderChoices, speed: Int) {
    let milliseconds = { (time: OrderTime) in Int(time.offset / .milliseconds(1)) / speed }
    switch status {
    case .signedOut, .signedIn:
      actions = ["open"]
      return
    case .choosing:
      (self.status, actions) = ("choosing", ["choose", "cancel"])
    case .confirming(let draft):
      (self.status, actions) = ("confirming", ["confirm", "choose", "cancel"])
      if case .fare(let fare) = draft.quote { self.fare = fare.count }
    case .scheduled: (self.status, actions) = ("scheduled", ["cancel"])
    case .searching: (self.status, actions) = ("searching", ["cancel"])
    case .underWay(let assignment, let taxi):
      (driver, plate) = (assignment.driver.name, assignment.driver.plate)
      actions = ["cancel"]
      switch taxi {
      case .assigned(let assignment): (self.status, until) = ("assigned", milliseconds(assignment.arrival))
      case .approaching(let arrival): (self.status, until) = ("approaching", milliseconds(arrival))
      case .arrived: self.status = "arrived"
      case .riding(let end): (self.status, until, actions) = ("riding", milliseconds(end), [])
      case .ended: (self.status, actions) = ("paying", [])
      }
    case .paying(let total): (self.status, self.total) = ("paying", total.count)
    case .choosingPayment(let declined, let retry):
      until = retry.map(milliseconds)
      (self.status, actions) = ("choosingPayment", ["pay"])
      self.declined = declined.map(\.rawValue)
    case .paid(let total): (self.status, self.total) = ("paid", total.count)
    case .ended(let outcome):
      (self.status, actions) = (outcome.name, ["open"])
      switch outcome {
      case .completed(let charged): total = charged.count
      case .cancelled: break
      case .failed(let reason): self.reason = reason
      }
    }
    if case .at(let time) = choices.time { at = milliseconds(time) }
    (pickup, payment) = (choices.pickup?.text, choices.payment?.rawValue)
    switch choices.destination {
    case .to(let place): destination = place.text
    case .unknown: destination = "by meter"
    case nil: break
    }
  }
}

/// An ended order, as JSON.
public struct PastOrderView: Hashable, Codable, Sendable {
  public var pickup: String
  /// Nil for a ride by the meter.
  public var destination: String?
  /// `completed`, `cancelled` or `failed`.
  public var outcome: String
  /// In cents; nil if nothing was charged.
  public var total: Int?

  init(_ order: PastOrder) {
    (pickup, destination, outcome) = (order.pickup.text, order.destination?.text, order.outcome.name)
    if case .completed(let charged) = order.outcome { total = charged.count }
  }
}

extension Place {
  /// The name in JSON.
  var text: String {
    switch self {
    case .zone(let name): name
    case .riderPosition: "here"
    }
  }
}
