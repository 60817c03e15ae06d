// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsLists
internal import TaxiOrder

protocol FleetRouting: Routing {
  /// Attaches a taxi's next order, after detaching the last one.
  func routeToOrder(_ order: any RootRouting, of taxi: Int)
  /// Detaches a taxi's last order, because there is no other.
  func routeToNoOrder(of taxi: Int)
}

/// Assigns each taxi of a fleet one order after another, as long as there are any.
final class FleetInteractor: PresentableInteractor<any FleetPresentable> {
  weak var router: (any FleetRouting)?

  private static let pageSize = 20
  /// How often the size of the screen is read.
  private static let measuring = Duration.milliseconds(100)

  private let taxis: Int
  private let source: FleetOrders
  private let measure: () -> ScreenSize?
  private let onEnd: () -> Void
  /// Taxis that wait for an order.
  private var waiting: [Int] = []
  private var serving = 0
  private var next = 0

  /// - Parameters:
  ///   - taxis: the number of taxis.
  ///   - source: generates the orders.
  ///   - measure: returns the size of the screen; nil if there is none.
  ///   - onEnd: called when all orders have ended.
  init(
    presenter: any FleetPresentable, taxis: Int, source: FleetOrders, measure: @escaping () -> ScreenSize?,
    onEnd: @escaping () -> Void
  ) {
    self.taxis = taxis
    viewModel = FleetViewModel(taxis: taxis)
    self.source = source
    self.measure = measure
    self.onEnd = onEnd
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { viewModel.summary }

  /// The latest state of the fleet. Stored, because the last frame is drawn after the stream has ended.
  private(set) var viewModel: FleetViewModel

  private var fleet: UnidirectionalStream<FleetLogic> {
    scoped { UnidirectionalStream(input: FleetLogic.Input(), state: FleetLogic.State(taxis: self.taxis)) }
  }

  private var screen: PacedPresenter<FleetViewModel> {
    scoped { PacedPresenter(of: self) { self.presenter.show($0) } }
  }

  private var trips: Pager<Trip> {
    scoped {
      Pager(of: self) { batch in
        let page = self.source.trips(from: batch.offset, atMost: FleetInteractor.pageSize)
        batch.complete(page, isLast: page.count < FleetInteractor.pageSize)
      }
    }
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    let screen = screen
    fleet.output.events.subscribe(onNext: { self.presenter.report($0) }).disposeOnDeactivate(interactor: self)
    fleet.output.viewModel.subscribe(onNext: { viewModel in
      self.viewModel = viewModel
      screen.present(viewModel)
    }).disposeOnDeactivate(interactor: self)
    task {
      // A sleep that ended before the RIB resigned is not cancelled.
      while self.isActive, let size = self.measure() {
        self.fleet.input.size.accept(size)
        try await ContinuousClock().sleep(for: FleetInteractor.measuring)
      }
    }
    for taxi in 0..<taxis { wait(taxi) }
    trips.state.subscribe(onNext: { _ in self.serve() }).disposeOnDeactivate(interactor: self)
    trips.setWindow(0..<taxis, towards: .tail)
  }

  /// Assigns the next known orders to waiting taxis.
  private func serve() {
    while let taxi = waiting.first, next < trips.items.count || !trips.hasMore {
      waiting.removeFirst()
      if next < trips.items.count {
        next += 1
        begin(trips.items[next - 1], with: taxi)
      } else {
        router?.routeToNoOrder(of: taxi)
      }
      source.clock.workDidEnd()
    }
    trips.setWindow(next..<next + taxis, towards: .tail)
    if serving == 0, waiting.isEmpty { onEnd() }
  }

  /// Adds a taxi to the waiting ones. The clock does not advance meanwhile.
  private func wait(_ taxi: Int) {
    source.clock.workDidBegin()
    waiting.append(taxi)
  }

  private func begin(_ trip: Trip, with taxi: Int) {
    serving += 1
    publish(.began(trip), of: trip, taxi)
    let order = source.order(
      for: trip,
      narrator: Narrator { [weak self] narration in
        switch narration {
        case .stage(let stage): self?.publish(.entered(stage), of: trip, taxi)
        case .line(let line): self?.publish(.showed(line), of: trip, taxi)
        case .heading: break
        }
      },
      report: { [weak self] outcome in self?.end(trip, with: taxi, outcome) })
    router?.routeToOrder(order, of: taxi)
  }

  private func end(_ trip: Trip, with taxi: Int, _ outcome: OrderOutcome) {
    serving -= 1
    publish(.ended(outcome), of: trip, taxi)
    wait(taxi)
    serve()
  }

  private func publish(_ kind: FleetEvent.Kind, of trip: Trip, _ taxi: Int) {
    guard isActive else { return }
    let event = FleetEvent(time: source.clock.now.offset, taxi: taxi, order: trip.number, kind: kind)
    fleet.input.events.accept(event)
  }
}

/// The children are the orders of the taxis.
final class FleetRouter: Router<FleetInteractor>, FleetRouting {
  private var orders: [Int: any RootRouting] = [:]

  override init(interactor: FleetInteractor) {
    super.init(interactor: interactor)
    interactor.router = self
  }

  func routeToOrder(_ order: any RootRouting, of taxi: Int) {
    routeToNoOrder(of: taxi)
    orders[taxi] = order
    attachChild(order)
  }

  func routeToNoOrder(of taxi: Int) {
    if let order = orders.removeValue(forKey: taxi) { detachChild(order) }
  }
}
