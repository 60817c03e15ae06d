// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Synchronization

/// The time for which an owner relies on its trees: a margin shorter than the one for which no other owner can claim them.
/// When it is over and can't be renewed, the directory uses a new owner.
final class Lease: Sendable {
  let owner: TreeOwner
  /// The end in nanoseconds on the clock of the directory; `.max` while no lease is required, `.min` when it is lost.
  private let end: Atomic<Int64>
  /// The end of a lease that is required and was never renewed.
  private static let notRenewed = Int64.min + 1

  /// - Parameter isRequired: whether trees may be served only after the first renewal.
  init(_ owner: TreeOwner, isRequired: Bool = false) {
    self.owner = owner
    end = Atomic(isRequired ? Lease.notRenewed : .max)
  }

  /// Requires a renewal before trees are served: until then, another owner can claim them at any time.
  func require() {
    _ = end.compareExchange(expected: .max, desired: Lease.notRenewed, ordering: .sequentiallyConsistent)
  }

  /// Whether a first renewal is required.
  var awaitsRenewal: Bool { end.load(ordering: .sequentiallyConsistent) == Lease.notRenewed }

  /// Whether the time matters: a lease is required, or it is lost.
  var isRequired: Bool { end.load(ordering: .relaxed) != .max }

  /// Whether no other owner can have claimed its trees. True if no lease is required.
  func holds(at now: @autoclosure () -> Duration) -> Bool {
    let end = end.load(ordering: .relaxed)
    return end == .max || (end != .min && now().nanoseconds < end)
  }

  var isLost: Bool { end.load(ordering: .sequentiallyConsistent) == .min }

  func extend(to time: Duration) {
    var current = end.load(ordering: .relaxed)
    while current != .min, current == .max || current < time.nanoseconds {
      let (isSet, found) = end.weakCompareExchange(
        expected: current, desired: time.nanoseconds, ordering: .sequentiallyConsistent)
      if isSet { return }
      current = found
    }
  }

  /// - Returns: false if it was lost before.
  func lose() -> Bool { end.exchange(.min, ordering: .sequentiallyConsistent) != .min }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    // Saturates: `.max` and `.min` have special meanings.
    return overflow ? .max - 1 : min(product, .max / 2) + attoseconds / 1_000_000_000
  }
}
