// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A backoff", .folded)
struct BackoffTests {
  @Test("doubles its pauses up to the longest, for any number of attempts")
  func doubles() {
    let backoff = Backoff.exponential(from: .milliseconds(100), to: .seconds(1), jitter: 0)
    var random = SystemRandomNumberGenerator()
    let pauses = (1...6).map { backoff.pause(before: $0, using: &random) }
    #expect(pauses == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    for attempt in [Int.max, Int.min, 0] {
      let pause = backoff.pause(before: attempt, using: &random)
      #expect(pause == (attempt > 1 ? .seconds(1) : .milliseconds(100)))
    }
  }

  @Test("adds jitter, and takes none off")
  func jitter() {
    let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(4), jitter: 0.5)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let pause = backoff.pause(before: 2, using: &random)
      #expect(pause >= .seconds(2) && pause < .seconds(3))
    }
  }

  @Test("corrects settings that make no sense, and survives the longest durations")
  func corrections() {
    let backoff = Backoff.exponential(from: .zero, to: .seconds(-1), jitter: .nan)
    #expect(backoff.first == .milliseconds(1) && backoff.longest == .milliseconds(1) && backoff.jitter == 0)
    #expect(Backoff.exponential(jitter: 7).jitter == 1)
    #expect(Restarts.upTo(-3, within: .seconds(1)).limit == 0)
    // No restart would count, so the limit would never be reached.
    #expect(Restarts.upTo(3, within: .zero).limit == 0)
    #expect(Restarts.upTo(3, within: .seconds(-1)).limit == 0)
    var random = SystemRandomNumberGenerator()
    let longest = Backoff.exponential(from: .seconds(Int64.max), to: .seconds(Int64.max), jitter: 1)
    #expect(longest.pause(before: 100, using: &random) >= .seconds(Int64.max))
  }

  @Test("is the pause of work that is repeated until it succeeds")
  func retries() {
    let (test, interactor) = launch()
    var attempts = 0
    interactor.task { [clock = test.clock] in
      let result = try await retrying(.exponential(from: .seconds(1), jitter: 0), atMost: 4, on: clock) {
        attempts += 1
        test.transcript.write("attempt \(attempts)")
        if attempts < 3 { throw Failure() }
        return attempts
      }
      test.transcript.write("result \(result)")
    }
    test.advance(by: .seconds(100))
    test.expect("attempt 1", "1.0 seconds later", "attempt 2", "2.0 seconds later", "attempt 3", "result 3")
    test.finish()
  }

  @Test("ends with the error of the last attempt, of which there is at least one", arguments: [-1, 0, 1, 3])
  func lastError(limit: Int) {
    let (test, interactor) = launch()
    var attempts = 0
    interactor.task { [clock = test.clock] in
      do {
        try await retrying(atMost: limit, on: clock) {
          attempts += 1
          throw Failure()
        }
      } catch {
        test.transcript.write("\(error)")
      }
    }
    test.advance(by: .seconds(100))
    #expect(attempts == max(limit, 1))
    #expect(test.transcript.lines.last == "Failure")
    test.skip()
    test.finish()
  }

  @Test("ends at once when the work is cancelled, in a pause and in an attempt", arguments: [false, true])
  func cancelled(inAttempt: Bool) {
    let (test, interactor) = launch()
    var attempts = 0
    let work = interactor.task { [clock = test.clock] in
      try await retrying(.exponential(from: .seconds(10)), atMost: 5, on: clock) {
        attempts += 1
        if inAttempt { try await clock.sleep(for: .seconds(5)) }
        throw Failure()
      }
    }
    test.advance(by: .seconds(1))
    work.cancel()
    test.settle()
    #expect(!work.isRunning && attempts == 1)
    test.skip()
    test.finish()
  }

  private func launch() -> (TestTree, Interactor) {
    let test = TestTree(recording: [.time])
    let interactor = Interactor()
    test.launch(interactor: interactor)
    return (test, interactor)
  }
}
