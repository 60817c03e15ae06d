// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Work with a name", .folded)
struct OverlapTests {
  private let test = TestTree(recording: .tasks)
  private let desk = Scripted.Interactor()
  private let answers = PendingResponses<Int, Int>()

  init() {
    desk.onFail = { [transcript = test.transcript] in transcript.write("didFail \($0)") }
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
      test.expect("Interactor task reload started", "Interactor task reload ended")
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
      (Array(repeating: "Interactor task search started", count: 100)
        + Array(repeating: "Interactor task search ended", count: 100)).joined(separator: "\n"))
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
      (0..<1_000).map { "Interactor task send started\n\($0)\nInteractor task send ended" }.joined(separator: "\n"))
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
      Interactor task look started
      Interactor task look started
      Interactor task look started
      Interactor task other started
      Interactor task look ended
      Interactor task look ended
      Interactor task look ended
      Interactor task other ended
      Interactor task look started
      Interactor task look ended
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
      Interactor task search started
      Interactor task search started
      Interactor task search ended
      new false
      Interactor task search ended
      """)
    subscription?.dispose()
    test.finish()
  }

  @Test("can be started again from its failure or result handler, even under a policy that ignored it before")
  func again() {
    let transcript = test.transcript
    desk.onFail = { [unowned desk] in
      transcript.write("\($0): \(desk.task("reload", overlap: .ignoreWhileRunning) {})")
    }
    desk.task("reload", overlap: .ignoreWhileRunning) { throw Failure() }
    test.settle()
    desk.run("reload", overlap: .ignoreWhileRunning, { 1 }) { [desk] _ in
      transcript.write("\(desk.task("reload", overlap: .cancelPrevious) {})")
    }
    test.settle()
    test.expect(
      """
      Interactor task reload started
      Interactor task reload failed: Failure
      Interactor task reload started
      Failure: started
      Interactor task reload ended

      Interactor task reload started
      Interactor task reload started
      started
      Interactor task reload ended
      Interactor task reload ended
      """)
    test.finish()
  }

  @Test("starts after the result of the earlier work was delivered, or its failure reported")
  func inOrder() {
    let transcript = test.transcript
    desk.onFail = { [unowned desk] in
      transcript.write("\($0): \(desk.task("send", overlap: .ignoreWhileRunning) {})")
    }
    desk.run("send", overlap: .enqueue, { 1 }) { transcript.write("sent \($0)") }
    desk.task("send", overlap: .enqueue) { throw Failure() }
    desk.run("send", overlap: .enqueue, { 3 }) { transcript.write("sent \($0)") }
    test.settle()
    test.expect(
      """
      Interactor task send started
      sent 1
      Interactor task send ended
      Interactor task send started
      Interactor task send failed: Failure
      Failure: ignored
      Interactor task send started
      sent 3
      Interactor task send ended
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
      Interactor task search started
      Interactor task search failed: Failure
      Interactor task search started
      found 2
      Interactor task search ended
      """)
    subscription?.dispose()
    test.finish()
  }

  // MARK: Work that may fail

  @Test("passes its error to onError in place of didFail")
  func onError() {
    desk.run("load", overlap: .concurrent, { () async throws -> Int in throw Failure() }) { _ in
      Issue.record("There is no result.")
    } onError: { [transcript = test.transcript] error in
      transcript.write("onError \(error)")
    }
    test.settle()
    test.expect("Interactor task load started", "Interactor task load failed: Failure", "onError Failure")
    test.finish()
  }

  @Test("passes nothing to onError after its cancellation, and after the end of its scope", arguments: [false, true])
  func afterTheEnd(resigns: Bool) {
    let late = PendingResponses<Int, Int>(respectsCancellation: false)
    desk.run("load", overlap: .concurrent, { try await late.answer(to: 1) }) { _ in
      Issue.record("There is no result.")
    } onError: { _ in
      Issue.record("An error was delivered after the end.")
    }
    test.settle()
    if resigns { test.tree?.end() } else { desk.cancel("load") }
    late.fail(with: Failure())
    test.settle()
    test.expect("Interactor task load started", "Interactor task load ended")
    test.finish()
  }

  @Test("is cancelled at its timeout, and fails with it", arguments: [false, true])
  func timeout(isOnTree: Bool) {
    if isOnTree {
      desk.task("load", overlap: .concurrent, timeout: .seconds(5)) { _ = try await answers.answer(to: 1) }
    } else {
      desk.run("load", overlap: .concurrent, timeout: .seconds(5), { [answers] in try await answers.answer(to: 1) }) {
        _ in
        Issue.record("There is no result.")
      }
    }
    test.settle()
    test.advance(by: .milliseconds(4_999))
    #expect(desk.isRunning("load"))
    test.advance(by: .milliseconds(1))
    #expect(!desk.isRunning("load"))
    let error = BoundWork.TimedOut(timeout: .seconds(5))
    test.expect(
      "Interactor task load started", "Interactor task load failed: \(error)", "didFail \(error)")
    test.finish()
  }

  @Test("has no timer left when it ends before its timeout")
  func inTime() {
    desk.task("load", overlap: .concurrent, timeout: .seconds(5)) { _ = try await answers.answer(to: 1) }
    test.settle()
    answers.respond(with: 1)
    test.settle()
    test.advance(by: .seconds(10))
    test.expect("Interactor task load started", "Interactor task load ended")
    test.finish()
  }

  @Test("counts its timeout from its start when it is queued")
  func queued() {
    desk.task("send", overlap: .enqueue) { _ = try await answers.answer(to: 1) }
    desk.task("send", overlap: .enqueue, timeout: .seconds(5)) { _ = try await answers.answer(to: 2) }
    test.advance(by: .seconds(60))
    #expect(answers.questions == [1])
    answers.respond(with: 1)
    test.settle()
    test.advance(by: .seconds(4))
    #expect(answers.questions == [2])
    test.advance(by: .seconds(1))
    #expect(answers.questions == [])
    let error = BoundWork.TimedOut(timeout: .seconds(5))
    test.expect(
      "Interactor task send started", "Interactor task send ended", "Interactor task send started",
      "Interactor task send failed: \(error)", "didFail \(error)")
    test.finish()
  }
}
