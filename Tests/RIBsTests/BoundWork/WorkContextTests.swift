// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("The context of bound work")
struct WorkContextTests {
  private let journal = Journal()

  private var configuration: TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off, eventKinds: [.taskEnded], onEvent: { [journal] _ in journal.write("over") })
  }

  @Test("has the priority of the request that asks for the work, also if it waits for other work of its name")
  func priorities() async throws {
    let gate = Gate()
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    for priority in [TaskPriority.background, .high, .low] {
      try await Task(priority: priority) {
        try await host.perform { [journal] root in
          _ = root.interactor.task("send", overlap: .enqueue) {
            await gate.pass()
            journal.write("\(priority.rawValue) task \(Task.basePriority?.rawValue ?? 0)")
          }
          _ = root.interactor.run(
            "fetch", overlap: .enqueue,
            {
              await gate.pass()
              journal.write("\(priority.rawValue) run \(Task.basePriority?.rawValue ?? 0)")
            }
          ) {}
        }
      }.value
    }
    gate.open()
    await journal.wait(for: "over", count: 6)
    await host.shutdown()
    let priorities = [TaskPriority.background, .high, .low].map(\.rawValue)
    let expected = priorities.flatMap { priority in ["\(priority) task \(priority)", "\(priority) run \(priority)"] }
    #expect(Set(journal.lines.filter { $0 != "over" }) == Set(expected))
  }

  private final class Token: Sendable {}

  private enum Local { @TaskLocal static var token: Token? }

  @Test("is that of the caller in a call that is bound to a worker")
  func callOfWorker() async throws {
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    try await host.perform { root in Worker().start(root.interactor) }
    let hasToken = try await Local.$token.withValue(Token()) {
      try await host.perform(within: { $0.interactor.runningWorkers.first }) { _ in Local.token != nil }
    }
    #expect(hasToken)
    await host.shutdown()
  }

  @Test("is released with queued work that an observer ends as it starts")
  func endedAtStart() throws {
    let test = TestTree(recording: [])
    let root = test.launch(Scripted.RootRouter())
    var starts = 0
    let subscription = try #require(test.tree).events.subscribe(onNext: { event in
      guard event.kind == .taskStarted else { return }
      starts += 1
      if starts == 2 { root.interactor.cancel("send") }
    })
    weak var token: Token?
    root.interactor.task("send", overlap: .enqueue) { [clock = root.interactor.treeClock] in
      try await clock.sleep(for: .seconds(1))
    }
    do {
      let new = Token()
      token = new
      Local.$token.withValue(new) { _ = root.interactor.task("send", overlap: .enqueue) {} }
    }
    test.settle()
    #expect(token != nil && starts == 1)
    test.advance(by: .seconds(1))
    #expect(token == nil && starts == 2)
    subscription.dispose()
    test.finish()
  }

  @Test("has a priority of its own if it lives as long as the RIB, and that is asked for")
  func ownPriority() async throws {
    var configuration = configuration
    configuration.workContext = .own(priority: .background)
    let host = await TreeHost(configuration: configuration) { [journal] in
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        interactor.task { journal.write("\(Task.basePriority?.rawValue ?? 0)") }
      }
      return root
    }
    await journal.wait(for: "over")
    await host.shutdown()
    #expect(journal.lines.first == "\(TaskPriority.background.rawValue)")
  }
}
