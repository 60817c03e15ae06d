// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Bound work of an interactor", .folded)
struct RefusedWorkTests {
  @Test("is refused with a warning while the interactor is not active")
  func inactive() {
    let test = TestTree(recording: .tasks)
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    root.attachChild(child)
    child.interactor.onResign = { interactor in
      #expect(interactor.task {}.start == .inactive)
      #expect(interactor.run({}, then: {}).start == .inactive)
    }
    root.detachChild(child)
    let refused = test.takeMisuses()
    #expect(refused.map(\.kind) == [.taskWhileInactive, .taskWhileInactive])
    #expect(refused.allSatisfy { $0.severity == .warning && $0.path.description == "Root/Child" })
    child.expectsReattachment = true
    test.finish()
  }

  @Test("is refused with a warning outside a tree, with advice")
  func outsideTree() {
    let refused = recordMisuses {
      let router = Scripted.RootRouter()
      router.interactor.activate()
      #expect(router.interactor.task {}.start == .inactive)
      #expect(router.interactor.run({}, then: {}).start == .inactive)
      let interactor = Scripted.Interactor()
      #expect(interactor.task {}.start == .inactive)
    }
    #expect(refused.map(\.kind) == [.taskOutsideTree, .taskOutsideTree, .taskWhileInactive])
    #expect(refused.map(\.severity) == [.warning, .warning, .warning])
    #expect(refused.map { $0.advice.contains("TreeHost") } == [true, true, false])
  }

  @Test(
    "is refused while its tree ends, also as a workflow, and when the tree's actor is going", arguments: [false, true])
  func endingTree(isWorkflow: Bool) async {
    let journal = Journal()
    var home: QueueActor? = QueueActor()
    await home?.launch(journal.configuration) {
      let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
      child.interactor.onResign = { [unowned root] _ in
        #expect(root.interactor.isActive)
        if isWorkflow {
          let workflow = Workflow<Scripted.Interactor>()
          workflow.onStep { item in (item, journal.write("begun")) }.commit()
          _ = workflow.subscribe(root.interactor)
        } else {
          #expect(root.interactor.task { journal.write("begun") }.start == .inactive)
        }
      }
      root.attachChild(child)
      return root
    }
    home = nil
    await journal.wait(for: "ended Root")
    #expect(journal.lines.contains("warning taskWhileInactive Root"))
    #expect(!journal.lines.contains("begun"))
  }

  /// Work, and how it ends.
  enum Work: CaseIterable {
    case task, run, failingTask, failingRun, failingChild
  }

  @Test("is released on the tree, with all that it captured", arguments: Work.allCases)
  func release(_ work: Work) async {
    for _ in 0..<200 {
      let home = QueueActor()
      let strays = StrayCount { home.isCurrent }
      let journal = Journal()
      await home.launch {
        let root = Scripted.RootRouter()
        root.interactor.onDeinit = {
          strays.check()
          journal.write("released")
        }
        root.interactor.onActive = { [unowned root] interactor in
          let token = Goodbye { strays.check() }
          switch work {
          case .run: interactor.run({ await compute(1) }) { _ in withExtendedLifetime(token) {} }
          case .failingRun: interactor.run({ throw Failure() }) { withExtendedLifetime(token) {} }
          case .failingChild:
            root.attach(preparing: { () throws -> sending Scripted.LeafRouter in throw Failure() }) { _ in
              withExtendedLifetime(token) {}
            }
          case .task, .failingTask:
            interactor.task { [interactor] in
              _ = await compute(1)
              withExtendedLifetime(token) {}
              if work == .failingTask { throw Failure() }
              _ = interactor.isActive
            }
          }
        }
        return root
      }
      await home.shutdown()
      await journal.wait(for: "released")
      #expect(strays.value == 0)
      if strays.value != 0 { break }
    }
  }
}
