/// The visible state of a fleet.
struct FleetPicture: Hashable, Sendable {
  /// The order of a taxi.
  struct Order: Hashable, Sendable {
    let number: Int
    /// The pickup and the destination.
    let route: String
    var stage: Stage?
    /// When the stage was entered.
    var since: Duration
    /// The last output of its RIBs.
    var line = ""
  }

  /// The time on the fleet's clock.
  var time = Duration.zero
  /// The order of each taxi, by index.
  var taxis: [Order?]
  var completed = 0
  var cancelled = 0
  var failed = 0
  var charged = Cents(0)
  /// The size of the screen; nil until it is known.
  var size: ScreenSize?

  init(taxis count: Int) { taxis = Array(repeating: nil, count: count) }

  /// The number of orders that have ended.
  var ended: Int { completed + cancelled + failed }

  /// The totals, in a sentence.
  var summary: String {
    "\(ended) \(ended == 1 ? "order" : "orders"): \(completed) completed, \(cancelled) cancelled, \(failed) failed; "
      + "\(charged) charged"
  }
}

/// The size of a screen in characters.
struct ScreenSize: Hashable, Sendable {
  let columns: Int
  let rows: Int

  /// The default for terminals that don't report their size.
  static let usual = ScreenSize(columns: 80, rows: 24)
}

/// An event of a taxi in a fleet.
struct FleetNews: Hashable, Sendable {
  enum Event: Hashable, Sendable {
    case began(Trip)
    case entered(Stage)
    case showed(String)
    case ended(OrderOutcome)
  }

  let time: Duration
  /// The index of the taxi, from zero.
  let taxi: Int
  /// The number of the order.
  let order: Int
  let event: Event
}
