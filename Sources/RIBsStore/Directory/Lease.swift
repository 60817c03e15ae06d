internal import RIBs
internal import Synchronization

/// The time for which an owner of trees is not robbed. When it is over, a new owner takes its place.
final class Lease: Sendable {
  let owner: TreeOwner
  /// In nanoseconds on the clock of the directory. Maximal while no lease is required, minimal when it is lost.
  private let end: Atomic<Int64>
  /// The end of a lease that is required and was never renewed.
  private static let notRenewed = Int64.min + 1

  /// - Parameter isRequired: whether trees may be served only after the first renewal.
  init(_ owner: TreeOwner, isRequired: Bool = false) {
    self.owner = owner
    end = Atomic(isRequired ? Lease.notRenewed : .max)
  }

  /// From now on, trees may be served only after a renewal: until then, others can claim them at any time.
  func require() {
    _ = end.compareExchange(expected: .max, desired: Lease.notRenewed, ordering: .sequentiallyConsistent)
  }

  /// Whether a first renewal is required.
  var awaitsRenewal: Bool { end.load(ordering: .sequentiallyConsistent) == Lease.notRenewed }

  /// Whether its trees have no other owner, as far as is known without asking the store. Without a required lease that
  /// is not known, and the answer is yes.
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
    // A century is as good as for ever, and leaves the extremes to their meanings.
    return overflow ? .max - 1 : min(product, .max / 2) + attoseconds / 1_000_000_000
  }
}
