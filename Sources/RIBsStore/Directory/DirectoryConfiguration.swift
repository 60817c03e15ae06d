public import RIBs

/// The shortest lease of a directory.
private let shortestLease = Duration.milliseconds(100)

/// The settings of a `TreeDirectory`.
public struct DirectoryConfiguration: Sendable {
  /// How long a tree stays awake after its last call, if nothing runs in it; nil to keep trees awake. Zero ends a tree
  /// right after its last call. `TreeDirectory.run()` ends the others, up to a quarter of this time later.
  public var idleAfter: Duration? { didSet { idleAfter = idleAfter?.boundedTimeout } }

  /// The maximum number of trees that are awake at the same time. To open another one, the directory ends the tree that
  /// has been idle for the longest time; if none is idle, it refuses with `DirectoryFull`. At least one.
  public var limit: Int { didSet { limit = max(limit, 1) } }

  /// The time between two rounds of `TreeDirectory.run()`, which restores trees that were awake when a process died, renews
  /// the lease, and ends idle trees. At least a millisecond.
  public var interval: Duration { didSet { interval = interval.boundedInterval } }

  /// How long the lease of this process holds after each renewal. Another process may take its trees that long after it
  /// died. Ignored by stores for one process.
  ///
  /// The directory renews the lease after a third of it, and then in each round of `TreeDirectory.run()` until the store
  /// answers. It relies on the lease for nine tenths of it, from the moment before it sent the renewal, on its own clock.
  /// Then it answers no call of a tree before the store has renewed the lease, and ends all trees when a renewal fails.
  /// In the last tenth no process owns the trees: answers that were under way arrive before another process can claim
  /// the tree. Calls of the store should have a time limit of at most two fifths of the lease. At least a tenth of a
  /// second: a shorter lease ends whenever the process is briefly suspended.
  public var lease: Duration { didSet { lease = lease.bounded(from: shortestLease) } }

  /// Where other processes reach this one, such as `10.0.0.7:8080`. Callers in other processes receive it with
  /// `TreeElsewhere`.
  public var address: String

  /// The pauses between attempts to save while the store fails, and before a failed tree is restored.
  public var backoff: Backoff

  /// The number of failures in a row after which a tree is quarantined: it has failed within a minute, could not be
  /// restored, or has ended the process that started it. At least two, because the first process to end may have started
  /// many trees at the same time.
  public var quarantineAfter: Int { didSet { quarantineAfter = max(quarantineAfter, 2) } }

  /// The clock for all times of the directory. It should count the time in which the machine sleeps, because leases end
  /// meanwhile.
  public var clock: any Clock<Duration>

  /// Names the turns of all trees that do not end, while they run; nil for none. Create one for the process.
  public var watchdog: TurnWatchdog?

  /// Creates a configuration. Numbers that are too small or too large count as the nearest possible ones.
  public init(
    idleAfter: Duration? = .seconds(600), limit: Int = .max, interval: Duration = .seconds(1),
    lease: Duration = .seconds(10), address: String = "",
    backoff: Backoff = .exponential(from: .milliseconds(50), to: .seconds(5)),
    quarantineAfter: Int = 3, clock: any Clock<Duration> = ContinuousClock(), watchdog: TurnWatchdog? = nil
  ) {
    self.idleAfter = idleAfter?.boundedTimeout
    self.limit = max(limit, 1)
    self.interval = interval.boundedInterval
    self.lease = lease.bounded(from: shortestLease)
    self.address = address
    self.backoff = backoff
    self.quarantineAfter = max(quarantineAfter, 2)
    self.clock = clock
    self.watchdog = watchdog
  }

  /// How long the directory relies on its lease after a renewal. The fence keeps writers apart; the margin only avoids
  /// answers of two owners at once, also if clocks run at rates that differ by less than a tenth.
  var reliableLease: Duration { lease * 9 / 10 }
}

/// What happened in a `TreeDirectory`.
public enum DirectoryEvent<ID: Sendable>: Sendable, CustomStringConvertible {
  /// A tree was built that is not in the store.
  case opened(ID)
  /// A tree was restored from the store.
  case restored(ID)
  /// A restored tree has not taken something of its record: RIBs, containers or states that the program does not have now.
  /// They are kept in each save until the program takes them, or names them in `SavedNames.removed`. The strings are their
  /// paths, as in `TreeEvent.untaken`.
  case restoredWithout(ID, [String])
  /// An idle tree was ended. It is restored by the next call.
  case passivated(ID)
  /// A tree was ended by one of its RIBs, or by a shutdown of its host.
  case ended(ID, TreeEnded.Reason)
  /// A tree could not be built or restored, or has failed.
  case failed(ID, any Error)
  /// A tree was ended, because another owner has claimed it. Changes that were not saved are lost.
  case fenced(ID)
  /// A tree was quarantined, because it has failed or could not be read too often, or, with `UnfinishedStarts`, because it
  /// has ended too many processes. Then it is quarantined in the store, and each process that runs a directory reports it
  /// once. Its record stays as it is.
  case quarantined(ID, any Error)
  /// A tree was removed from the store.
  case removed(ID)
  /// A call was refused, because the limit is reached and no tree is idle.
  case full
  /// The store has failed. The call is repeated: saves until they succeed, others in the next round of `run()`.
  case storeFailed(any Error)
  /// The store has succeeded again.
  case storeRecovered
  /// The lease of this process has ended, and with it all its trees. Changes that were not saved are lost.
  case leaseLost

  /// The event as one line.
  public var description: String {
    switch self {
    case .opened(let id): "\(id) was opened"
    case .restored(let id): "\(id) was restored"
    case .restoredWithout(let id, let paths):
      "\(id) was restored without \(paths.joined(separator: ", ")). What is saved there is kept until the program has these "
        + "RIBs again. If they no longer exist, add their names to SavedNames.removed of their parents."
    case .passivated(let id): "\(id) was idle and was ended"
    case .ended(let id, let end): "\(id) has ended: \(end)"
    case .failed(let id, let error): "\(id) has failed: \(error)"
    case .fenced(let id): "\(id) was claimed by another owner, so it was ended here without a save"
    case .quarantined(let id, let error):
      "\(id) is in quarantine, and its record stays as it is. \(error.quarantineAdvice("retry(_:)")): \(error)"
    case .removed(let id): "\(id) was removed"
    case .full: "a tree was not opened, because the limit is reached and no tree is idle"
    case .storeFailed(let error): "the store has failed, and is tried again: \(error)"
    case .storeRecovered: "the store has recovered"
    case .leaseLost: "the lease has ended, so all trees were ended without a save"
    }
  }

  /// Whether it is written to standard error if there is no handler.
  var isProblem: Bool {
    switch self {
    case .restoredWithout, .fenced, .quarantined, .storeFailed, .leaseLost: true
    case .opened, .restored, .passivated, .ended, .failed, .removed, .full, .storeRecovered: false
    }
  }
}
