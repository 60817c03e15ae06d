// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
internal import RIBsStore
internal import TaxiOrder

/// Generated orders in a directory of trees, which survive their process.
///
/// Each order is a tree in a `TreeDirectory` with a `FileStore`, of the kind `order`. The simulated backend, its clock and
/// the results stand for other processes: they are in files beside it, which are written before a request is answered and
/// before a tree is saved.
package final class StoredOrders: Sendable {
  /// The kind of the trees in the store.
  static let kind = "order"

  /// The counter of the RIBs of all orders.
  let ribCounter = RIBCounter()
  /// The results of the orders that had ended before this process.
  package let earlierReports: [OrderReport]
  /// The numbers of those orders.
  package let endedOrders: Set<Int>
  /// The numbers of the orders that had begun before this process, and not ended.
  package let openOrders: [Int]

  private let store: FileStore
  private let lives: StoredLives
  private let trees: TreeDirectory<Int, any LaunchRouting>
  private let running: Task<Void, Never>
  private let failed = Locked<[(number: Int, error: any Error)]>([])

  /// Opens a directory, which is made if it does not exist, and restores the orders that were awake when its last process
  /// ended.
  ///
  /// - Parameters:
  ///   - directory: the path of the directory.
  ///   - simulation: the orders. A directory keeps those it began with; their number may grow.
  ///   - inspector: the inspector that may observe the trees.
  ///   - onProblem: called with each problem of the store, on any thread.
  /// - Throws: a `SimulationFiles.Failure` or a `FileStoreError`.
  package init(
    directory: String, _ simulation: StoredSimulation, inspector: (any TreeObserver)? = nil,
    onProblem: @escaping @Sendable (String) -> Void
  ) throws {
    let files = SimulationFiles(directory: directory)
    // Before the store is opened, which writes to the directory.
    try files.check()
    store = try FileStore(directory: directory)
    try files.begin(simulation)
    let backends = try files.backends()
    earlierReports = backends.compactMap(\.backend.report)
    endedOrders = Set(backends.lazy.filter { $0.backend.report != nil }.map(\.number))
    openOrders = backends.filter { $0.backend.report == nil }.map(\.number).sorted()
    let lives = StoredLives(files, simulation, ribCounter)
    self.lives = lives
    let trees = TreeDirectory<Int, any LaunchRouting>(
      StoredOrders.kind, in: BackendFirstStore(base: store, lives: lives),
      // A tree ends when its order has ended, and with the program.
      configuration: DirectoryConfiguration(idleAfter: nil, interval: .milliseconds(200)),
      tree: { number in lives.begin(number, inspector: inspector) },
      onEvent: { event in
        switch event {
        case .storeFailed, .storeRecovered: onProblem("\(event)")
        case .ended(let number, _), .failed(let number, _): try? lives.current(number).treeDidEnd()
        default: break
        }
      },
      build: { number in try lives.current(number).makeRoot() })
    self.trees = trees
    running = Task.detached { await trees.run() }
  }

  /// Runs an order to its end, or continues it.
  ///
  /// - Returns: its result; nil if the calling task was cancelled or the order can't be opened.
  func run(_ number: Int) async -> OrderReport? {
    do {
      while !Task.isCancelled {
        if let report = try await runLife(number) { return report }
      }
    } catch {
      if !Task.isCancelled { failed.withLock { $0.append((number, error)) } }
    }
    return nil
  }

  /// Runs an order until its tree ends.
  ///
  /// - Returns: nil if the order has not ended.
  private func runLife(_ number: Int) async throws -> OrderReport? {
    try await trees.perform(on: number, answering: .atOnce) { _ in }
    let life = try lives.current(number)
    let isStuck = try await life.clock.run { [trees, lives] in
      // Time passes only when the tree is saved.
      try await trees.perform(on: number) { _ in }
      return try await trees.perform(on: number, answering: .atOnce) { _ in
        // The tree was restored meanwhile, and has another clock.
        guard lives.isCurrent(life, number) else { return .stuck }
        return life.clock.advance()
      }
    }
    guard lives.isCurrent(life, number) else { return nil }
    if isStuck { life.end.report(.failed(reason: "the order is stuck: no work is running or scheduled")) }
    guard let outcome = life.end.outcome else { return nil }
    try await trees.perform(on: number) { _ in }
    let host = try await trees.host(for: number)
    // In a cancelled task, `shutdown` does not wait for running work.
    await Task { _ = await host.shutdown() }.value
    // The result comes last: an order without one is opened again, and ends again.
    await life.waitForEndOfTree()
    try Task.checkCancellation()
    let report = try life.finish(outcome)
    lives.end(number)
    return report
  }

  /// Saves and ends all trees, and closes the store. Orders that have not ended stay open in it.
  ///
  /// - Returns: the orders that could not be run or saved, with the reason.
  package func close() async -> [(number: Int, error: String)] {
    running.cancel()
    // In a task that is not cancelled: a cancelled one would not wait.
    let report = await Task { [trees] in await trees.shutdown(timeout: .seconds(10)) }.value
    await running.value
    // Others may open the directory as soon as this returns.
    await store.close()
    let failed = failed.withLock { $0 }
    let unsaved = report.unsaved.map { ($0, "\(SaveAbandoned(key: TreeKey(kind: StoredOrders.kind, id: "\($0)")))") }
    return (failed.map { ($0.number, "\($0.error)") } + unsaved).sorted { $0.0 < $1.0 }
  }
}

