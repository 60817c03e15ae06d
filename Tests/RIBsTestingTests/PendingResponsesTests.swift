// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A service's double")
struct PendingResponsesTests {
  private let test = TestTree(recording: [])
  private let answers = PendingResponses<String, Int>()
  private let results = PublishRelay<Int>()

  private func ask(_ question: String) -> Scripted.RootRouter {
    let root = Scripted.RootRouter()
    root.interactor.onActive = { [answers, results] interactor in
      interactor.run({ try await answers.answer(to: question) }, then: results.accept)
    }
    return root
  }

  @Test("returns the test's answer")
  func given() {
    let recorder = StreamRecorder(results)
    test.launch(ask("How far?"))
    #expect(answers.questions.isEmpty)
    test.settle()
    #expect(answers.questions == ["How far?"])
    answers.respond(with: 7)
    recorder.expect()
    test.settle()
    recorder.expect(7)
    test.finish()
  }

  @Test("throws the test's error")
  func failing() {
    let test = TestTree(recording: .tasks)
    test.launch(ask("How far?"))
    test.settle()
    answers.fail(with: Refusal())
    test.settle()
    test.expect(
      "Root task in PendingResponsesTests.swift started\nRoot task in PendingResponsesTests.swift failed: refused")
    test.finish()
  }

  @Test("withdraws questions of cancelled tasks")
  func cancelled() {
    test.launch(ask("How far?"))
    test.settle()
    test.finish()
    #expect(answers.questions.isEmpty)
  }

  @Test("keeps questions of cancelled tasks if cancellation is not respected")
  func late() {
    let late = PendingResponses<String, Int>(respectsCancellation: false)
    let recorder = StreamRecorder(results)
    let root = test.launch(Scripted.RootRouter())
    root.interactor.run({ try await late.answer(to: "How far?") }, then: results.accept)
    test.settle()
    root.interactor.deactivate()
    test.settle()
    #expect(late.questions == ["How far?"])
    #expect(test.runningWork.count == 1)
    late.respond(with: 7)
    test.settle()
    #expect(test.runningWork.isEmpty)
    recorder.expect()
    test.finish()
  }

  @Test("fails a test that answers without a question")
  func unasked() {
    expectFailure(
      """
      No call is pending: none was made, or all were answered or cancelled.
      Call settle() or advance(by:) first, so that the tree makes the call.
      """
    ) { answers.respond(with: 7) }
  }
}
