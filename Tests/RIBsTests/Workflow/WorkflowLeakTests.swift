// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A workflow that is done", .folded)
struct WorkflowLeakTests {
  private let test = TestTree(recording: [])

  /// A workflow that its own steps can use.
  final class SelfishWorkflow: Workflow<Scripted.Interactor> {
    var steps = 0

    enum Capture: CaseIterable { case workflow, step, nothing }

    init(_ capture: Capture) {
      super.init()
      let first = onStep { item in (item, 1) }
      switch capture {
      case .workflow:
        first.onStep { item, value in
          self.steps += 1
          return (item, value)
        }.commit()
      case .step:
        first.onStep { item, value in
          withExtendedLifetime(first) {}
          return (item, value)
        }.commit()
      case .nothing:
        first.onStep { [weak self] item, value in
          self?.steps += 1
          return (item, value)
        }.commit()
      }
    }
  }

  @Test("is reported as a leak if a step captures it, or one of its steps", arguments: SelfishWorkflow.Capture.allCases)
  func captured(_ capture: SelfishWorkflow.Capture) {
    let root = test.launch(Scripted.RootRouter())
    weak var alive: SelfishWorkflow?
    do {
      let workflow = SelfishWorkflow(capture)
      alive = workflow
      _ = workflow.subscribe(root.interactor)
      test.settle()
    }
    #expect((alive == nil) == (capture == .nothing))
    test.advance(by: .seconds(5))
    let leaks = test.takeLeaks()
    #expect(leaks.map(\.part) == (capture == .nothing ? [] : [.workflow]))
    if let leak = leaks.first {
      #expect(
        leak.description == """
          RIBs: Root (#1): SelfishWorkflow is still alive 5.0 seconds after it was done. Look for a step that captures the \
          workflow or one of its steps; set isKeptWhenDone if it is kept to be started again.
          """)
    }
    test.skip()
    test.finish()
  }

  @Test("is not reported while it runs, when it is kept on purpose, and twice for one start")
  func kept() {
    let root = test.launch(Scripted.RootRouter())
    let gate = PendingResponses<Int, Void>()
    let workflow = Workflow<Scripted.Interactor>()
    workflow.onStep { item in
      try await gate.answer(to: 1)
      return (item, 1)
    }.commit()
    _ = workflow.subscribe(root.interactor)
    test.advance(by: .seconds(20))
    #expect(test.takeLeaks().isEmpty)
    gate.respond(with: ())
    test.settle()
    _ = workflow.subscribe(root.interactor)
    test.advance(by: .seconds(20))
    #expect(test.takeLeaks().isEmpty)
    gate.respond(with: ())
    test.advance(by: .seconds(20))
    #expect(test.takeLeaks().map(\.part) == [.workflow])
    workflow.isKeptWhenDone = true
    _ = workflow.subscribe(root.interactor)
    test.settle()
    gate.respond(with: ())
    test.advance(by: .seconds(20))
    #expect(test.takeLeaks().isEmpty)
    test.skip()
    test.finish()
  }

  @Test("releases the values of its steps, but for those that a later commit may need", arguments: [false, true])
  func values(holdsStep: Bool) {
    let root = test.launch(Scripted.RootRouter())
    let workflow = Workflow<Scripted.Interactor>()
    workflow.isKeptWhenDone = true
    var released = 0
    var step: Step<Scripted.Interactor, Scripted.Interactor, Goodbye>? = workflow.onStep { item in
      (item, Goodbye { released += 1 })
    }
    step?.onStep { item, _ in (item, Goodbye { released += 1 }) }.commit()
    if !holdsStep { step = nil }
    let run = workflow.subscribe(root.interactor)
    test.settle()
    #expect(released == (holdsStep ? 1 : 2))
    step = nil
    #expect(released == 2)
    withExtendedLifetime((run, workflow)) {}
    test.skip()
    test.finish()
  }
}
