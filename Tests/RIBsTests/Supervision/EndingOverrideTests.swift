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

  /// Ends what a test says, and calls `super`.
  private final class EndingInteractor: Interactor {
    var ending: (() -> Void)?
    var superCalls = 1
    var answer: ((Interactor.ChildFailure, (Interactor.ChildFailure) -> Void) -> Void)?

    override func didFail(_ error: any Error, of work: BoundWork) {
      ending?()
      for _ in 0..<superCalls { super.didFail(error, of: work) }
    }

    override func childDidFail(_ failure: ChildFailure) {
      let pass: (Interactor.ChildFailure) -> Void = { super.childDidFail($0) }
      if let answer { answer(failure, pass) } else { pass(failure) }
    }
  }

  private final class FailingWorker: Worker {
    var ending: (() -> Void)?
    var superCalls = 1

    override func didStart(_ interactorScope: any InteractorScope) {
      super.didStart(interactorScope)
      task { throw Failure() }
    }

    override func didFail(_ error: any Error, of work: BoundWork) {
      ending?()
      for _ in 0..<superCalls { super.didFail(error, of: work) }
    }
  }

  private final class Parent: Router<EndingInteractor> {
    let restarts: Restarts
    private(set) lazy var slot = ChildSlot<Int>(of: self, restarts: restarts) { _, _ in
      Router(interactor: EndingInteractor())
    }

    init(_ restarts: Restarts) {
      self.restarts = restarts
      super.init(interactor: EndingInteractor())
    }
  }

  private func launch(_ journal: Journal, _ restarts: Restarts = .never) async -> TreeHost<Parent> {
    let configuration = TreeConfiguration(
      name: "order-17", leakDetection: .off, onMisuse: { journal.write("misuse \($0.kind)") },
      onFailure: { journal.write("\($0.path) \($0.outcome) \($0.node == nil ? "nowhere" : "in the tree")") })
    return await TreeHost(configuration: configuration) {
      let root = Parent(.never)
      let parent = Parent(restarts)
      root.attachChild(parent)
      parent.slot.route = 1
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
        let parent = try #require(root.children.first as? Parent)
        let failing = try #require(parent.slot.child as? Router<EndingInteractor>)
        let interactor = failing.interactor
        let end = { [unowned root, unowned parent, unowned interactor] in
          journal.write("didFail")
          switch ending {
          case .nothing: break
          case .detach: parent.slot.route = nil
          case .detachParent: root.detachChild(parent)
          case .endTree: interactor.endTree()
          }
        }
        interactor.superCalls = superCalls
        switch kind {
        case .task:
          interactor.ending = end
          interactor.task { throw Failure() }
        case .run:
          interactor.ending = end
          interactor.run({ throw Failure() }, then: {})
        case .worker, .stoppedWorker:
          let worker = FailingWorker()
          worker.superCalls = superCalls
          worker.ending = { [unowned worker] in
            if kind == .stoppedWorker { worker.stop() }
            end()
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
      #expect(reports == (isRestarted ? [] : ["order-17:Parent/Parent/Ending \(outcome) in the tree"]))
    }
  }

  @Test("of a child that calls super twice escalates the failure once", arguments: [1, 2, 3])
  func escalatesOnce(superCalls: Int) async throws {
    let journal = Journal()
    let host = await launch(journal)
    try await host.perform { root in
      let parent = try #require(root.children.first as? Parent)
      root.interactor.answer = { failure, _ in journal.write("root answers \(failure.source)") }
      parent.interactor.answer = { failure, pass in for _ in 0..<superCalls { pass(failure) } }
      (parent.slot.child as? Router<EndingInteractor>)?.interactor.fail(Failure())
      #expect(root.children.isEmpty && root.interactor.isActive)
    }
    await host.shutdown()
    #expect(journal.lines == ["root answers order-17:Parent/Parent/Ending"])
  }
}
