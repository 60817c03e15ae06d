// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
internal import Synchronization

/// An actor whose code runs on a thread with a stack of the given size.
actor SmallStage {
  private nonisolated let executor: ThreadExecutor

  init(stackSize: Int) { executor = ThreadExecutor(stackSize: stackSize) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Value: Sendable>(_ body: @Sendable (isolated SmallStage) throws -> Value) rethrows -> Value {
    try body(self)
  }
}

/// Runs jobs one after the other, on a thread that is made when there are some.
private final class ThreadExecutor: SerialExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isServed = false
  }

  private let stackSize: Int
  private let queue = Locked(Queue())
  /// Written by each holder of the lock and read by the next: the thread sanitizer does not see the lock itself.
  private let order = Atomic(false)

  init(stackSize: Int) { self.stackSize = stackSize }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = withQueue { queue in
      queue.jobs.append(job)
      defer { queue.isServed = true }
      return !queue.isServed
    }
    if needsThread { startThread() }
  }

  private func withQueue<Result>(_ body: (inout Queue) -> sending Result) -> sending Result {
    queue.withLock { queue in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return body(&queue)
    }
  }

  fileprivate func serve() {
    while true {
      let jobs = withQueue { queue in
        defer { queue.jobs = [] }
        queue.isServed = !queue.jobs.isEmpty
        return queue.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private func startThread() {
    let executor = Unmanaged.passRetained(self).toOpaque()
    // Not a variable: the initializer of the C type is not found when another module imports Foundation (Swift 6.3).
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    let isSized = pthread_attr_setstacksize(attributes, stackSize) == 0
    pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let isStarted = pthread_create(&thread, attributes, threadBody, executor) == 0
    pthread_attr_destroy(attributes)
    precondition(isSized && isStarted, "No thread with a stack of \(stackSize) bytes could be started.")
  }

  private let threadBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
    if let pointer { Unmanaged<ThreadExecutor>.fromOpaque(pointer).takeRetainedValue().serve() }
    return nil
  }
}
