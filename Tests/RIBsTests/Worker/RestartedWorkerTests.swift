import RIBs
import RIBsTesting
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
}
