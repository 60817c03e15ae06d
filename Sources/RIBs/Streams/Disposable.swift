// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A subscription, or another resource that must end with a scope.
///
/// Only `dispose()` is required, so tokens of other libraries conform in one line:
///
/// ```swift
/// extension AnyCancellable: Disposable { public func dispose() { cancel() } }
/// ```
///
/// Everything that binds disposables (`disposeOnDeactivate(interactor:)`, `disposeOnStop(_:)`, `DisposeBag`) releases
/// those that have ended. A token that knows when its subscription has ended returns that from `hasEnded`. Other tokens
/// are kept until their scope ends.
public protocol Disposable {
  /// Ends the subscription. Idempotent.
  ///
  /// Disposal is silent: nothing more is delivered, and `onCompleted` is not called.
  func dispose()

  /// Whether the subscription has ended: it was disposed of, or its stream has completed and notified it.
  ///
  /// The runtime reads it on the tree while it binds other disposables. It must be fast, and stay true once it is
  /// true. Defaults to false.
  var hasEnded: Bool { get }
}

extension Disposable {
  /// False: not known to have ended.
  public var hasEnded: Bool { false }
}

#if DEBUG
  /// What a subscription is bound in that has an actor: a tree.
  @usableFromInline
  protocol IsolationDomain: AnyObject {
    /// Traps on another actor.
    func checkIsolation()
  }

  /// A subscription that makes its relays check, in debug builds, that values are sent on the actor of its tree.
  protocol IsolationChecking: Disposable {
    /// Called when the subscription is bound in a tree.
    func checkValues(in tree: any IsolationDomain)
  }

  extension Disposable {
    /// Makes the relays of this subscription check their values, if it was bound in a tree.
    func checkIsolation(in tree: (any IsolationDomain)?) {
      if let tree { (self as? any IsolationChecking)?.checkValues(in: tree) }
    }
  }
#endif

/// Factories of disposables.
public enum Disposables {
  /// A disposable that does nothing and has ended.
  public static func create() -> any Disposable { EmptyDisposable() }

  /// A disposable that runs a closure, once.
  ///
  /// - Parameter dispose: called by the first `dispose()`, and released afterwards.
  public static func create(with dispose: @escaping () -> Void) -> any Disposable { ActionDisposable(dispose) }

  /// A disposable that disposes of several, in the given order. It has ended when all of them have.
  public static func create(_ disposables: any Disposable...) -> any Disposable { CompositeDisposable(disposables) }
}

extension Disposables {
  /// A subscription that is bound to a scope, to dispose of it earlier.
  public struct Bound: Disposable {
    private let subscription: any Disposable

    init(_ subscription: any Disposable) { self.subscription = subscription }

    public var hasEnded: Bool { subscription.hasEnded }

    public func dispose() { subscription.dispose() }
  }
}

@usableFromInline
struct EmptyDisposable: Disposable {
  @inlinable
  init() {}

  @inlinable var hasEnded: Bool { true }

  @inlinable
  func dispose() {}
}

final class ActionDisposable: Disposable {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  var hasEnded: Bool { action == nil }

  func dispose() {
    guard let action else { return }
    self.action = nil
    action()
  }
}

final class CompositeDisposable: Disposable {
  /// Empty after disposal.
  private var parts: [any Disposable]

  init(_ parts: [any Disposable]) { self.parts = parts }

  var hasEnded: Bool {
    let parts = parts
    return parts.allSatisfy { $0.hasEnded }
  }

  func dispose() {
    let ending = parts
    parts = []
    for part in ending { part.dispose() }
  }
}

#if DEBUG
  extension Disposables.Bound: IsolationChecking {
    func checkValues(in tree: any IsolationDomain) { subscription.checkIsolation(in: tree) }
  }

  extension CompositeDisposable: IsolationChecking {
    func checkValues(in tree: any IsolationDomain) {
      for part in parts { part.checkIsolation(in: tree) }
    }
  }
#endif

/// Holds disposables and disposes of them when it is released.
///
/// Use it in objects without a lifecycle, such as presenters. In an interactor, use
/// `disposeOnDeactivate(interactor:)`.
public final class DisposeBag {
  fileprivate var held = DisposableList()

  /// Creates an empty bag.
  public init() {}

  /// Adds a disposable. On release, the bag disposes of the last added first.
  ///
  /// - Complexity: amortized O(1). Disposables that have ended are released.
  public func insert(_ disposable: any Disposable) {
    held.append(disposable)
    guard let sweep = held.beginSweep() else { return }
    let live = sweep.findLive()
    held.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  deinit { held.removeAll().disposeAll() }

  /// Whether a disposable is known not to have ended.
  var hasLiveDisposables: Bool {
    let copy = held
    return copy.count > 0
  }
}

/// Holds the subscriptions of any number of sources. Those that have ended are released.
final class DisposableGroup: Disposable {
  /// Nil after disposal.
  private var bag: DisposeBag? = DisposeBag()

