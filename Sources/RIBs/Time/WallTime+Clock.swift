// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension WallTime {
  /// Tells the time of a calendar. Set it as `TreeConfiguration.wallClock`.
  ///
  /// Unlike a `Clock` of Swift, it may be set while it runs, forward and back, and it continues while the machine sleeps.
  public struct Clock: Sendable {
    private let read: @Sendable () -> WallTime
    /// Waits until a time; nil for a clock whose time the tree compares from time to time.
    let sleep: (@Sendable (WallTime) async throws -> Void)?

    /// Creates a clock.
    ///
    /// - Parameter now: returns the present time. Called on any thread.
    public init(now: @escaping @Sendable () -> WallTime) { self.init(now: now, sleep: nil) }

    /// Creates a clock that can be waited for.
    ///
    /// - Parameter sleep: waits until a time, also if the clock is set meanwhile; throws if the calling task is cancelled.
    package init(now: @escaping @Sendable () -> WallTime, sleep: (@Sendable (WallTime) async throws -> Void)?) {
      read = now
      self.sleep = sleep
    }

    /// The real-time clock of the system.
    public static var system: Clock { Clock { .now } }

    /// The present time.
    public var now: WallTime { read() }
  }
}
