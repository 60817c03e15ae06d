// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs
internal import RIBsInspector

extension TaxiProgram {
  /// Keeps one tree for each rider, and shuts all down when the calling task is cancelled by a signal.
  ///
  /// - Returns: the exit status: a failure if some work has not ended in time.
  func serve(_ options: ServeOptions) async -> Int32 {
    let inspector: Inspector?
    do throws(InspectorError) {
      inspector = try startRecording(options.recordPath)
    } catch {
      return report(error)
    }
    defer { inspector?.stop() }
    var configuration = TreeConfiguration(inspector: observer(inspector))
    if options.showsEvents { configuration.onEvent = { [terminal] event in terminal.out("\(event)\n") } }
    var hosts: [TreeHost<SessionRouter>] = []
    for number in 1...options.sessions where !Task.isCancelled {
      let component = ServerComponent(log: { [terminal] line in terminal.out("\(line)\n") })
      hosts.append(
        await TreeHost(configuration: configuration) {
          SessionBuilder(dependency: component).build(number: number, isStuck: options.isStuck && number == 1)
        })
    }
    let process = ProcessInfo.processInfo.processIdentifier
    terminal.out("\(hosts.count) sessions are open; end them with: kill \(process)\n")
    await waitForCancellation()
    terminal.out("ending \(hosts.count) sessions\n")
    // In a task that is not cancelled: a cancelled one would not wait for running work.
    let reports = await Task { [hosts] in
      await withTaskGroup { group in
        for host in hosts { group.addTask { await host.shutdown(timeout: .seconds(2)) } }
        return await group.reduce(into: [ShutdownReport]()) { reports, report in reports.append(report) }
      }
    }.value
    let unfinished = reports.flatMap(\.unfinishedTasks)
    let busy = reports.compactMap(\.busy)
    for work in unfinished { terminal.out("stuck: \(work)\n") }
    for tree in busy { terminal.out("busy: \(tree)\n") }
    guard busy.isEmpty else {
      terminal.out("not all sessions have ended\n")
      return ExitStatus.failure
    }
    terminal.out("all sessions have ended\(unfinished.isEmpty ? "" : ", but not all of their work")\n")
    return unfinished.isEmpty ? ExitStatus.success : ExitStatus.failure
  }

  private func waitForCancellation() async {
    let (never, continuation) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    continuation.finish()
  }
}

/// The dependencies that all sessions share.
private final class ServerComponent: SessionDependency, Sendable {
  private let write: @Sendable (String) -> Void

  init(log: @escaping @Sendable (String) -> Void) { write = log }

  var log: (String) -> Void { write }
}
