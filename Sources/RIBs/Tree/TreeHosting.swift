/// A host of a tree, whatever the type of its root: what a server that keeps hosts of several kinds knows of them.
public protocol TreeHosting: Sendable {
  /// The tree as it stands; without RIBs once it has ended.
  func snapshot() async -> TreeSnapshot

  /// Ends the tree and waits for its bound work; see `TreeHost.shutdown(deadline:)`.
  func shutdown(deadline: Duration?) async -> ShutdownReport
}

extension TreeHost: TreeHosting {}

extension Sequence where Element: TreeHosting {
  /// Ends the trees of many hosts, all at once, and waits for their bound work.
  ///
  /// ```swift
  /// let reports = await sessions.values.shutdown(deadline: .seconds(5))
  /// for stuck in reports.flatMap(\.stuck) { print(stuck) }
  /// ```
  ///
  /// Each tree ends as `TreeHost.shutdown(deadline:)` says: its RIBs resign, children first, then its work is waited for.
  /// One that is stuck holds up no other.
  ///
  /// - Parameter deadline: how long to wait for the work of each tree, on that tree's clock, from the moment when the tree
  ///   has ended. The wait is not cut short by the cancellation of the calling task. Without a deadline it takes as long as
  ///   it takes, or until the calling task is cancelled.
  /// - Returns: a report for each host, in the order of the hosts.
  @discardableResult
  public func shutdown(deadline: Duration? = nil) async -> [ShutdownReport] {
    await shutDown(Array(self), deadline: deadline)
  }
}

extension Sequence where Element == any TreeHosting {
  /// Ends the trees of many hosts with roots of several types, all at once, and waits for their bound work; see the form
  /// for hosts of one type.
  @discardableResult
  public func shutdown(deadline: Duration? = nil) async -> [ShutdownReport] {
    await shutDown(Array(self), deadline: deadline)
  }
}

private func shutDown(_ hosts: [any TreeHosting], deadline: Duration?) async -> [ShutdownReport] {
  await withTaskGroup(of: (Int, ShutdownReport).self) { group in
    for (index, host) in hosts.enumerated() {
      group.addTask {
        // Not in the tuple, of which Swift 6.3.1 spoils the other element in optimized code that throws.
        let report = await host.shutdown(deadline: deadline)
        return (index, report)
      }
    }
    var reports = [ShutdownReport?](repeating: nil, count: hosts.count)
    for await (index, report) in group { reports[index] = report }
    return reports.compactMap(\.self)
  }
}
