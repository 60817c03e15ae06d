// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport
import Testing

@Suite("A worker that is restarted by what it disposes of", .folded)
struct RestartedWorkerTests {
  @Test("stops once for each time that it starts")
  func restarted() {
    let test = TestTree(recording: .workers)
    let worker = ScriptedWorker(in: test.transcript)
    let interactor = test.launch(worker: worker)
    Disposables.create { [weak worker, weak interactor] in
      guard let worker, let interactor else { return }
      worker.start(interactor)
    }
    .disposeOnStop(worker)
    worker.stop()
    test.expect(
      """
      Scope worker ScriptedWorker started
      worker starts
      worker stops
      Scope worker ScriptedWorker stopped
      Scope worker ScriptedWorker started
      worker starts
      """)
    worker.stop()
    test.expect("worker stops\nScope worker ScriptedWorker stopped")
    test.finish()
  }

  @Test("runs once if it is started by an observer of the activation while it still stops")
  @MainActor
  func startedWhileStopping() {
    let (root, child, worker) = (Scripted.RootRouter(), Scripted.ChildRouter(), Worker())
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    root.attachChild(child)
    worker.start(child.interactor)
    var isRestarting = false
    let observation = child.interactor.isActiveStream.subscribe(onNext: { [weak child] isActive in
      if isActive, isRestarting, let child { worker.start(child.interactor) }
    })
    Disposables.create {
      root.detachChild(child)
      isRestarting = true
      root.attachChild(child)
    }
    .disposeOnStop(worker)
    worker.stop()
    #expect(tree.snapshot().nodes.last?.workers == ["Worker"])
    worker.stop()
    #expect(tree.snapshot().nodes.last?.workers == [])
    observation.dispose()
    tree.end()
  }
}
