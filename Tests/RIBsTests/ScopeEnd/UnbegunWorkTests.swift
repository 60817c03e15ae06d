// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

extension Scripted.RootRouter {
  /// Attaches a child that starts work, and detaches it in the same turn.
  fileprivate func attachAndDetach(_ journal: Journal, hasCaptureList: Bool) {
    let child = Scripted.ChildRouter()
    child.interactor.onActive = { interactor in
      if hasCaptureList {
        interactor.task { [journal] in journal.write("begun") }
      } else {
        interactor.task { journal.write("begun") }
      }
    }
    attachChild(child)
    detachChild(child)
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
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    for _ in 1...100 {
      try await host.perform { [journal] root in
        root.attachAndDetach(journal, hasCaptureList: hasCaptureList)
        root.interactor.task { root.interactor.summary = "other" }
        root.attachAndDetach(journal, hasCaptureList: hasCaptureList)
      }
    }
    await host.shutdown()
    #expect(!journal.lines.contains("begun"))
    #expect(journal.lines.count { $0 == "Root/Child cancelled" } == 200)
  }

  @Test("never begins on the main actor", arguments: [false, true])
  @MainActor
  func main(hasCaptureList: Bool) async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root, configuration: configuration)
    tree.launch()
    for _ in 1...100 {
      root.attachAndDetach(journal, hasCaptureList: hasCaptureList)
      await Task.yield()
    }
    await tree.shutdown()
    #expect(journal.lines == Array(repeating: "Root/Child cancelled", count: 100))
  }
}