  #if DEBUG
    /// The tree in which this was bound.
    private weak var tree: (any IsolationDomain)?
  #endif

  var hasEnded: Bool { bag == nil }

  /// Holds a subscription. Disposes of it at once if this has ended.
  func add(_ subscription: any Disposable) {
    guard let bag else { return subscription.dispose() }
    #if DEBUG
      subscription.checkIsolation(in: tree)
    #endif
    bag.insert(subscription)
  }

  func dispose() {
    withExtendedLifetime(bag.take()) {}
  }
}

#if DEBUG
  extension DisposableGroup: IsolationChecking {
    func checkValues(in tree: any IsolationDomain) {
      self.tree = tree
      bag?.held.checkValues(in: tree)
    }
  }
#endif

extension Disposable {
  /// Disposes of this when the bag is released.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Holds one disposable at a time: setting another disposes of the previous one.
///
/// After disposal, everything set is disposed of at once.
final class SerialDisposable: Disposable {
  private enum State {
    case empty
    case holding(any Disposable)
    case ended
  }

  private var state = State.empty

  #if DEBUG
    /// The tree in which this was bound.
    private weak var tree: (any IsolationDomain)?
  #endif

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  func set(_ disposable: any Disposable) {
    let previous = state
    if case .ended = previous { return disposable.dispose() }
    #if DEBUG
      disposable.checkIsolation(in: tree)
    #endif
    state = .holding(disposable)
    if case .holding(let last) = previous { last.dispose() }
    withExtendedLifetime(previous) {}
  }

  func dispose() {
    let previous = state
    state = .ended
    if case .holding(let last) = previous { last.dispose() }
    withExtendedLifetime(previous) {}
  }
}

#if DEBUG
  extension SerialDisposable: IsolationChecking {
    func checkValues(in tree: any IsolationDomain) {
      self.tree = tree
      if case .holding(let current) = state { current.checkIsolation(in: tree) }
    }
  }
#endif

/// Disposables in insertion order. Those that have ended are swept.
///
/// Disposables may run user code when they are called or released, and that code may add to the same list. The list
/// therefore does neither while it is being changed. Its owner sweeps it in three steps: `beginSweep()`, `findLive()`
/// outside any access to the list, and `endSweep(_:keeping:)`.
struct DisposableList {
  /// The oldest element. Stored separately because it is often the only one.
  private var first: (any Disposable)?
  private var others: [any Disposable] = []
  /// The size of `others` at which the next sweep starts.
  private var sweepAt: Int32 = 16
  /// Incremented when elements are removed, which invalidates a sweep in progress.
  private var removals: UInt32 = 0

  /// The number of elements not known to have ended. It calls `hasEnded` of each, so use a copy of the list.
  var count: Int { others.count { !$0.hasEnded } + (first?.hasEnded == false ? 1 : 0) }

  /// Appends a disposable.
  ///
  /// - Complexity: amortized O(1), including sweeps.
  mutating func append(_ disposable: any Disposable) {
    if first == nil, others.isEmpty { first = disposable } else { others.append(disposable) }
  }

  #if DEBUG
    func checkValues(in tree: any IsolationDomain) {
      first?.checkIsolation(in: tree)
      for other in others { other.checkIsolation(in: tree) }
    }
  #endif

  /// Removes and returns all elements, to be disposed of outside the access to the list.
  mutating func removeAll() -> DisposableList {
    var removed = DisposableList()
    swap(&self, &removed)
    removals = removed.removals &+ 1
    return removed
  }

  /// Disposes of all elements, last first. Call it on a removed list.
  func disposeAll() {
    for disposable in others.reversed() { disposable.dispose() }
    first?.dispose()
  }

  // MARK: Sweeping

  /// Starts a sweep if the list has doubled since the last one, which bounds the memory of many short subscriptions.
  ///
  /// - Returns: a copy of the list, which is to be swept.
  mutating func beginSweep() -> DisposableList? {
    guard others.count >= Int(sweepAt) else { return nil }
    sweepAt = Int32(clamping: others.count * 2)
    return self
  }

  /// The elements that have not ended. Calls `hasEnded` of each.
  func findLive() -> DisposableList {
    var live = self
    if first?.hasEnded == true { live.first = nil }
    live.others = others.filter { !$0.hasEnded }
    return live
  }

  /// Removes the elements that the sweep does not keep, unless others were removed meanwhile. Keeps elements added
  /// meanwhile.
  mutating func endSweep(_ sweep: DisposableList, keeping live: DisposableList) {
    guard removals == sweep.removals else { return }
    removals &+= 1
    first = live.first
    others = live.others + others.dropFirst(sweep.others.count)
    sweepAt = Int32(clamping: max(16, others.count * 2))
  }
}
