// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsStore
internal import TaxiOrder

/// Runs an order whose tree crashes, and is restored each time from what was saved last.
///
/// A crash drops the tree at an event: from then on its saves, requests and reports have no effect. Nothing is left but
/// the backend and the saved document. Time passes only when the tree is saved.
struct OrderLives: Sendable {
  private let order: OrderRun
  private let plan: CrashPlan
  private let didCrash: (@Sendable (OrderStore, BackendMemory, OrderTime) -> Void)?

  /// - Parameter didCrash: called after each crash with what it has left: all that the next life depends on.
  init(
    _ order: OrderRun, _ plan: CrashPlan, didCrash: (@Sendable (OrderStore, BackendMemory, OrderTime) -> Void)? = nil
  ) {
    self.order = order
    self.plan = plan
    self.didCrash = didCrash
  }

  /// Runs the order to its end, or until the calling task is cancelled.
  func run() async -> OrderCourse {
    let ribCounter = RIBCounter(partOf: order.ribCounter)
    let memory = BackendMemory()
    let store = OrderStore()
    var course = OrderCourse()
    var life = OrderLife(0, plan, at: .zero, memory, store)
    while true {
      await run(life, ribCounter, memory, store, &course)
      course.requests += life.requestCounter.requests
      course.requestsFromInactive += life.requestCounter.requestsFromInactive
      guard life.hasCrashed, !Task.isCancelled else { break }
      course.crashes += 1
      didCrash?(store, memory, life.clock.time)
      life = OrderLife(course.crashes, plan, at: life.clock.time, memory, store)
    }
    course.outcome = life.end.outcome ?? .cancelled
    course.charges = memory.charges
    course.taxis = memory.taxis
    course.leaked = ribCounter.count
    return course
  }

  /// Runs one life.
  private func run(
    _ life: OrderLife, _ ribCounter: RIBCounter, _ memory: BackendMemory, _ store: OrderStore,
    _ course: inout OrderCourse
  ) async {
    let (clock, requestCounter, end) = (life.clock, life.requestCounter, life.end)
    let simulation = OrderSimulation(
      trip: order.trip, seed: order.seed, fault: order.fault, fleet: order.fleet, clock: clock,
      requestCounter: requestCounter, memory: memory)
    var services = OrderServices(ReliableServices(order.services(simulation), clock: clock))
    if order.usesUnboundWork { services.vehicle = UnboundPolling(services.vehicle, clock: clock) }
    let configuration = TreeConfiguration(
      clock: clock, wallClock: clock.wallClock, leakDetection: .off, inspector: order.inspector, saving: life,
      eventKinds: OrderRun.recorded,
      onEvent: { event in
        requestCounter.record(event)
        clock.record(event)
      },
      // Work of a dropped tree.
      onFailure: { _ in })
    do {
      let document = try store.document
      let record = try await LifeActor().run(life, configuration, document) { [services] in
        let component = AppComponent(
          rider: simulation.rider, services: services, clock: clock, narrator: Narrator(), ribCounter: ribCounter,
          restarts: order.restarts, report: { outcome in end.report(outcome) })
        return component.buildOrder().router
      }
      course.paths.formUnion(record.paths)
      course.untaken += record.untaken
      course.events.append(record.events)
    } catch {
      end.report(.failed(reason: "\(error)"))
    }
  }
}

/// What happened in all lives of an order.
struct OrderCourse: Hashable, Sendable {
  var outcome = OrderOutcome.cancelled
  /// Without those that a restored tree has repeated.
  var requests = 0
  var requestsFromInactive = 0
  var leaked = 0
  var crashes = 0
  /// The number of times that a card was charged.
  var charges = 0
  /// The number of taxis that have accepted the order.
  var taxis = 0
  /// The number of events in each life.
  var events: [Int] = []
  /// The paths of all RIBs that were active, without labels: which taxis are nearby is random.
  var paths: Set<String> = []
  /// The saved RIBs that were not restored.
  var untaken: [String] = []

