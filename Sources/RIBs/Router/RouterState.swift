// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The lifecycle of a router, with all its transitions.
///
/// | from | `becomeActive()` | `beginResigning()` | `detach()` | `finishResigning()` |
/// |---|---|---|---|---|
/// | `inactive` | `active` | | the caller unlinks it now | |
/// | `active` | | `resigning(then: .nothing)` | `resigning(then: .unlink)`, the caller runs the cascade | |
/// | `resigning` | | | stays, unlinked when it has resigned | `inactive` |
struct RouterState {
  enum Phase: Equatable {
    case inactive
    /// The interactor is active, or is being activated.
    case active
    /// Resigning, or waiting for descendants that resign first. The router stays linked.
    case resigning(then: Completion)
  }

  /// What happens to a router that has resigned.
  enum Completion: UInt8 {
    case nothing
    /// The parent unlinks it.
    case unlink
    /// Its `deinit` continues: no weak reference to it can be made any more.
    case release
  }

  /// What the caller of `detach()` has to do.
  enum DetachAction {
    case unlink
    case resign
    /// The cascade that is already running unlinks the router.
    case wait
  }

  /// What is known of a router beside its phase.
  private struct Facts: OptionSet {
    let rawValue: UInt8

    static let isLoaded = Facts(rawValue: 1)
    static let hasNoLabel = Facts(rawValue: 2)
    static let isInReleaseQueue = Facts(rawValue: 4)
  }

  private(set) var phase = Phase.inactive
  private var facts: Facts = []
  /// The lifecycle of the interactor, unless it is a test double.
  var interactor = InteractorState()
  /// Changes whenever the router becomes active or begins to resign, so that code can notice what a callback did.
  private(set) var epoch: UInt32 = 0

  /// Whether `didLoad()` was called, or is about to be.
  var isLoaded: Bool { facts.contains(.isLoaded) }
  /// Whether the RIB was asked for its label, and has none.
  var hasNoLabel: Bool { facts.contains(.hasNoLabel) }
  /// Whether a loop that releases routers has the last reference to this one, and takes over its children.
  var isInReleaseQueue: Bool { facts.contains(.isInReleaseQueue) }
  var isInactive: Bool { phase == .inactive }
  var isActive: Bool { phase == .active }
  var isResigning: Bool { if case .resigning = phase { true } else { false } }
  var isBeingReleased: Bool { phase == .resigning(then: .release) }
  var isBeingUnlinked: Bool { phase == .resigning(then: .unlink) }

  mutating func becomeActive() {
    phase = .active
    epoch &+= 1
    leaveReleaseQueue()
  }

  mutating func load() { facts.insert(.isLoaded) }

  mutating func foundNoLabel() { facts.insert(.hasNoLabel) }

  /// A loop is about to release the router, and has the place of its cursor.
  mutating func enterReleaseQueue() { facts.insert(.isInReleaseQueue) }

  /// A cascade needs the cursor. One may begin although the last reference is gone: in the `deinit` of a subclass.
  mutating func leaveReleaseQueue() { facts.remove(.isInReleaseQueue) }

  mutating func beginResigning() {
    leaveReleaseQueue()
    // A router that is to be unlinked or released already says so.
    if phase == .active { phase = .resigning(then: .nothing) }
    epoch &+= 1
  }

  /// The parent detaches the router.
  mutating func detach() -> DetachAction {
    switch phase {
    case .inactive:
      return .unlink
    case .active:
      phase = .resigning(then: .unlink)
      return .resign
    case .resigning:
      phase = .resigning(then: .unlink)
      return .wait
    }
  }

  /// The router was unlinked before it has resigned: its former parent does not wait for it.
  mutating func didUnlink() { if phase == .resigning(then: .unlink) { phase = .resigning(then: .nothing) } }

  /// The last reference to the router is gone.
  mutating func release() { if phase != .inactive { phase = .resigning(then: .release) } }

  mutating func finishResigning() { phase = .inactive }
}

/// The place of a router in a tree.
struct TreeMembership {
  private enum Kind: UInt8 {
    case none, member, root, ended
  }

  /// The tree; nil for `none` and `ended`.
  let tree: Unmanaged<TreeCore>?
  private let kind: Kind

  /// In no tree: never active in one, or resigned and detached.
  static var none: TreeMembership { TreeMembership(tree: nil, kind: .none) }
  /// Active in a tree. The root's membership keeps the tree alive.
  static func member(_ tree: Unmanaged<TreeCore>) -> TreeMembership { TreeMembership(tree: tree, kind: .member) }
  /// The root of a launched tree, until the tree has ended. Owns a reference to the tree.
  static func root(_ tree: Unmanaged<TreeCore>) -> TreeMembership { TreeMembership(tree: tree, kind: .root) }
  /// Resigned because its tree ended.
  static var ended: TreeMembership { TreeMembership(tree: nil, kind: .ended) }

  var isRoot: Bool { kind == .root }
  var hasEnded: Bool { kind == .ended }
}
