// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A test double for an interactor. Subclass it and conform to the protocol through which the router knows its
/// interactor.
///
/// It is active between `activate()` and `deactivate()`, and does nothing else.
open class InteractableDouble: RecordingDouble, Interactable {
  private let activity = BehaviorRelay(value: false)

  /// Whether it is active.
  public final var isActive: Bool { activity.value }

  /// `isActive` as a stream: the current value first, then each change. Ends when the double is released.
  public final var isActiveStream: Observable<Bool> { activity.asObservable() }

  /// Becomes active. Recorded in `calls`.
  public final func activate() {
    note()
    if !isActive { activity.accept(true) }
  }

  /// Becomes inactive. Recorded in `calls`.
  public final func deactivate() {
    note()
    if isActive { activity.accept(false) }
  }
}
