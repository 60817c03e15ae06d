// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Work with a name", .folded)
struct OverlapTests {
  /// An interactor that writes down what fails.
  private final class DeskInteractor: Interactor {
    private let transcript: Transcript
    var onFail: () -> Void = {}

    init(_ transcript: Transcript) { self.transcript = transcript }

    override func didFail(_ error: any Error, of work: BoundWork) {
      transcript.write("failed \(error)")
      onFail()
    }
  }

  private let test = TestTree(recording: .tasks)
  private let desk: DeskInteractor
  private let answers = PendingResponses<Int, Int>()

  init() {
    desk = DeskInteractor(test.transcript)
    test.launch(interactor: desk)
  }

  @Test("is started once by 1,000 requests, when it ignores requests while it runs, and again when it has ended")
  func ignoring() {
    func tap() -> BoundWork.Start {
      desk.task("reload", overlap: .ignoreWhileRunning) { _ = try await answers.answer(to: 1) }.start
    }
    let verdicts = (0..<1_000).map { _ in tap() }
    #expect(verdicts == [.started] + Array(repeating: .ignored, count: 999))
    for _ in 0..<2 {
      test.settle()
      #expect(answers.questions == [1])
      answers.respond(with: 1)
      test.settle()
      test.expect("Desk task reload started", "Desk task reload ended")
      #expect(tap() == .started)
    }
    test.skip()
    test.finish()
  }

  @Test("delivers the last result only, when each request replaces the one before")
  func replacing() {
    let late = PendingResponses<Int, Int>(respectsCancellation: false)
    let found = PublishRelay<Int>()
    let results = StreamRecorder(found)
    let verdicts = (0..<100).map { number in
      desk.run("search", overlap: .cancelPrevious, { try await late.answer(to: number) }, then: found.accept).start
    }
    #expect(verdicts == [.started] + Array(repeating: .replaced, count: 99))
    test.settle()
    #expect(late.questions.last == 99)
    for number in late.questions { late.respond(with: number) }
    test.settle()
    results.expect(99)
    test.expect(
      (Array(repeating: "Desk task search started", count: 100)
        + Array(repeating: "Desk task search ended", count: 100)).joined(separator: "\n"))
    test.finish()
  }

  @Test("runs in order, one at a time, when requests wait")
  func waiting() {
    let verdicts = (0..<1_000).map { number in
      desk.task("send", overlap: .enqueue) { [transcript = test.transcript] in
        await Task.yield()
        transcript.write("\(number)")
      }.start
    }
    #expect(verdicts == [.started] + Array(repeating: .queued, count: 999))
    test.settle()
    test.expect(
      (0..<1_000).map { "Desk task send started\n\($0)\nDesk task send ended" }.joined(separator: "\n"))
    test.finish()
  }

  @Test("runs beside what runs already, when it is concurrent; another name is another line")
  func concurrent() {
    for number in 0..<3 {
      #expect(desk.task("look", overlap: .concurrent) { _ = try await answers.answer(to: number) }.start == .started)
    }
    #expect(desk.task("other", overlap: .ignoreWhileRunning) { _ = try await answers.answer(to: 3) }.start == .started)
    #expect(desk.run("look", overlap: .ignoreWhileRunning, { 1 }) { _ in }.start == .ignored)
    #expect(test.runningWork.count == 4)
    #expect(test.runningWork.allSatisfy { $0.contains("OverlapTests.swift:") })
    test.settle()
    #expect(answers.questions == [0, 1, 2, 3])
    for number in 0..<4 { answers.respond(with: number) }
    test.settle()
    #expect(desk.run("look", overlap: .ignoreWhileRunning, { 1 }) { _ in }.start == .started)
    test.settle()
    test.expect(
      """
      Desk task look started
      Desk task look started
      Desk task look started
      Desk task other started
      Desk task look ended
      Desk task look ended
      Desk task look ended
      Desk task other ended
      Desk task look started
      Desk task look ended
      """)
    test.finish()
  }

  /// Calls a closure when something happens for the first time.
  private func onFirst(_ kind: TreeEvent.Kind, _ body: @escaping () -> Void) -> (any Disposable)? {
    test.tree?.events.filter { $0.kind == kind }.take(1).subscribe(onNext: { _ in body() })
  }

  @Test("never begins when an observer of its start replaces it")
  func replacedWhenStarted() {
    let transcript = test.transcript
    let subscription = onFirst(.taskStarted) { [desk] in
      desk.task("search", overlap: .cancelPrevious) { transcript.write("new \(Task.isCancelled)") }
    }
    desk.task("search", overlap: .cancelPrevious) { transcript.write("old \(Task.isCancelled)") }
    test.settle()
    test.expect(
      """
      Desk task search started
      Desk task search started
      Desk task search ended
      new false
      Desk task search ended
      """)
    subscription?.dispose()
    test.finish()
  }

  @Test("can be started again from its failure or result handler, even under a policy that ignored it before")
  func again() {
    let transcript = test.transcript
    desk.onFail = { [unowned desk] in transcript.write("\(desk.task("reload", overlap: .ignoreWhileRunning) {})") }
    desk.task("reload", overlap: .ignoreWhileRunning) { throw Failure() }
    test.settle()
    desk.run("reload", overlap: .ignoreWhileRunning, { 1 }) { [desk] _ in
      transcript.write("\(desk.task("reload", overlap: .cancelPrevious) {})")
    }
    test.settle()
    test.expect(
      """
      Desk task reload started
      Desk task reload failed: Failure
      failed Failure
      Desk task reload started
      started
      Desk task reload ended

      Desk task reload started
      Desk task reload started
      started
      Desk task reload ended
      Desk task reload ended
      """)
    test.finish()
  }

  @Test("starts after the result of the earlier work was delivered, or its failure reported")
  func inOrder() {
    let transcript = test.transcript
    desk.onFail = { [unowned desk] in transcript.write("\(desk.task("send", overlap: .ignoreWhileRunning) {})") }
    desk.run("send", overlap: .enqueue, { 1 }) { transcript.write("sent \($0)") }
    desk.task("send", overlap: .enqueue) { throw Failure() }
    desk.run("send", overlap: .enqueue, { 3 }) { transcript.write("sent \($0)") }
    test.settle()
    test.expect(
      """
      Desk task send started
      sent 1
      Desk task send ended
      Desk task send started
      Desk task send failed: Failure
      failed Failure
      ignored
      Desk task send started
      sent 3
      Desk task send ended
      """)
    test.finish()
  }

  @Test("reports its failure to no interactor when an observer of the failure replaces it")
  func replacedWhenFailed() {
    let transcript = test.transcript
    let subscription = onFirst(.taskFailed) { [desk] in
      desk.run("search", overlap: .cancelPrevious, { 2 }) { transcript.write("found \($0)") }
    }
    desk.run("search", overlap: .cancelPrevious, { throw Failure() }) { transcript.write("found \($0)") }
    test.settle()
    test.expect(
      """
      Desk task search started
      Desk task search failed: Failure
      Desk task search started
      found 2
      Desk task search ended
      """)
    subscription?.dispose()
    test.finish()
  }
}
