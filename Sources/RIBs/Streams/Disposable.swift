/// Something that can be ended: a subscription, or anything else that must end with a scope.
///
/// Only `dispose()` has to be written, so the tokens of other libraries conform in one line:
///
/// ```swift
/// extension AnyCancellable: Disposable { public func dispose() { cancel() } }
/// ```
///
/// Everything that binds disposables (`disposeOnDeactivate(interactor:)`, `disposeOnStop(_:)`, `DisposeBag`) releases
/// those that have ended. A token that knows when its subscription is over returns that from `hasEnded`. A token without
/// it is kept until its scope ends.
public protocol Disposable {
  /// Ends it. Calling it again has no effect.
  ///
  /// Disposal is silent: a subscription that is disposed of delivers nothing more, and its `onCompleted` is not called.
  func dispose()

  /// Whether there is nothing left to end: it was disposed of, or its stream has ended and has said so.
  ///
  /// The runtime reads it on the tree while it binds something else. It must be quick. Once true, it stays true. The
  /// default is false.
  var hasEnded: Bool { get }
}

extension Disposable {
  /// False: not known to have ended.
  public var hasEnded: Bool { false }
}

extension Disposable {
  /// Ends this when the interactor resigns.
  ///
  /// Bound to an interactor that is not active, it is disposed of at once and that is reported: a subscription made
  /// before activation, or by a callback that came too late, would otherwise never end.
  ///
  /// - Parameter interactor: the interactor whose current activation this lasts for.
  /// - Returns: this disposable, to end it earlier.
  @discardableResult
  public func disposeOnDeactivate(interactor: Interactor) -> any Disposable {
    if interactor.acceptsSubscriptions {
      interactor.openWork().add(self)
    } else {
      dispose()
      interactor.report(.subscriptionWhileInactive)
    }
    return self
  }
}

extension Disposable {
  /// Ends this when the worker stops.
  ///
  /// Bound to a worker that does not run, it is disposed of at once and that is reported: it would otherwise never end.
  ///
  /// - Parameter worker: the worker whose current run this lasts for.
  /// - Returns: this disposable, to end it earlier.
  @discardableResult
  public func disposeOnStop(_ worker: Worker) -> any Disposable {
    worker.bind(self)
    return self
  }
}

/// Makes disposables.
public enum Disposables {
  /// A disposable that does nothing, and has ended.
  public static func create() -> any Disposable { EmptyDisposable() }

  /// A disposable that runs a closure, once.
  ///
  /// - Parameter dispose: runs at the first `dispose()`, and is released after that.
  public static func create(with dispose: @escaping () -> Void) -> any Disposable { ActionDisposable(dispose) }

  /// A disposable that ends several, in the order given. It has ended when all of them have.
  public static func create(_ disposables: any Disposable...) -> any Disposable { CompositeDisposable(disposables) }
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
  /// Empty once disposed of.
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

/// Holds disposables, and disposes of them when it is released.
///
/// Use it in objects that have no lifecycle of their own, such as presenters. What belongs to an interactor is better
/// bound with `disposeOnDeactivate(interactor:)`.
public final class DisposeBag {
  private var held = DisposableList()

  /// Creates an empty bag.
  public init() {}

  /// Adds a disposable, which ends with the bag. The last added is disposed of first.
  ///
  /// - Complexity: amortized O(1). Disposables that have ended by themselves are released.
  public func insert(_ disposable: any Disposable) {
    held.append(disposable)
    guard let sweep = held.beginSweep() else { return }
    let live = sweep.findLive()
    held.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  deinit { held.removeAll().disposeAll() }
}

extension Disposable {
  /// Ends this when the bag is released.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Holds one disposable at a time: replacing it disposes of the previous one.
///
/// Once this is disposed of, everything that it is given is disposed of at once.
final class SerialDisposable: Disposable {
  private enum State {
    case empty
    case holding(any Disposable)
    case ended
  }

  private var state = State.empty

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  func set(_ disposable: any Disposable) {
    let previous = state
    if case .ended = previous { return disposable.dispose() }
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
