/// A tree host with any root type, for code that keeps hosts of several types.
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// let order = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// await [AnyTreeHost(session), AnyTreeHost(order)].shutdown(timeout: .seconds(5))
/// ```
public struct AnyTreeHost: Sendable {
  fileprivate let host: any HostOfTree

  /// Wraps a host, and keeps it.
  public init<Root>(_ host: TreeHost<Root>) { self.host = host }

  /// The host, for comparisons.
  var object: AnyObject { host }

  /// Whether the tree has not ended.
  public var isActive: Bool { host.isActive }

  /// Waits until all RIBs of the tree have resigned.
  public var ended: TreeEnded.Reason { get async { await host.ended } }

  /// Takes a snapshot of the tree; without RIBs once the tree has ended.
  public func snapshot() async -> TreeSnapshot { await host.snapshot() }

  /// Ends the tree and waits for its bound work; see `TreeHost.shutdown(timeout:)`.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> ShutdownReport { await host.shutdown(timeout: timeout) }
}

/// What a host offers without the type of its root.
private protocol HostOfTree: AnyObject, Sendable {
  var isActive: Bool { get }
  var ended: TreeEnded.Reason { get async }
  func snapshot() async -> TreeSnapshot
  func shutdown(timeout: Duration?) async -> ShutdownReport
  func shutdown(caller: Int?) async -> ShutdownReport
  func beginShutdown() -> LimitedShutdown
}

extension TreeHost: HostOfTree {}

extension ShutdownReport {
  /// How far the shutdown of many hosts has come.
  public struct Progress: Hashable, Sendable, CustomStringConvertible {
    /// The number of hosts that have ended, or whose wait has.
    public let ended: Int
    /// The number of hosts.
    public let total: Int

    /// The progress in words: `ended 8312 of 10000`.
    public var description: String { "ended \(ended) of \(total)" }
  }
}

extension Sequence {
  /// Ends the trees of many hosts concurrently, and waits for their bound work.
  ///
  /// ```swift
  /// let reports = await sessions.values.shutdown(timeout: .seconds(5)) { progress in print(progress) }
  /// for stuck in reports.flatMap(\.unfinishedTasks) { print(stuck) }
  /// ```
  ///
  /// Each tree ends as with `TreeHost.shutdown(timeout:)`: its RIBs resign, children first, then the call waits for its
  /// work. A tree that does not end delays no other.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for each tree; see `TreeHost.shutdown(timeout:)`.
  ///   - progress: called after each host, one call at a time.
  /// - Returns: a report for each host, in the order of the hosts.
  @discardableResult
  public func shutdown<Root>(
    timeout: Duration? = nil, progress: @Sendable (ShutdownReport.Progress) -> Void = { _ in }
  ) async -> [ShutdownReport] where Element == TreeHost<Root> {
    await shutDown(Array(self), timeout, progress)
  }

  /// Ends the trees of hosts with roots of several types concurrently, and waits for their bound work; see the form for
  /// hosts of one type.
  @discardableResult
  public func shutdown(
    timeout: Duration? = nil, progress: @Sendable (ShutdownReport.Progress) -> Void = { _ in }
  ) async -> [ShutdownReport] where Element == AnyTreeHost {
    await shutDown(map(\.host), timeout, progress)
  }
}

private func shutDown(
  _ hosts: [any HostOfTree], _ timeout: Duration?, _ progress: @Sendable (ShutdownReport.Progress) -> Void
) async -> [ShutdownReport] {
  guard let timeout else { return await shutDown(hosts, progress) }
  let shutdowns = hosts.map { $0.beginShutdown() }
  let timers = LimitedShutdown.limit(shutdowns, to: timeout)
  let arrivals = Arrivals()
  for (index, shutdown) in shutdowns.enumerated() { shutdown.report.whenSet { _ in arrivals.add(index) } }
  var ended = 0
  while ended < shutdowns.count {
    for index in await arrivals.next() {
      shutdowns[index].finish()
      ended += 1
      progress(ShutdownReport.Progress(ended: ended, total: hosts.count))
    }
  }
  for timer in timers { timer.cancel() }
  return shutdowns.compactMap(\.report.current)
}

/// Ends the trees without a timeout: the calling task waits until it is cancelled.
private func shutDown(
  _ hosts: [any HostOfTree], _ progress: @Sendable (ShutdownReport.Progress) -> Void
) async -> [ShutdownReport] {
  // The child tasks are not the work of a tree that may be calling this.
  let caller = callingTask()
  return await withTaskGroup(of: (Int, ShutdownReport).self) { group in
    for (index, host) in hosts.enumerated() {
      group.addTask {
        // Not in the tuple: Swift 6.3.1 corrupts the other element in optimized code that throws.
        let report = await host.shutdown(caller: caller)
        return (index, report)
      }
    }
    var reports = [ShutdownReport?](repeating: nil, count: hosts.count)
    var ended = 0
    for await (index, report) in group {
      reports[index] = report
      ended += 1
      progress(ShutdownReport.Progress(ended: ended, total: hosts.count))
    }
    return reports.compactMap(\.self)
  }
}

/// Collects the numbers of the reports that are there. Cancelling the task that waits has no effect.
private final class Arrivals: Sendable {
  private struct State {
    var numbers: [Int] = []
    var waiter: CheckedContinuation<[Int], Never>?
  }

  private let state = Locked(State())

  /// Adds a number, from any thread.
  func add(_ number: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<[Int], Never>? in
      guard let waiter = state.waiter else {
        state.numbers.append(number)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: [number])
  }

  /// The numbers added since the last call; waits for one if there are none. One task calls this at a time.
  func next() async -> [Int] {
    await withCheckedContinuation { continuation in
      let numbers = state.withLock { state -> [Int] in
        let numbers = state.numbers
        state.numbers = []
        if numbers.isEmpty { state.waiter = continuation }
        return numbers
      }
      if !numbers.isEmpty { continuation.resume(returning: numbers) }
    }
  }
}
