// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("An override of didFail or childDidFail", .folded)
struct EndingOverrideTests {
  enum Kind: CaseIterable {
    case task, run, worker, stoppedWorker
  }

  enum Ending: CaseIterable {
    case nothing, detach, detachParent, endTree
  }

  private final class FailingWorker: Worker {
    /// Called with a closure that calls `super`.
    var onFail: ((_ pass: () -> Void) -> Void)?

    override func didStart(_ interactorScope: any InteractorScope) {
      super.didStart(interactorScope)
      task { throw Failure() }
    }

    override func didFail(_ error: any Error, of work: BoundWork) { onFail?({ super.didFail(error, of: work) }) }
  }

  private func launch(_ journal: Journal, _ restarts: Restarts = .never) async -> TreeHost<SupervisedRouter> {
    let configuration = TreeConfiguration(
      name: "order-17", leakDetection: .off, onMisuse: { journal.write("misuse \($0.kind)") },
      onFailure: { journal.write("\($0.path) \($0.outcome) \($0.node == nil ? "nowhere" : "in the tree")") })
    return await TreeHost(configuration: configuration) {
      let root = SupervisedRouter("root", .never, SupervisedWorld())
      let parent = SupervisedRouter("parent", restarts, SupervisedWorld())
      root.attachChild(parent)
      parent.slot.route = "failing"
      return root
    }
  }

  @Test(
    "that ends its RIB, its parent or the tree before it calls super, once or twice, passes the error to onFailure",
    arguments: Kind.allCases, Ending.allCases)
  func endsAndPassesOn(_ kind: Kind, _ ending: Ending) async throws {
    for (restarts, superCalls) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
      let journal = Journal()
      let host = await launch(
        journal,
        restarts == 0 ? .never : .upTo(restarts, within: .seconds(60), after: .exponential(from: .seconds(600))))
      try await host.perform { root in
        let parent = try #require(root.child("parent"))
        let interactor = try #require(parent.child("failing")).interactor
        let passOn: (() -> Void) -> Void = { pass in for _ in 0..<superCalls { pass() } }
        let endAndPassOn = { [unowned root, unowned parent, unowned interactor] (pass: () -> Void) in
          journal.write("didFail")
          switch ending {
          case .nothing: break
          case .detach: parent.slot.route = nil
          case .detachParent: root.detachChild(parent)
          case .endTree: interactor.endTree()
          }
          passOn(pass)
        }
        interactor.onFail = endAndPassOn
        switch kind {
        case .task: interactor.task { throw Failure() }
        case .run: interactor.run({ throw Failure() }, then: {})
        case .worker, .stoppedWorker:
          interactor.onFail = passOn
          let worker = FailingWorker()
          worker.onFail = { [unowned worker] pass in
            if kind == .stoppedWorker { worker.stop() }
            endAndPassOn(pass)
          }
          worker.start(interactor)
        }
      }
      await journal.wait(for: "didFail")
      // Waits for the turn of `didFail(_:of:)`.
      await host.shutdown()
      let reports = journal.lines.filter { $0 != "didFail" }
      let outcome = ending == .nothing ? TreeFailure.Outcome.stays : .detached
      let isRestarted = ending == .nothing && restarts == 1
      #expect(reports == (isRestarted ? [] : ["order-17:Supervised/Supervised/Supervised \(outcome) in the tree"]))
    }
  }

  @Test("of a child that calls super twice escalates the failure once", arguments: [1, 2, 3])
  func escalatesOnce(superCalls: Int) async throws {
    let journal = Journal()
    let host = await launch(journal)
    try await host.perform { root in
      let parent = try #require(root.child("parent"))
      root.interactor.answer = { failure in journal.write("root answers \(failure.source)") }
      parent.interactor.answer = { [unowned parent] failure in
        for _ in 0..<superCalls { parent.interactor.pass(failure) }
      }
      parent.child("failing")?.interactor.fail(Failure())
      #expect(root.children.isEmpty && root.interactor.isActive)
    }
    await host.shutdown()
    #expect(journal.lines == ["root answers order-17:Supervised/Supervised/Supervised"])
  }
}
