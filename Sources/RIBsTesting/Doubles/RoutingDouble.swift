public import RIBs

/// Stands in for a router: for the one that an interactor is driven by, or for a child that is attached to a real router.
/// Subclass it and conform to the router's protocol.
///
/// ```swift
/// final class TimelineRoutingDouble: ViewableRoutingDouble, TimelineRouting {
///   func routeToDetail(of tweet: Tweet) { record(tweet) }
///   func routeBackToTimeline() { record() }
/// }
/// ```
open class RoutingDouble: RecordingDouble, Routing {
  private let lifecycleRelay = PublishRelay<RouterLifecycle>()

  /// The interactor that it says is its own.
  public final let interactable: any Interactable

  /// What was attached to it. The children do not become active.
  public private(set) final var children: [any Routing] = []

  /// The moments of this router's life as they come; ends when the router is released.
  public final var lifecycle: Observable<RouterLifecycle> { lifecycleRelay.asObservable() }

  /// Creates a double.
  ///
  /// - Parameters:
  ///   - interactable: the interactor that it says is its own.
  ///   - transcript: where the calls are written to.
  public init(interactable: any Interactable = InteractableDouble(), in transcript: Transcript? = nil) {
    self.interactable = interactable
    super.init(in: transcript)
  }

  /// Tells the stream `lifecycle`. Among the `calls`.
  public final func load() {
    note()
    lifecycleRelay.accept(.didLoad)
  }

  /// Adds to the children. Among the calls.
  public final func attachChild(_ child: any Routing) {
    record(child)
    children.append(child)
  }

  /// Takes out of the children. Among the calls.
  public final func detachChild(_ child: any Routing) {
    record(child)
    children.removeAll { $0 === child }
  }
}

/// Stands in for the router of a RIB with a view. Subclass it and conform to the router's protocol.
open class ViewableRoutingDouble: RoutingDouble, ViewableRouting {
  /// The view that it says is its own.
  public final let viewControllable: any ViewControllable

  /// Creates a double.
  ///
  /// - Parameters:
  ///   - interactable: the interactor that it says is its own.
  ///   - viewControllable: the view that it says is its own.
  ///   - transcript: where the calls are written to.
  public init(
    interactable: any Interactable = InteractableDouble(),
    viewControllable: any ViewControllable = ViewControllableDouble(), in transcript: Transcript? = nil
  ) {
    self.viewControllable = viewControllable
    super.init(interactable: interactable, in: transcript)
  }
}
