// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("A timer for many deadlines")
struct DeadlineTimerTests {
  private let clock = TestClock()
  private let journal = Journal()

  @Test("calls no action of a deadline that was cancelled, and releases it at once")
  func cancelled() async {
    let timer = DeadlineTimer(on: clock)
    var captured: Journal? = Journal()
    weak let released = captured
    let deadline = timer.schedule(after: .seconds(1)) { [captured, journal] in journal.write("\(captured as Any)") }
    captured = nil
    #expect(released != nil)
    timer.cancel(deadline)
    #expect(released == nil)
    // The place belongs to another deadline now.
    _ = timer.schedule(after: .seconds(1)) { [journal] in journal.write("another") }
    timer.cancel(deadline)
    await clock.waitForSleeper()
    clock.advance(by: .seconds(1))
    await journal.wait(for: "another")
    #expect(journal.lines == ["another"])
  }

  @Test("sleeps once for many deadlines that are not needed, and keeps none of them")
  func flat() async {
    let timer = DeadlineTimer(on: clock)
    for _ in 0..<Thoroughness.count(usual: 200_000, share: 1_000_000, whole: 1_000_000) {
      timer.cancel(timer.schedule(after: .seconds(600)) {})
    }
    await clock.waitForSleeper()
    #expect(timer.count == 0)
    #expect(clock.deadlines.count == 1)
    clock.advance(by: .seconds(600))
  }

  @Test("sleeps for few of many deadlines, each earlier than the one before")
  func descending() async {
    let timer = DeadlineTimer(on: clock)
    for index in 0..<10_000 { _ = timer.schedule(after: .seconds(600) - .nanoseconds(100 * index)) {} }
    await clock.waitForSleeper()
    #expect(clock.deadlines.count <= 2)
    while timer.count > 0 {
      clock.advance(by: .seconds(600))
      await Task.yield()
    }
  }

  @Test("sleeps until the deadline, also if time passes before it begins to sleep")
  func passingTime() async {
    // A second passes with each reading but the first two, by which the timer learns when it begins and has to end.
    let timer = DeadlineTimer(on: AskedClock(clock) { [clock] in if $0 > 2 { clock.advance(by: .seconds(1)) } })
    let deadline = timer.schedule(after: .seconds(10)) {}
    await clock.waitForSleeper()
    #expect(clock.deadlines.map(\.sinceBeginning) == [.seconds(10)])
    timer.cancel(deadline)
    clock.advance(by: .seconds(10))
  }

  @Test("calls each action once and at its deadline, as a sorted list does, in a random walk", arguments: [1, 2, 3])
  func walk(seed: UInt64) async {
    var random = SplitMix(seed)
    let timer = DeadlineTimer(on: clock)
    let fired = Shared<[Int]>([])
    var pending: [Int: (time: Int, deadline: DeadlineTimer.Deadline)] = [:]
    var expected: Set<Int> = []
    var now = 0
    for step in 0..<1_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let time = now + Int.random(in: 1...50, using: &random)
        let deadline = timer.schedule(after: .seconds(time - now)) { fired.change { $0.append(step) } }
        pending[step] = (time, deadline)
      case 5..<8:
        guard let chosen = pending.keys.sorted().randomElement(using: &random) else { break }
        if let removed = pending.removeValue(forKey: chosen) { timer.cancel(removed.deadline) }
      default:
        now += Int.random(in: 1...10, using: &random)
        let due = pending.filter { $0.value.time <= now }
        for number in due.keys { pending[number] = nil }
        expected.formUnion(due.keys)
        clock.advance(by: .seconds(now) - clock.now.sinceBeginning)
        while timer.count > pending.count {
          clock.advance(by: .zero)
          await Task.yield()
        }
        while fired.value.count < expected.count { await Task.yield() }
      }
      #expect(timer.count == pending.count)
    }
    #expect(fired.value.sorted() == expected.sorted())
  }
}
