import TestSupport
import Foundation
import RIBs
import RIBsTesting
import Testing

@Suite("The name of a tree")
struct TreeNameTests {
  private let journal = Journal()

  private var configuration: TreeConfiguration {
    var configuration = journal.configuration
    configuration.name = "order-17"
    configuration.labels = ["tenant": "north"]
    configuration.onFailure = { [journal] failure in journal.write("failure \(failure.path)") }
    return configuration
  }

  @Test("begins the paths of its events, misuse, failures and unfinished work")
  func paths() async throws {
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let gate = Gate()
    try await host.perform { [journal] root in
      root.attachChild(root)
      root.interactor.task { await gate.passStubbornly(journal) }
    }
    await journal.wait(for: "begun")
    let report = await host.shutdown(timeout: .zero)
    #expect(report.unfinishedTasks.map(\.path.description) == ["order-17:Root"])
    #expect(report.unfinishedTasks.first?.path.tree == "order-17")
    #expect(report.unfinishedTasks.first?.path.labels == ["tenant": "north"])
    gate.open()
    #expect(journal.lines.allSatisfy { $0 == "begun" || $0.contains("order-17:Root") })
    #expect(journal.lines.count > 5)
  }

  @Test("is in snapshots, also when they are sent")
  func snapshots() async throws {
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let snapshot = await host.snapshot()
    #expect(snapshot.name == "order-17")
    #expect(snapshot.labels == ["tenant": "north"])
    let sent = try JSONDecoder().decode(TreeSnapshot.self, from: try JSONEncoder().encode(snapshot))
    #expect(sent == snapshot)
    await host.shutdown()
  }

  @Test("is none by default")
  func none() async throws {
    let host = await TreeHost(configuration: journal.configuration) { Scripted.RootRouter() }
    let snapshot = await host.snapshot()
    #expect(snapshot.name == nil)
    #expect(!String(decoding: try JSONEncoder().encode(snapshot), as: UTF8.self).contains("\"name\":null"))
    await host.shutdown()
    #expect(journal.lines.first == "attached Root")
  }
}
