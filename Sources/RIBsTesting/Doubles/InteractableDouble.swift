public import RIBs

/// Stands in for a router's interactor. Subclass it and conform to the protocol by which the router knows its interactor.
///
/// It is active from `activate()` to `deactivate()`, as an interactor is, and does nothing else.
open class InteractableDouble: RecordingDouble, Interactable {
  private let activity = BehaviorRelay(value: false)

  /// Whether it was activated, and not deactivated since.
  public final var isActive: Bool { activity.value }

  /// `isActive` as a stream: its current value at once, then each change; ends when this is released.
  public final var isActiveStream: Observable<Bool> { activity.asObservable() }

  /// Makes this active. Among the `calls`.
  public final func activate() {
    note()
    if !isActive { activity.accept(true) }
  }

  /// Makes this inactive. Among the `calls`.
  public final func deactivate() {
    note()
    if isActive { activity.accept(false) }
  }
}
