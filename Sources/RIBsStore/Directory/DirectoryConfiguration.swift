// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// The shortest lease of a directory.
private let shortestLease = Duration.milliseconds(100)

/// The settings of a `TreeDirectory`.
public struct DirectoryConfiguration: Sendable {
  /// How long an idle tree stays awake after its last call; nil to keep trees awake. Zero ends a tree right after its
  /// last call.
  ///
  /// A shorter time saves memory, and costs a restore for each call that comes later. `TreeDirectory.run()` ends idle
  /// trees up to a quarter of this time late.
  public var idleAfter: Duration? { didSet { idleAfter = idleAfter?.boundedTimeout } }

  /// The maximum number of trees that are awake at the same time, which bounds memory. At least one.
  ///
  /// To open another tree, the directory ends the one that has been idle for the longest time. A tree that does not end within
  /// a second, because its code hangs or its record can't be written, keeps its place, and another one is ended. If none is
  /// idle, or three do not end in time, the call throws `DirectoryFull`.
  public var limit: Int { didSet { limit = max(limit, 1) } }

  /// The time between two rounds of `TreeDirectory.run()`, which restores trees that were awake when a process died, wakes
  /// those whose time has come, renews the lease, and ends idle trees. At least a millisecond.
  ///
  /// A tree that sleeps until a time wakes up to this much later, unless many wake at the same time.
  public var interval: Duration { didSet { interval = interval.boundedInterval } }

  /// The duration of this process's lease after each renewal. At least a tenth of a second.
  ///
  /// Another process may take the trees of a dead process when its lease has ended, so a shorter lease makes them
  /// available sooner. It also ends whenever the process is briefly suspended: others may then claim its trees. Stores for
  /// one process ignore it.
  ///
  /// A directory has a lease from its first claim of a tree on. It renews the lease after a third of its duration, and then in
  /// each round of `TreeDirectory.run()` until the store answers. It trusts the lease for 90 % of its duration, measured on its
  /// own clock from just before the renewal was sent. After that it answers a call only once the store has renewed the lease.
  /// If the lease has ended in the store meanwhile, as when the database was away, the directory revives it: trees that no
  /// other process has claimed continue with their bound work and their unsaved changes, and the others end. In the last tenth
  /// no process owns the trees, so answers that are under way arrive before another process can claim the tree. Limit each call
  /// of the store to two fifths of the lease.
  public var lease: Duration { didSet { lease = lease.bounded(from: shortestLease) } }

  /// The address at which other processes reach this one, such as `10.0.0.7:8080`. Other processes throw it in
  /// `TreeElsewhere`, so that requests can be forwarded.
  public var address: String

  /// The pauses between attempts to save while the store fails, and before a failed tree is restored.
  public var backoff: Backoff

  /// The number of failures in a row after which a tree is quarantined. At least two, because the first process to end
  /// may have started many trees at the same time.
  ///
  /// Counted is a tree that fails within a minute, can't be restored, or ends the process that starts it. Without a
  /// limit, such a tree would be opened forever.
  public var quarantineAfter: Int { didSet { quarantineAfter = max(quarantineAfter, 2) } }

  /// The maximum number of trees that `TreeDirectory.run()` opens at the same time: those that were awake when a process died,
  /// those whose time has come, and those that have failed. At least one, and at most a quarter of `limit` takes effect.
  ///
  /// So the opening of many trees after a crash is paced, and calls overtake it. A larger number wakes many trees in less time,
  /// and leaves less of the processor and the store to calls meanwhile.
  public var opensAtOnce: Int { didSet { opensAtOnce = max(opensAtOnce, 1) } }

  /// The maximum number of calls that use or wait for one tree at the same time. At least one.
  ///
  /// Further calls throw `TreeBusy` at once, so that a tree that hangs, or whose save does not end, can't fill the memory with
  /// its callers. Calls whose task was cancelled count until the tree returns, because they still wait for its actor. Without
  /// this limit the callers of one tree slow down those of all others.
  public var callLimit: Int { didSet { callLimit = max(callLimit, 1) } }

  /// The resident memory of the process, in bytes, above which idle trees are ended earlier; nil for none. At least one.
  ///
  /// Each round of `TreeDirectory.run()` above the limit ends the trees that have been idle for the longest time: a sixteenth
  /// of those that are awake, and as many more in each further round, down to none that is idle. The system gets freed memory
  /// back late and not completely, so set the limit well above what the process needs without trees. Only on Linux.
  public var memoryLimit: Int? { didSet { memoryLimit = memoryLimit.map { max($0, 1) } } }

  /// Reads the resident memory, in bytes; nil if it is unknown.
  package var residentMemory: @Sendable () -> Int? = { ProcessMemory.resident }

  /// The clock of the directory. It should advance while the machine sleeps, because leases end meanwhile.
  public var clock: any Clock<Duration>

  /// Reports turns of all trees that do not end, while they run; nil for none. Create one for the process.
  public var watchdog: TurnWatchdog?