/// The tree of a stored order, from its opening to its end, and its backend.
private final class StoredLife: Sendable {
  let clock: VirtualClock
  let end: OrderEnd
  let requestCounter: RequestCounter
  let memory: BackendMemory
  private let order: OrderRun
  private let ribCounter: RIBCounter
  private let file: BackendFile
  private let (endOfTree, continuation) = AsyncStream<Never>.makeStream()

  init(_ order: OrderRun, _ file: BackendFile) throws(SimulationFiles.Failure) {
    self.order = order
    self.file = file
    let saved = try file.read() ?? StoredBackend()
    let clock = VirtualClock(at: saved.time)
    let requestCounter = RequestCounter(
      requests: saved.requests, requestsFromInactive: saved.requestsFromInactive)
    self.clock = clock
    self.requestCounter = requestCounter
    end = OrderEnd(clock: clock)
    ribCounter = RIBCounter(partOf: order.ribCounter)
    memory = BackendMemory(saved.state) { state in
      file.write(StoredBackend(clock, requestCounter, state))
    }
  }

  var configuration: TreeConfiguration {
    TreeConfiguration(
      clock: clock, wallClock: clock.wallClock, leakDetection: .off, inspector: order.inspector,
      eventKinds: OrderRun.recorded
    ) { [requestCounter, clock] event in
      requestCounter.record(event)
      clock.record(event)
    }
  }

  func makeRoot() -> sending any LaunchRouting {
    let simulation = OrderSimulation(
      trip: order.trip, seed: order.seed, fault: order.fault, fleet: order.fleet, clock: clock,
      requestCounter: requestCounter, memory: memory)
    let services = OrderServices(ReliableServices(order.services(simulation), clock: clock))
    let component = AppComponent(
      rider: simulation.rider, services: services, clock: clock, narrator: Narrator(), ribCounter: ribCounter,
      restarts: order.restarts, report: { [end] outcome in end.report(outcome) })
    return component.buildOrder().router
  }

  /// Saves the result.
  func finish(_ outcome: OrderOutcome) throws(SimulationFiles.Failure) -> OrderReport {
    let report = OrderReport(
      outcome: outcome, requests: requestCounter.requests,
      requestsFromInactive: requestCounter.requestsFromInactive, leaked: ribCounter.count)
    var backend = StoredBackend(clock, requestCounter, memory.state)
    backend.report = report
    file.write(backend)
    try file.check()
    return report
  }

  /// Waits until the tree has ended and is saved as asleep, or the calling task is cancelled.
  func waitForEndOfTree() async { for await _ in endOfTree {} }

  func treeDidEnd() { continuation.finish() }

  /// Saves what has changed in the backend, its clock included.
  func saveBackend() throws(SimulationFiles.Failure) {
    memory.reportChange()
    try file.check()
  }

  /// Requests and reports have no effect from now on.
  func close() {
    memory.endLife()
    end.close()
  }
}

extension StoredBackend {
  fileprivate init(_ clock: VirtualClock, _ requestCounter: RequestCounter, _ state: BackendMemory.State) {
    self.init(
      time: clock.time, requests: requestCounter.requests,
      requestsFromInactive: requestCounter.requestsFromInactive, state: state)
  }
}

/// The lives of the orders whose trees are awake.
private final class StoredLives: Sendable {
  private let files: SimulationFiles
  private let simulation: StoredSimulation
  private let ribCounter: RIBCounter
  private let lives = Locked<[Int: Result<StoredLife, SimulationFiles.Failure>]>([:])

  init(_ files: SimulationFiles, _ simulation: StoredSimulation, _ ribCounter: RIBCounter) {
    self.files = files
    self.simulation = simulation
    self.ribCounter = ribCounter
  }

  /// Begins the life of a tree that is being opened.
  ///
  /// - Returns: the configuration of the tree.
  func begin(_ number: Int, inspector: (any TreeObserver)?) -> TreeConfiguration {
    if case .success(let life)? = lives.withLock({ $0[number] }) { life.close() }
    let trip = Trip.generated(number: number, seed: simulation.seed)
    var order = OrderRun(
      trip: trip, seed: simulation.seed, fault: simulation.faults.fault(of: trip, seed: simulation.seed),
      ribCounter: ribCounter)
    order.fleet = simulation.fleet
    order.inspector = inspector
    let life = Result { () throws(SimulationFiles.Failure) in try StoredLife(order, files.backend(of: number)) }
    lives.withLock { $0[number] = life }
    // If the life can't begin, the root can't be built.
    return (try? life.get().configuration) ?? TreeConfiguration()
  }

  func current(_ number: Int) throws -> StoredLife {
    guard let life = lives.withLock({ $0[number] }) else { throw CancellationError() }
    return try life.get()
  }

  func isCurrent(_ life: StoredLife, _ number: Int) -> Bool { (try? current(number)) === life }

  func end(_ number: Int) { lives.withLock { _ = $0.removeValue(forKey: number) } }
}

/// Saves the backend of each order before its tree: a tree must not know more than the processes around it.
private struct BackendFirstStore: ForwardingStore {
  let base: any TreeStore
  let lives: StoredLives

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    for record in records {
      // The backend of an order that has ended is saved already.
      if let number = Int(record.key.id), let life = try? lives.current(number) { try life.saveBackend() }
    }
    return try await base.save(records)
  }
}
