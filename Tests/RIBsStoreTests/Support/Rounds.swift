// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import RIBsTesting
import TestSupport

extension Task where Success == Void, Failure == Never {
  /// Cancels the task, such as one that runs a directory, and waits for its end.
  func end() async {
    cancel()
    await value
  }
}

extension TreeDirectory {
  /// The directory, which is shut down when the test has ended.
  func shutDownAtEnd() -> TreeDirectory {
    atEnd { await self.shutdown() }
    return self
  }

  /// Runs the directory in a task, which is ended with the test, if not before.
  @discardableResult
  func start() -> Task<Void, Never> {
    let running = Task { await self.run() }
    atEnd { await running.end() }
    return running
  }

  /// The directory, and a task that runs it.
  func running() -> (directory: TreeDirectory, running: Task<Void, Never>) { (self, start()) }
}

extension TestClock {
  /// Moves the clock forward by rounds of a directory.
  func pass(rounds: Int) async {
    for _ in 0..<rounds {
      await waitForSleeper()
      advance(by: .seconds(1))
    }
  }

  /// Moves the clock forward, in steps, by more than a duration.
  func pass(_ duration: Duration, by step: Duration) async {
    let end = now.sinceBeginning + duration
    await advance(by: step) { now.sinceBeginning > end }
  }

  /// Moves the clock forward, round by round of a directory, until a condition holds.
  ///
  /// - Parameters:
  ///   - step: small if what is computed meanwhile has to take little time.
  ///   - yields: how often other tasks run after each step.
  func advance(by step: Duration = .seconds(1), yields: Int = 100, until condition: () -> Bool) async {
    while !condition() {
      await waitForSleeper()
      advance(by: step)
      for _ in 0..<yields where !condition() { await Task.yield() }
    }
  }
}
