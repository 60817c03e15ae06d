/// What there is to see of a fleet at a moment.
struct FleetPicture: Hashable, Sendable {
  /// An order that a taxi serves.
  struct Order: Hashable, Sendable {
    let number: Int
    /// Where from and where to.
    let route: String
    var stage: Stage?
    /// When the stage was entered.
    var since: Duration
    /// What its RIBs had to show last.
    var line = ""
  }

  /// The time on the fleet's clock.
  var time = Duration.zero
  /// For each taxi, the order it serves.
  var taxis: [Order?]
  var completed = 0
  var cancelled = 0
  var failed = 0
  var charged = Cents(0)
  /// How large the screen is; nil as long as that is not known.
  var size: ScreenSize?

  init(taxis count: Int) { taxis = Array(repeating: nil, count: count) }

  /// How many orders have ended.
  var ended: Int { completed + cancelled + failed }

  /// How it went, in a sentence.
  var summary: String {
    "\(ended) \(ended == 1 ? "order" : "orders"): \(completed) completed, \(cancelled) cancelled, \(failed) failed; "
      + "\(charged) charged"
  }
}

/// How many characters a screen has.
struct ScreenSize: Hashable, Sendable {
  let columns: Int
  let rows: Int

  /// What terminals are if they don't say.
  static let usual = ScreenSize(columns: 80, rows: 24)
}

/// Something that a taxi of a fleet does.
struct FleetNews: Hashable, Sendable {
  enum Event: Hashable, Sendable {
    case began(Trip)
    case entered(Stage)
    case showed(String)
    case ended(OrderOutcome)
  }

  let time: Duration
  /// Counts the taxis from zero.
  let taxi: Int
  /// The number of the order.
  let order: Int
  let event: Event
}
