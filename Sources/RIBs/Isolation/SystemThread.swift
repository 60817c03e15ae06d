// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A thread of the system that runs one closure, outside the threads of Swift's executors.
enum SystemThread {
  /// Carries a closure to the entry point of a thread.
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread. It ends when the closure returns, and no thread joins it.
  ///
  /// - Returns: false if the system can't create a thread. The closure is released then.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = Unmanaged.passRetained(Body(run))
    let isStarted = withoutSignals {
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      return pthread_create(&thread, nil, { SystemThread.serve($0) }, body.toOpaque()) == 0
    }
    if !isStarted { body.release() }
    return isStarted
  }

  /// Blocks the calling thread for some time. A thread of `start(_:)` receives no signal that ends the wait early.
  static func sleep(for duration: Duration) {
    let (seconds, attoseconds) = duration.boundedTimeout.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Ends the process by `SIGABRT`.
  static func abortProcess() -> Never { abort() }

  /// Starts a thread that blocks the signals sent to the process, as Dispatch does for its threads.
  private static func withoutSignals(_ start: () -> Bool) -> Bool {
    var (signals, usual) = (sigset_t(), sigset_t())
    sigfillset(&signals)
    // Signals for faults of the thread itself stay unblocked.
    for own in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&signals, own) }
    pthread_sigmask(SIG_SETMASK, &signals, &usual)
    defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
    return start()
  }

  /// The entry point of the thread.
  private static func serve(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    pthread_detach(pthread_self())
    // Released before the thread ends.
    if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
    return nil
  }
}

/// The identifier of the calling thread, unique among living threads; never zero.
func currentThread() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}
