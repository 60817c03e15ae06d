// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HTTPTrees
import Hummingbird
import NIOEmbedded
import RIBs
import RIBsStore

/// What other requests notice of a tree that hangs, while as many calls wait for it as may, and further ones are refused.
struct HungTree: Sendable {
  private final class CounterInteractor: Interactor {
    var count = 0
  }

  private let directory: TreeDirectory<String, RIBs.Router<CounterInteractor>>
  private let responder: HTTPTrees.Responder
  private let options: ServerOptions
  private let channel = NIOAsyncTestingChannel()

  init() {
    var options = ServerOptions()
    (options.ratePerTree, options.ratePerConnection) = (1e9, 1e9)
    // No call ends during the measurement.
    options.timeout = .seconds(300)
    let directory = TreeDirectory<String, RIBs.Router<CounterInteractor>>(configuration: options.directory) { _ in
      RIBs.Router(interactor: CounterInteractor())
    }
    let http = HTTPTrees(options, access: Access(read: Access.anyone), logger: logger)
    responder = http.responder { router in
      http.trees(router).get("trees/:tree") { _, context in
        let count = try await directory.perform(on: context.key) { root in
          root.interactor.count += 1
          return root.interactor.count
        }
        return try JSON.response(count)
      }
    }
    (self.directory, self.options) = (directory, options)
  }

  /// - Returns: the status of the answer.
  private func ask(_ tree: String) async throws -> Int {
    let request = Request(
      head: HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/trees/\(tree)"),
      body: RequestBody(buffer: ByteBuffer()))
    let context = ServerContext(source: .init(channel: channel, logger: logger))
    return try await responder.respond(to: request, context: context).status.code
  }

  /// Makes calls that are refused.
  private func refuse(_ count: Int) async throws {
    for _ in 0..<count {
      let status = try await ask("hung")
      guard status == 503 else { fatalError("\(status)") }
    }
  }

  /// The 99th percentiles of the times of requests to another tree, after a call of a tree that answers, and after one
  /// that is refused. Alternately, so that what disturbs this process disturbs both.
  private func percentiles(_ count: Int) async throws -> (healthy: Duration, hung: Duration) {
    let neighbours = [("healthy", 200), ("hung", 503)]
    var times: [[Duration]] = [[], []]
    for _ in 0..<count {
      for (index, (neighbour, status)) in neighbours.enumerated() {
        guard try await ask(neighbour) == status else { fatalError("\(neighbour) has not answered \(status).") }
        // A call that a tree has answered leaves a second thread awake, which shortens the next request by 11 µs, and one
        // that was refused does not. This wakes it.
        await Task.yield()
        let start = ContinuousClock.now
        guard try await ask("other") == 200 else { fatalError("The other tree has not answered.") }
        times[index].append(ContinuousClock.now - start)
      }
    }
    let percentiles = times.map { $0.sorted()[count * 99 / 100] }
    return (percentiles[0], percentiles[1])
  }

  /// Prints the numbers.
  ///
  /// - Returns: whether refused calls leave no memory, and hold up other trees for no longer than answered ones.
  func measure() async throws -> Bool {
    for tree in ["hung", "healthy", "other"] { _ = try await ask(tree) }
    let blockade = DispatchSemaphore(value: 0)
    // Blocks a thread of its own, and not one that other trees need.
    let call = Task(executorPreference: OwnThreads()) { [directory] in
      try await directory.perform(on: "hung") { _ in blockade.wait() }
    }
    while directory.counts.calls == 0 { await Task.yield() }
    let waiting = options.callsPerTree - directory.counts.calls
    let callers = (0..<waiting).map { _ in Task { try await ask("hung") } }
    while directory.counts.calls < options.callsPerTree { await Task.yield() }
    let (healthy, hung) = try await percentiles(50_000)
    // All that is allocated once.
    try await refuse(2_000)
    let before = resident
    try await refuse(10_000)
    let growth = (resident - before) / 1_024
    blockade.signal()
    try await call.value
    for caller in callers { _ = try await caller.value }
    let ratio = hung / healthy
    print(
      "beside a hung tree with \(waiting) waiting calls, 10,000 refused calls leave \(growth) KiB; p99 of another tree:",
      "\(hung / .microseconds(1)) µs, beside a tree that answers \(healthy / .microseconds(1)) µs; \(ratio)")
    return growth < 1_024 && ratio <= 1.1
  }

  /// The resident memory of this process in bytes; zero where there is no `/proc`.
  private var resident: Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii))?.split(separator: " ") ?? []
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(getpagesize())
  }
}

/// Runs each job on a thread of its own.
private final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
