// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A test double for a router: the router of an interactor under test, or a child attached to a real router. Subclass
/// it and conform to the router's protocol.
///
/// ```swift
/// final class TimelineRoutingDouble: ViewableRoutingDouble, TimelineRouting {
///   func routeToDetail(of tweet: Tweet) { record(tweet) }
///   func routeBackToTimeline() { record() }
/// }
/// ```
open class RoutingDouble: RecordingDouble, Routing {
  private let lifecycleRelay = PublishRelay<RouterLifecycle>()

  /// The interactor that the double returns as its own.
  public final let interactable: any Interactable

  /// The attached children. They do not become active.
  public private(set) final var children: [any Routing] = []

  /// The lifecycle events of this router, as they occur. Ends when the router is released.
  public final var lifecycle: Observable<RouterLifecycle> { lifecycleRelay.asObservable() }

  /// Creates a double.
  ///
  /// - Parameters:
  ///   - interactable: the interactor that the double returns as its own.
  ///   - transcript: the transcript that calls are recorded in.
  public init(interactable: any Interactable = InteractableDouble(), in transcript: Transcript? = nil) {
    self.interactable = interactable
    super.init(in: transcript)
  }

  /// Emits `.didLoad` on `lifecycle`. Recorded in `calls`.
  public final func load() {
    note()
    lifecycleRelay.accept(.didLoad)
  }

  /// Adds a child. Recorded in `calls`.
  public final func attachChild(_ child: any Routing) {
    record(child)
    children.append(child)
  }

  /// Removes a child. Recorded in `calls`.
  public final func detachChild(_ child: any Routing) {
    record(child)
    children.removeAll { $0 === child }
  }
}

/// A test double for the router of a RIB with a view. Subclass it and conform to the router's protocol.
open class ViewableRoutingDouble: RoutingDouble, ViewableRouting {
  /// The view that the double returns as its own.
  public final let viewControllable: any ViewControllable

  /// Creates a double.
  ///
  /// - Parameters:
  ///   - interactable: the interactor that the double returns as its own.
  ///   - viewControllable: the view that the double returns as its own.
  ///   - transcript: the transcript that calls are recorded in.
  public init(
    interactable: any Interactable = InteractableDouble(),
    viewControllable: any ViewControllable = ViewControllableDouble(), in transcript: Transcript? = nil
  ) {
    self.viewControllable = viewControllable
    super.init(interactable: interactable, in: transcript)
  }
}
