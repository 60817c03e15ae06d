// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
package import TaxiOrder

/// Shows a fleet: implemented by the program.
package protocol FleetPresentable: Presentable {
  /// Reports an event immediately.
  func report(_ event: FleetEvent)
  /// Shows the state of the fleet.
  func show(_ viewModel: FleetViewModel)
}

/// The visible state of a fleet.
package struct FleetViewModel: Hashable, Sendable {
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
  package static let fallback = ScreenSize(columns: 80, rows: 24)
}

/// An event of a taxi in a fleet.
package struct FleetEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
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
  package let kind: Kind
}

/// Reduces the events of many taxis to one state.
enum FleetLogic: StreamLogic {
  struct Input {
    let events = InputPort<FleetEvent>()
    let size = InputPort<ScreenSize>()
  }

  struct State {
    let viewModel: StateCell<FleetViewModel>

    init(taxis: Int) { viewModel = StateCell(FleetViewModel(taxis: taxis)) }
  }

  struct Output {
    let viewModel: OutputValue<FleetViewModel>
    let events: Observable<FleetEvent>
  }

  typealias Extra = Void

  static func bind(_ binding: UnidirectionalStream<FleetLogic>.Binding) -> Output {
    let viewModel = binding.state.viewModel
    binding.input.size.subscribe(onNext: { size in
      var next = viewModel.value
      next.size = size
      viewModel.accept(next)
    }).disposed(by: binding)
    binding.input.events.subscribe(onNext: { event in viewModel.accept(viewModel.value.applying(event)) })
      .disposed(by: binding)
    return Output(viewModel: OutputValue(viewModel), events: binding.input.events)
  }
}

extension FleetViewModel {
  /// The state after an event.
  func applying(_ event: FleetEvent) -> FleetViewModel {
    var next = self
    next.time = event.time
    switch event.kind {
    case .began(let trip):
      next.taxis[event.taxi] = Order(number: event.order, route: trip.rider.route, since: event.time)
    case .entered(let stage):
      next.taxis[event.taxi]?.stage = stage
      next.taxis[event.taxi]?.since = event.time
    case .showed(let line): next.taxis[event.taxi]?.line = line.printable
    case .ended(let outcome):
      next.taxis[event.taxi] = nil
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
