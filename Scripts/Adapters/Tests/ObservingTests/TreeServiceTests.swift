// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import InMemoryLogging
import Logging
import RIBs
import RIBsStore
import RIBsTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import TreeService

@Suite("The service of a directory", .timeLimit(.minutes(15)))
struct TreeServiceTests {
  private let handler = InMemoryLogHandler()

  private var messages: [String] { handler.entries.map { "\($0.level) \($0.message)" } }

  private func service(
    _ directory: TreeDirectory<Int, SmallRouter>, timeout: Duration = .seconds(60)
  ) -> TreeService<Int, SmallRouter> {
    TreeService(directory, timeout: timeout, logger: Logger(label: "service", factory: { _ in handler }))
  }

  @Test("saves, ends and releases all trees when the shutdown begins")
  func shutdown() async throws {
    let store = MemoryStore()
    let directory = TreeDirectory<Int, SmallRouter>(in: store, build: { _ in SmallRouter() })
    for id in 1...10 { _ = try await directory.perform(on: id) { root in root.children.count } }
    let service = service(directory)
    try await testGracefulShutdown { trigger in
      async let run: Void = service.run()
      trigger.triggerGracefulShutdown()
      try await run
    }
    #expect(directory.count == 0)
    await #expect(throws: DirectoryEnded.self) {
      _ = try await directory.perform(on: 1) { root in root.children.count }
    }
    #expect(messages == ["info the trees have ended"])
    #expect(handler.entries.first?.metadata["trees"] == "10")
    // Another owner gets the trees at once.
    let next = TreeOwner(address: "next")
    for id in 1...10 {
      let claim = try await store.claim(TreeKey(kind: "tree", id: "\(id)"), by: next, schema: 1)
      guard case .claimed = claim else {
        Issue.record("\(id) is not free: \(claim)")
        continue
      }
    }
  }

  @Test("ends with its task, and reports what does not end in time")
  func unfinished() async throws {
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let directory = TreeDirectory<Int, SmallRouter>(build: { _ in SmallRouter() })
    let (begun, begin) = AsyncStream<Void>.makeStream()
    try await directory.perform(on: 1) { root in
      root.interactor.task("stubborn", overlap: .concurrent) {
        begin.yield()
        await Task.detached { for await _ in gate {} }.value
      }
    }
    for await _ in begun { break }
    let service = service(directory, timeout: .milliseconds(50))
    let run = Task { try await service.run() }
    run.cancel()
    try await run.value
    opening.finish()
    // The directory may notice first that the tree has not ended.
    let warnings = handler.entries.filter { $0.level == .warning }
    #expect(!warnings.isEmpty && warnings.allSatisfy { $0.metadata["tree"] == "1" })
    for work in warnings.compactMap({ $0.metadata["work"] }) { #expect("\(work)".hasPrefix("1:Small: stubborn")) }
  }

  @Test("names the code that blocks a tree")
  func blocked() async throws {
    let directory = TreeDirectory<Int, SmallRouter>(build: { _ in SmallRouter() })
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let end = DispatchSemaphore(value: 0)
    let host = try await directory.host(for: 1)
    let call = Task(executorPreference: OwnThread()) {
      try await host.perform { _ in
        begin.yield()
        end.wait()
      }
    }
    for await _ in begun { break }
    let run = Task { try await service(directory, timeout: .milliseconds(50)).run() }
    run.cancel()
    try await run.value
    end.signal()
    try await call.value
    let work = handler.entries.compactMap { $0.metadata["work"] }
    #expect(work.count == 1 && work.allSatisfy { "\($0)".contains("perform (TreeServiceTests.swift:") }, "\(work)")
  }
}

/// A thread for code that blocks.
private final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "TreeServiceTests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
