// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The state of a lease.
///
/// All transitions:
///
/// | from | renewed or revived until t | ended | revival requested | lost |
/// |---|---|---|---|---|
/// | `free` | | | | `lost` |
/// | `awaited` | `held(t)` | | | `lost` |
/// | `held(s)` | `held(t)` if t is later | `ended` | `reviving` | `lost` |
/// | `ended` | `held(t)` | | `reviving` | `lost` |
/// | `reviving` | `held(t)` | | | `lost` |
/// | `lost` | | | | |
///
/// `lost` is final: a renewal that succeeds late finds it and has no effect.
enum LeaseState: Hashable {
  /// No lease is required, and never will be: the store has none, because no other process uses it.
  case free
  /// The lease was never renewed. Until it is, another owner can claim the trees at any time.
  case awaited
  /// No other owner can have claimed the trees before this time on the clock of the directory, in nanoseconds.
  case held(until: Int64)
  /// Other owners may have claimed the trees. They answer no call, and continue if the lease is revived.
  case ended
  /// The store may have revived the lease, and the response may be lost that says which trees others have claimed before. So
  /// only another revival can renew it.
  case reviving
  /// The lease can't be revived. The directory uses another owner.
  case lost

  enum Event: Hashable {
    case renewed(until: Int64)
    case ended
    case reviving
    case lost
  }

  /// The state after an event; nil if it changes nothing.
  func after(_ event: Event) -> LeaseState? {
    switch (self, event) {
    case (.lost, _): nil
    case (_, .lost): .lost
    case (.free, _): nil
    case (.held, .ended): .ended
    case (.held, .reviving), (.ended, .reviving): .reviving
    case (_, .ended), (_, .reviving): nil
    case (.held(let end), .renewed(let time)): time > end ? .held(until: time) : nil
    case (_, .renewed(let time)): .held(until: time)
    }
  }

  /// Whether the trees may answer calls.
  func holds(at now: @autoclosure () -> Int64) -> Bool {
    switch self {
    case .free: true
    case .held(let end): now() < end
    case .awaited, .ended, .reviving, .lost: false
    }
  }
}

extension LeaseState {
  /// The state as one number, because each call reads it.
  var number: Int64 {
    switch self {
    case .free: .max
    case .awaited: .min + 1
    case .ended: .min + 2
    case .reviving: .min + 3
    case .held(let end): min(max(end, .min + 4), .max - 1)
    case .lost: .min
    }
  }

  init(number: Int64) {
    self =
      switch number {
      case .max: .free
      case .min + 1: .awaited
      case .min + 2: .ended
      case .min + 3: .reviving
      case .min: .lost
      default: .held(until: number)
      }
  }
}
