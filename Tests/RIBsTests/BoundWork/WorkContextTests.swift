// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
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
