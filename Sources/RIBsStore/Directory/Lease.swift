// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Synchronization

/// The time for which an owner relies on its trees: a margin shorter than the one for which no other owner can claim them.
/// When it is over, the trees answer no call until the lease is renewed or revived. If it can't be, the directory uses a new
/// owner.
final class Lease: Sendable {
  let owner: TreeOwner
  private let number: Atomic<Int64>
  private let revivalCount = Atomic(0)

  /// - Parameter isRequired: whether another owner can claim the trees at any time until the first renewal.
  init(_ owner: TreeOwner, isRequired: Bool) {
    self.owner = owner
    number = Atomic((isRequired ? LeaseState.awaited : .free).number)
  }

  var state: LeaseState { LeaseState(number: number.load(ordering: .sequentiallyConsistent)) }

  /// Whether a first renewal is required.
  var awaitsRenewal: Bool { state == .awaited }

  /// Whether no other owner can have claimed its trees. True if no lease is required. Each call asks this, so it reads one
  /// number, and the clock only if that matters.
  ///
  /// - Parameter now: the time on the clock of the directory, in nanoseconds.
  func holds(at now: @autoclosure () -> Int64) -> Bool {
    LeaseState(number: number.load(ordering: .relaxed)).holds(at: now())
  }

  var isLost: Bool { state == .lost }

  /// Whether a revival was requested, and not answered.
  var isReviving: Bool { state == .reviving }

  func extend(to time: Duration) { change(.renewed(until: time.nanoseconds)) }

  /// The number of revivals that have begun. A tree that was claimed before one, and put into the table after it has begun,
  /// may be another owner's.
  var revivals: Int { revivalCount.load(ordering: .sequentiallyConsistent) }

  func beginRevival() {
    revivalCount.add(1, ordering: .sequentiallyConsistent)
    change(.reviving)
  }

  /// - Returns: false if it had ended before, or was never renewed.
  func end() -> Bool { change(.ended) }

  /// - Returns: false if it was lost before.
  func lose() -> Bool { change(.lost) }

  /// - Returns: whether the event has changed the state.
  @discardableResult
  private func change(_ event: LeaseState.Event) -> Bool {
    var current = number.load(ordering: .sequentiallyConsistent)
    while let next = LeaseState(number: current).after(event) {
      let (isSet, found) = number.weakCompareExchange(
        expected: current, desired: next.number, ordering: .sequentiallyConsistent)
      if isSet { return true }
      current = found
    }
    return false
  }
}

/// A lease under which a tree is claimed.
struct ClaimedLease {
  let lease: Lease
  private let revivals: Int

  /// - Parameter lease: is checked after this, and before the claim.
  init(_ lease: Lease) {
    self.lease = lease
    revivals = lease.revivals
  }

  /// Whether a revival may have overlooked the tree, or the lease is lost.
  var mayBeLost: Bool { lease.isLost || lease.revivals != revivals }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    // Saturates: `.max` and `.min` have special meanings.
    return overflow ? .max - 1 : min(product, .max / 2) + attoseconds / 1_000_000_000
  }
}
