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

/// Runs each job on a thread of its own, one after the other.
private final class ThreadExecutor: SerialExecutor {
  private let stackSize: Int

  init(stackSize: Int) { self.stackSize = stackSize }

  private final class Work {
    let job: UnownedJob
    let executor: ThreadExecutor

    init(_ job: UnownedJob, _ executor: ThreadExecutor) {
      self.job = job
      self.executor = executor
    }

    func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let work = Unmanaged.passRetained(Work(UnownedJob(job), self)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    let isSized = pthread_attr_setstacksize(&attributes, stackSize) == 0
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let isStarted = pthread_create(&thread, &attributes, threadBody, work) == 0
    pthread_attr_destroy(&attributes)
    precondition(isSized && isStarted, "No thread with a stack of \(stackSize) bytes could be started.")
  }

  private let threadBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
    if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
    return nil
  }
}
