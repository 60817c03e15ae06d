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

  /// The 99th percentile of the times of requests to another tree.
  ///
  /// - Parameter refused: the calls of the hung tree between two of these.
  private func percentile(_ count: Int, refused: Int) async throws -> Duration {
    var times: [Duration] = []
    for _ in 0..<count {
      try await refuse(refused)
      let start = ContinuousClock.now
      guard try await ask("other") == 200 else { fatalError("The other tree has not answered.") }
      times.append(ContinuousClock.now - start)
    }
    return times.sorted()[count * 99 / 100]
  }

  /// Prints the numbers.
  ///
  /// - Returns: whether the refused calls have left no memory. The times are for a quiet machine.
  func measure() async throws -> Bool {
    for tree in ["hung", "other"] { _ = try await ask(tree) }
    let blockade = DispatchSemaphore(value: 0)
    // Blocks a thread of its own, and not one that other trees need.
    let call = Task(executorPreference: OwnThreads()) { [directory] in
      try await directory.perform(on: "hung") { _ in blockade.wait() }
    }
    while directory.counts.calls == 0 { await Task.yield() }
    let waiting = options.callsPerTree - directory.counts.calls
    let callers = (0..<waiting).map { _ in Task { try await ask("hung") } }
    while directory.counts.calls < options.callsPerTree { await Task.yield() }
    // Alternately, and the best of each: other programs have disturbed that one least.
    var (alone, beside) = (Duration.seconds(1), Duration.seconds(1))
    for _ in 0..<10 {
      alone = min(alone, try await percentile(2_000, refused: 0))
      beside = min(beside, try await percentile(2_000, refused: 1))
    }
    // All that is allocated once.
    try await refuse(2_000)
    let before = resident
    try await refuse(10_000)
    let growth = (resident - before) / 1_024
    blockade.signal()
    try await call.value
    for caller in callers { _ = try await caller.value }
    let ratio = beside / alone
    print(
      "beside a hung tree with \(waiting) waiting calls, 10,000 refused calls leave \(growth) KiB; p99 of another tree:",
      "\(beside / .microseconds(1)) µs, without refused calls \(alone / .microseconds(1)) µs; \(ratio)")
    return growth < 1_024
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
