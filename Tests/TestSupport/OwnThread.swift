// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs tasks on a queue of its own, for code that blocks its thread.
public final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "ribs.tests.own-thread")

  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Returns when the jobs so far have run. Later ones wait until `resume()`.
  public func hold() {
    queue.sync {}
    queue.suspend()
  }

  public func resume() { queue.resume() }
}
