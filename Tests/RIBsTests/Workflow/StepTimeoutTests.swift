// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A timeout of a step", .folded)
struct StepTimeoutTests {
  private let scene = Scene()
  private var test: TestTree { scene.test }

  private func error(_ timeout: Duration, at name: String = "Root") -> String {
    "A step of a workflow that worked on \(name) took longer than \(timeout). "
      + "Give the step a longer timeout, or find out what it waits for."
  }

  @Test(
    "cancels the step, and ends the chain with an error that reaches the interactor, whatever the step waits for",
    arguments: [false, true])
  func expires(isStream: Bool) {
    let write = scene.write
    let workflow = RideWorkflow(write)
    workflow
      .onStep(timeout: .seconds(5)) { [test] root in
        if isStream { return await Observable<(Scripted.Interactor, Void)>.never().first() }
        try await test.clock.sleep(for: .seconds(60))
        return (root, ())
      }
      .onStep { root, _ in (root, write("not reached")) }
      .commit()
    scene.start(workflow)
    test.advance(by: .seconds(4))
    test.expect()
    test.advance(by: .seconds(1))
    let error = error(.seconds(5))
    test.expect("Root RideWorkflow step failed: \(error)", "didReceiveError \(error)", "Root didFail \(error)")
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("is of one step: it ends with it, and the next step has its own")
  func ends() {
    let write = scene.write
    let clock = test.clock
    let workflow = RideWorkflow(write)
      .onStep(timeout: .seconds(5)) { root in
        try await clock.sleep(for: .seconds(4))
        return (root, write("one"))
      }
      .onStep { root, _ in
        try await clock.sleep(for: .seconds(60))
        return (root, write("two"))
      }
      .onStep(timeout: .seconds(2)) { root, _ in
        try await clock.sleep(for: .seconds(1))
        return (root, write("three"))
      }
      .commit()
    scene.start(workflow)
    test.advance(by: .seconds(65))
    let ended = "Root RideWorkflow step ended"
    test.expect("one", ended, "two", ended, "three", ended, "didComplete")
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("fails a step that ignores the cancellation and returns a value")
  func ignored() {
    let (responses, write) = (PendingResponses<String, Int>(respectsCancellation: false), scene.write)
    let workflow = RideWorkflow(write)
      .onStep(timeout: .seconds(5)) { root in
        let number = try await responses.answer(to: "number")
        return (root, write("\(number)"))
      }
      .onError { write("handled \($0)") }
      .commit()
    scene.start(workflow)
    test.advance(by: .seconds(5))
    test.expect()
    responses.respond(with: 1)
    test.settle()
    let error = error(.seconds(5))
    test.expect("1", "Root RideWorkflow step failed: \(error)", "handled \(error)", "didReceiveError \(error)")
    test.finish()
  }

  @Test("does not count the time in which the item is inactive")
  func waiting() {
    let (write, child) = (scene.write, scene.child)
    let workflow = RideWorkflow(write)
      .onStep { _ in (child.interactor, ()) }
      .onStep(timeout: .seconds(1)) { child, _ in (child, write("at child")) }
      .commit()
    scene.start(workflow)
    test.advance(by: .seconds(20))
    scene.root.attachChild(child)
    test.settle()
    test.expect(
      "Root RideWorkflow step ended", "at child", "Root/Child RideWorkflow step ended", "didComplete")
    test.finish()
  }
}
