// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport
import Testing

@Suite("The handle of bound work", .folded)
struct WorkHandleTests {
  private let test = TestTree(recording: .tasks)
  private let desk = Scripted.Interactor()
  private let answers = PendingResponses<Int, Int>()

  init() {
    desk.onFail = { [transcript = test.transcript] in transcript.write("didFail \($0)") }
    test.launch(interactor: desk)
  }

  @Test("says whether the work runs, and has the ID that its events carry")
  func running() {
    let handle = desk.task("load", overlap: .concurrent) { _ = try await answers.answer(to: 1) }
    #expect(handle.start == .started)
    #expect(handle.id?.rawValue == 1)
    #expect(handle.isRunning)
    #expect(desk.isRunning("load"))
    #expect(!desk.isRunning("store"))
    test.settle()
    answers.respond(with: 1)
    test.settle()
    #expect(!handle.isRunning)
    #expect(handle.hasEnded)
    #expect(!desk.isRunning("load"))
    test.expect("Interactor task load started", "Interactor task load ended")
    test.finish()
  }

  @Test("leaves no trace of queued work that is cancelled, however long the work before it takes")
  func cancelledInQueue() {
    desk.task("send", overlap: .enqueue) { _ = try await answers.answer(to: 0) }
    var lengths: Set<Int> = []
    for _ in 0..<1_000 {
      desk.task("send", overlap: .enqueue) { Issue.record("begun") }.cancel()
      lengths.insert(desk.queueLength(of: "send"))
    }
    #expect(lengths.max() == 16)
    var sent: [Int] = []
    for number in 0..<100 { desk.task("send", overlap: .enqueue) { sent.append(number) } }
    test.settle()
    answers.respond(with: 0)
    test.settle()
    #expect(sent == Array(0..<100))
    #expect(!desk.isRunning("send"))
    test.skip()
    test.finish()
  }

  @Test(
    "discards the error of work that is cancelled after its timeout, and before it has ended", arguments: [false, true])
  func cancelledAfterTimeout(byKey: Bool) async {
    let gate = Gate()
    let handle = desk.run(
      "load", overlap: .concurrent, timeout: .seconds(5), { await gate.passStubbornly() }, then: {},
      onError: { Issue.record("\($0) is delivered") })
    test.settle()
    test.advance(by: .seconds(5))
    #expect(handle.isRunning)
    if byKey { desk.cancel("load") } else { handle.cancel() }
    gate.open()
    await test.settle { handle.hasEnded }
    test.expect("Interactor task load started", "Interactor task load ended")
    test.finish()
  }

  @Test("of work that was not started does not run")
  func refused() {
    let first = desk.task("load", overlap: .ignoreWhileRunning) { _ = try await answers.answer(to: 1) }
    let second = desk.task("load", overlap: .ignoreWhileRunning) { _ = try await answers.answer(to: 2) }
    #expect(second.start == .ignored)
    #expect(second.id == nil)
    #expect(!second.isRunning)
    second.cancel()
    #expect(first.isRunning)
    first.dispose()
    test.settle()
    test.expect("Interactor task load started", "Interactor task load ended")
    test.finish()
  }

  @Test("cancels queued work, which then neither begins nor delays what is queued behind it")
  func cancellingQueued() {
    desk.task("send", overlap: .enqueue) { _ = try await answers.answer(to: 1) }
    let second = desk.task("send", overlap: .enqueue) { Issue.record("Cancelled work has begun.") }
    desk.task("send", overlap: .enqueue) { _ = try await answers.answer(to: 3) }
    let last = desk.task("send", overlap: .enqueue) { Issue.record("Cancelled work has begun.") }
    test.settle()
    #expect(second.start == .queued && second.isRunning)
    second.cancel()
    last.cancel()
    answers.respond(with: 1)
    test.settle()
    #expect(second.hasEnded)
    #expect(answers.questions == [3])
    answers.respond(with: 3)
    test.settle()
    #expect(!desk.isRunning("send"))
    test.expect(
      "Interactor task send started", "Interactor task send ended", "Interactor task send started",
      "Interactor task send ended")
    #expect(desk.task("send", overlap: .ignoreWhileRunning) {}.start == .started)
    test.settle()
    test.expect("Interactor task send started", "Interactor task send ended")
    test.finish()
  }

  @Test("that has cancelled work which does not end: the name is free")
  func cancelledNames() {
    let late = PendingResponses<Int, Int>(respectsCancellation: false)
    let handle = desk.task("load", overlap: .concurrent) { _ = try await late.answer(to: 1) }
    test.settle()
    handle.cancel()
    #expect(handle.isRunning)
    #expect(!desk.isRunning("load"))
    let next = desk.task("load", overlap: .ignoreWhileRunning) { _ = try await late.answer(to: 2) }
    #expect(next.start == .started)
    #expect(desk.isRunning("load"))
    test.settle()
    late.respond(with: 1)
    test.settle()
    #expect(handle.hasEnded)
    #expect(desk.isRunning("load"))
    late.respond(with: 2)
    test.settle()
    #expect(next.hasEnded)
    test.expect(
      "Interactor task load started", "Interactor task load started", "Interactor task load ended",
      "Interactor task load ended")
    test.finish()
  }

  @Test("is not needed to cancel work by name, with everything that is queued")
  func cancellingByName() {
    for number in 1...3 { desk.task("send", overlap: .enqueue) { _ = try await answers.answer(to: number) } }
    test.settle()
    #expect(answers.questions == [1])
    desk.cancel("send")
    desk.cancel("send")
    test.settle()
    #expect(answers.questions == [])
    test.expect("Interactor task send started", "Interactor task send ended")
    desk.task("send", overlap: .enqueue) { _ = try await answers.answer(to: 4) }
    test.settle()
    #expect(answers.questions == [4])
    desk.cancel("send")
    test.settle()
    test.expect("Interactor task send started", "Interactor task send ended")
    test.finish()
  }

  @Test("of a worker's work goes by the worker's keys")
  func workers() {
    let worker = Worker()
    worker.start(desk)
    let handle = worker.task("poll", overlap: .concurrent) { _ = try await answers.answer(to: 1) }
    #expect(worker.isRunning("poll"))
    #expect(!desk.isRunning("poll"))
    worker.cancel("poll")
    test.settle()
    #expect(handle.hasEnded)
    test.expect("Interactor task poll started", "Interactor task poll ended")
    test.finish()
  }
}
