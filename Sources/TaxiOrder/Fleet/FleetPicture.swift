package import RIBs

/// Shows a fleet: implemented by the program.
package protocol FleetPresentable: Presentable {
  /// Reports an event immediately.
  func report(_ news: FleetNews)
  /// Shows the state of the fleet.
  func show(_ picture: FleetPicture)
}

/// The visible state of a fleet.
package struct FleetPicture: Hashable, Sendable {
  /// The order of a taxi.
  package struct Order: Hashable, Sendable {
    package let number: Int
    /// The pickup and the destination.
    package let route: String
    package var stage: Stage?
    /// When the stage was entered.
    package var since: Duration
    /// The last output of its RIBs.
    package var line = ""
  }

  /// The time on the fleet's clock.
  package var time = Duration.zero
  /// The order of each taxi, by index.
  package var taxis: [Order?]
  var completed = 0
  var cancelled = 0
  var failed = 0
  var charged = Cents(0)
  /// The size of the screen; nil until it is known.
  package var size: ScreenSize?

  init(taxis count: Int) { taxis = Array(repeating: nil, count: count) }

  /// The number of orders that have ended.
  var ended: Int { completed + cancelled + failed }

  /// The totals, in a sentence.
  package var summary: String {
    "\(ended) \(ended == 1 ? "order" : "orders"): \(completed) completed, \(cancelled) cancelled, \(failed) failed; "
      + "\(charged) charged"
  }
}

/// The size of a screen in characters.
package struct ScreenSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The default for terminals that don't report their size.
  package static let usual = ScreenSize(columns: 80, rows: 24)
}

/// An event of a taxi in a fleet.
package struct FleetNews: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    case began(Trip)
    case entered(Stage)
    case showed(String)
    case ended(OrderOutcome)
  }

  package let time: Duration
  /// The index of the taxi, from zero.
  package let taxi: Int
  /// The number of the order.
  package let order: Int
  package let event: Event
}

/// Reduces the events of many taxis to one state.
enum FleetLogic: StreamLogic {
  struct Input {
    let news = InputPort<FleetNews>()
    let size = InputPort<ScreenSize>()
  }

  struct State {
    let picture: StateCell<FleetPicture>

    init(taxis: Int) { picture = StateCell(FleetPicture(taxis: taxis)) }
  }

  struct Output {
    let picture: OutputValue<FleetPicture>
    let news: Observable<FleetNews>
  }

  typealias Extra = Void

  static func bind(_ binding: StreamBinding<FleetLogic>) -> Output {
    let picture = binding.state.picture
    binding.input.size.subscribe(onNext: { size in
      var next = picture.value
      next.size = size
      picture.accept(next)
    }).disposed(by: binding)
    binding.input.news.subscribe(onNext: { news in picture.accept(picture.value.following(news)) })
      .disposed(by: binding)
    return Output(picture: OutputValue(picture), news: binding.input.news)
  }
}

extension FleetPicture {
  /// The state after an event.
  func following(_ news: FleetNews) -> FleetPicture {
    var next = self
    next.time = news.time
    switch news.event {
    case .began(let trip):
      next.taxis[news.taxi] = Order(number: news.order, route: trip.rider.route, since: news.time)
    case .entered(let stage):
      next.taxis[news.taxi]?.stage = stage
      next.taxis[news.taxi]?.since = news.time
    case .showed(let line): next.taxis[news.taxi]?.line = line.printable
    case .ended(let outcome):
      next.taxis[news.taxi] = nil
      switch outcome {
      case .completed(let charged):
        next.completed += 1
        next.charged = Cents(next.charged.count + charged.count)
      case .cancelled: next.cancelled += 1
      case .failed: next.failed += 1
      }
    }
    return next
  }
}

extension Rider {
  /// The pickup and the destination.
  package var route: String { "\(pickupZone ?? "here") to \(dropoffZone ?? "wherever")" }
}
