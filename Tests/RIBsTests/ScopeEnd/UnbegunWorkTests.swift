// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

/// Counts on its actor whatever runs although it must not.
private final class UnbegunRouter: Router<Scripted.Interactor> {
  let journal: Journal
  let hasCaptureList: Bool

  init(_ journal: Journal, hasCaptureList: Bool) {
    self.journal = journal
    self.hasCaptureList = hasCaptureList
    super.init(interactor: Scripted.Interactor())
  }

  /// Attaches a child that starts work, and detaches it in the same turn.
  func attachAndDetach() {
    let child = Scripted.ChildRouter()
    child.interactor.onActive = { [journal, hasCaptureList] interactor in
      if hasCaptureList {
        interactor.task { [journal] in journal.write("begun") }
      } else {
        interactor.task { journal.write("begun") }
      }
    }
    attachChild(child)
    detachChild(child)
  }

  /// Starts work three times in one turn, which supersedes the first two.
  func supersede() {
    for number in 1...3 {
      if hasCaptureList {
        interactor.task("search", overlap: .cancelPrevious) { [journal] in journal.write("search \(number)") }
      } else {
        interactor.task("search", overlap: .cancelPrevious) { self.journal.write("search \(number)") }
      }
    }
  }
}

@Suite("Bound work that is cancelled in the turn that starts it", .folded)
struct UnbegunWorkTests {
  private let journal = Journal()

  private var configuration: TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off, eventKinds: [.taskEnded],
      onEvent: { [journal] event in journal.write("\(event.path) \(event.isCancelled ? "cancelled" : "ended")") })
  }

  /// The work of a host begins when the call has returned that has started it.
  @Test(
    "never begins in a host, with other work of the actor between the start and the first step",
    arguments: [false, true])
  func host(hasCaptureList: Bool) async throws {
    let host = await TreeHost(configuration: configuration) { [journal] in
      UnbegunRouter(journal, hasCaptureList: hasCaptureList)
    }
    for _ in 1...100 {
      try await host.perform { root in
        root.attachAndDetach()
        root.interactor.task { root.interactor.summary = "other" }
        root.attachAndDetach()
      }
    }
    await host.shutdown()
    #expect(!journal.lines.contains("begun"))
    #expect(journal.lines.count { $0 == "Unbegun/Child cancelled" } == 200)
  }

  @Test("never begins on the main actor", arguments: [false, true])
  @MainActor
  func main(hasCaptureList: Bool) async {
    let root = UnbegunRouter(journal, hasCaptureList: hasCaptureList)
    let tree = Tree(root: root, configuration: configuration)
    tree.launch()
    for _ in 1...100 {
      root.attachAndDetach()
      await Task.yield()
    }
    await tree.shutdown()
    #expect(journal.lines == Array(repeating: "Unbegun/Child cancelled", count: 100))
  }

  @Test("never begins in a host when later work of its name supersedes it", arguments: [false, true])
  func superseded(hasCaptureList: Bool) async throws {
    let host = await TreeHost(configuration: configuration) { [journal] in
      UnbegunRouter(journal, hasCaptureList: hasCaptureList)
    }
    try await host.perform { root in root.supersede() }
    await journal.wait(for: "Unbegun ended")
    await host.shutdown()
    #expect(journal.lines == ["Unbegun cancelled", "Unbegun cancelled", "search 3", "Unbegun ended"])
  }
}