  /// Creates a configuration. Numbers that are too small or too large count as the nearest possible ones.
  public init(
    idleAfter: Duration? = .seconds(600), limit: Int = .max, interval: Duration = .seconds(1),
    lease: Duration = .seconds(10), address: String = "",
    backoff: Backoff = .exponential(from: .milliseconds(50), to: .seconds(5)),
    quarantineAfter: Int = 3, opensAtOnce: Int = 16, callLimit: Int = 1_000, memoryLimit: Int? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    watchdog: TurnWatchdog? = nil
  ) {
    self.idleAfter = idleAfter?.boundedTimeout
    self.limit = max(limit, 1)
    self.interval = interval.boundedInterval
    self.lease = lease.bounded(from: shortestLease)
    self.address = address
    self.backoff = backoff
    self.quarantineAfter = max(quarantineAfter, 2)
    self.opensAtOnce = max(opensAtOnce, 1)
    self.callLimit = max(callLimit, 1)
    self.memoryLimit = memoryLimit.map { max($0, 1) }
    self.clock = clock
    self.watchdog = watchdog
  }

  /// How long the directory trusts its lease after a renewal. Fences keep writers apart. The margin only prevents two
  /// owners from answering at once, as long as the rates of their clocks differ by less than a tenth.
  var reliableLease: Duration { lease * 9 / 10 }
}

/// What happened in a `TreeDirectory`.
public enum DirectoryEvent<ID: Sendable>: Sendable, CustomStringConvertible {
  /// A tree was built that is not in the store.
  case opened(ID)
  /// A tree was restored from the store.
  case restored(ID)
  /// A tree was woken, because the time until which it slept has come. `restored` precedes it.
  ///
  /// - Parameter late: how long after its time, by the wall clock of its `TreeConfiguration`. Usually at most
  ///   `DirectoryConfiguration.interval`; longer if many trees wake at the same time, the limit was reached, or no process ran.
  case woken(ID, late: Duration)
  /// A tree was restored without a part of its record: RIBs, containers or states that the program does not have.
  ///
  /// Each save contains them until the program has them again, or names them in `SavedNames.removed`. The strings are
  /// their paths, as in `TreeEvent.untaken`.
  case restoredWithout(ID, [String])
  /// An idle tree was ended. It is restored by the next call.
  case passivated(ID)
  /// A tree was ended by one of its RIBs, or by a shutdown of its host.
  case ended(ID, TreeEnded.Reason)
  /// A tree could not be built or restored, or has failed. Not reported if another process has it.
  case failed(ID, any Error)
  /// A tree was ended because another owner has claimed it. Unsaved changes are lost.
  case fenced(ID)
  /// A tree was quarantined because it has failed, or could not be restored, too often. Its record is unchanged.
  ///
  /// With `UnfinishedStarts`, the tree has ended too many processes. It is then quarantined in the store, and each process
  /// that runs a directory reports it once.
  case quarantined(ID, any Error)
  /// A tree was removed from the store.
  case removed(ID)
  /// A call was refused, because the limit is reached and no tree is idle.
  case full
  /// The store has failed. Saves are repeated until they succeed, other calls in the next round of `run()`.
  case storeFailed(any Error)
  /// The store has succeeded again.
  case storeRecovered
  /// The lease of this process has ended. No tree answers a call before the store renews it; bound work continues, and saves
  /// are repeated.
  case leaseEnded
  /// The store has renewed a lease that had ended.
  ///
  /// - Parameter fenced: the number of trees that other processes have claimed meanwhile. They are ended, and reported as
  ///   `fenced`. All others continue, with their unsaved changes.
  case leaseRevived(fenced: Int)
  /// The lease of this process has ended and can't be revived, so all its trees were ended. Unsaved changes are lost.
  ///
  /// Another process has the same address, or the store can't revive leases.
  case leaseLost

  /// The event as one line.
  public var description: String {
    switch self {
    case .opened(let id): "\(id) was opened"
    case .restored(let id): "\(id) was restored"
    case .woken(let id, let late): "\(id) was woken, \(late) after its time"
    case .restoredWithout(let id, let paths):
      "\(id) was restored without \(paths.joined(separator: ", ")). What is saved there is kept until the program has these "
        + "RIBs again. If they no longer exist, add their names to SavedNames.removed of their parents."
    case .passivated(let id): "\(id) was idle and was ended"
    case .ended(let id, let end): "\(id) has ended: \(end)"
    case .failed(let id, let error): "\(id) has failed: \(error)"
    case .fenced(let id): "\(id) was claimed by another owner, so it was ended here without a save"
    case .quarantined(let id, let error):
      "\(id) is in quarantine, and its record is unchanged. \(error.quarantineAdvice("retry(_:)")): \(error)"
    case .removed(let id): "\(id) was removed"
    case .full: "a tree was not opened, because the limit is reached and no tree is idle"
    case .storeFailed(let error): "the store has failed, and is tried again: \(error)"
    case .storeRecovered: "the store has recovered"
    case .leaseEnded: "the lease has ended, so no call is answered until the store renews it"
    case .leaseRevived(let fenced): "the lease was revived, and \(fenced) trees were claimed by others meanwhile"
    case .leaseLost: "the lease has ended and can't be revived, so all trees were ended without a save"
    }
  }

  /// Whether it is written to standard error if there is no handler.
  var isProblem: Bool {
    switch self {
    case .restoredWithout, .fenced, .quarantined, .storeFailed, .leaseEnded, .leaseLost: true
    case .opened, .restored, .woken, .passivated, .ended, .failed, .removed, .full, .storeRecovered, .leaseRevived:
      false
    }
  }
}
