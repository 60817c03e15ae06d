/// The scope of an interactor: whether it is active now, and when that changes.
public protocol InteractorScope: AnyObject {
  /// Whether the interactor is active: from just before `didBecomeActive()` until after `willResignActive()`.
  var isActive: Bool { get }

  /// `isActive` as a stream: its current value at once, then each change; ends when the interactor is released.
  var isActiveStream: Observable<Bool> { get }
}

/// What routers know of an interactor: the base of a RIB's `Interactable` protocol.
///
/// The runtime activates and deactivates interactors. Calling these by hand is for tests, and for programs that keep a
/// single RIB without a tree.
public protocol Interactable: InteractorScope {
  /// Makes the interactor active, if it is not.
  func activate()

  /// Makes the interactor inactive, if it is active, with everything below its router.
  func deactivate()
}