  var report: OrderReport {
    OrderReport(
      outcome: outcome, requests: requests, requestsFromInactive: requestsFromInactive, leaked: leaked)
  }
}

/// What an order has saved. It outlives the trees of the order.
final class OrderStore: Sendable {
  private let saved = Locked<(tree: SavedTree?, life: Int)>((nil, 0))

  /// The last saved tree, after encoding and decoding; nil if none was saved.
  var document: SavedTree? {
    get throws {
      let coder = JSONStateCoder()
      return try saved.withLock { $0.tree }.map { try SavedTree($0.encoded(by: coder)) }
    }
  }

  /// Saves the tree of a life, unless a later one has begun.
  func save(_ tree: SavedTree, of life: Int) {
    saved.withLock { saved in
      if saved.life == life { saved.tree = tree }
    }
  }

  func begin(_ life: Int) { saved.withLock { $0.life = life } }
}

/// A life of a tree, from its launch or restore to its crash or end.
final class OrderLife: TreeSaving {
  let clock: VirtualClock
  let requestCounter = RequestCounter()
  let end: OrderEnd
  private let number: Int
  private let crashEvent: Int?
  private let memory: BackendMemory
  private let store: OrderStore
  private let isCrashed = Locked(false)

  init(_ number: Int, _ plan: CrashPlan, at time: OrderTime, _ memory: BackendMemory, _ store: OrderStore) {
    self.number = number
    crashEvent = plan.event(inLife: number)
    clock = VirtualClock(at: time)
    end = OrderEnd(clock: clock)
    self.memory = memory
    self.store = store
    store.begin(number)
  }

  var hasCrashed: Bool { isCrashed.withLock { $0 } }

  /// Whether the order has ended or the tree has crashed.
  var isOver: Bool { hasCrashed || end.outcome != nil }

  func save(_ saved: SavedTree) async throws { store.save(saved, of: number) }

  /// Called with each event of the tree, by number.
  func didReceive(_ event: Int) {
    guard event == crashEvent else { return }
    isCrashed.withLock { $0 = true }
    memory.endLife()
    store.begin(number + 1)
    end.close()
  }
}

/// The actor of a life's tree.
private actor LifeActor {
  struct Record: Sendable {
    var events = 0
    var paths: Set<String> = []
    var untaken: [String] = []
  }

  private var tree: Tree?
  private var record = Record()

  /// Runs a tree until its order has ended or it crashes.
  ///
  /// - Parameters:
  ///   - life: the life of the tree.
  ///   - configuration: the configuration of the tree.
  ///   - document: what was saved last; nil to begin anew.
  ///   - build: builds the root.
  func run(
    _ life: OrderLife, _ configuration: TreeConfiguration, _ document: SavedTree?,
    _ build: @Sendable () -> any LaunchRouting
  ) async throws(SavedTree.RestoreError) -> Record {
    let root = build()
    let interactor = root.interactable as? Interactor
    let tree =
      if let document {
        try Tree(root: root, restoring: document, coder: JSONStateCoder(), configuration: configuration)
      } else {
        Tree(root: root, configuration: configuration)
      }
    self.tree = tree
    let subscription = tree.events.subscribe(onNext: { event in self.receive(event, in: life) })
    tree.launch()
    await OrderRun.advanceTime(life.clock, until: life.end) {
      self.preconditionIsolated()
      try await interactor?.checkpoint()
      return life.clock.advance()
    }
    subscription.dispose()
    // Frees the memory. What a crashed tree does from here on has no effect. In a cancelled task, `shutdown` does not
    // wait for running work.
    if await !shutdown() { await Task { _ = await shutdown() }.value }
    self.tree = nil
    return record
  }

  private func receive(_ event: TreeEvent, in life: OrderLife) {
    guard !life.isOver else { return }
    record.events += 1
    if event.kind == .activated { record.paths.insert(event.path.components.joined(separator: "/")) }
    record.untaken += event.untaken
    life.didReceive(record.events)
  }

  /// - Returns: whether all work of the tree has ended.
  private func shutdown() async -> Bool { await tree?.shutdown().unfinishedTasks.isEmpty ?? true }
}
