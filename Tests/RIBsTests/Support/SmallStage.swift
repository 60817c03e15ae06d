// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import RIBs

/// An actor whose code runs on a thread with a stack of the given size.
actor SmallStage {
  private nonisolated let executor: ThreadExecutor

  init(stackSize: Int) { executor = ThreadExecutor(stackSize: stackSize) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Value: Sendable>(_ body: @Sendable (isolated SmallStage) throws -> Value) rethrows -> Value {
    try body(self)
  }
}

/// Runs jobs one after the other, each on a thread of its own.
private final class ThreadExecutor: SerialExecutor {
  private let stackSize: Int
  private let lock = NSLock()

  init(stackSize: Int) { self.stackSize = stackSize }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { [self] in lock.withLock { job.runSynchronously(on: asUnownedSerialExecutor()) } }
    thread.stackSize = stackSize
    precondition(thread.stackSize == stackSize, "No thread can have a stack of \(stackSize) bytes.")
    thread.start()
  }
}
