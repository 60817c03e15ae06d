/// Holds one child of a router, or none, made from a route.
///
/// The route is the state: it is set, and the child follows. The router keeps the slot in a property:
///
/// ```swift
/// final class TripRouter: Router<TripInteractor> {
///   let searchBuilder: SearchBuildable
///   let rideBuilder: RideBuildable
///
///   private lazy var stage = ChildSlot<TripStage>(of: self) { router, stage in
///     switch stage {
///     case .searching: router.searchBuilder.build()
///     case .riding(let ride): router.rideBuilder.build(ride: ride)
///     }
///   }
///
///   init(interactor: TripInteractor, searchBuilder: SearchBuildable, rideBuilder: RideBuildable) {
///     self.searchBuilder = searchBuilder
///     self.rideBuilder = rideBuilder
///     super.init(interactor: interactor)
///   }
///
///   func routeToSearch() { stage.route = .searching }
///   func routeToRide(_ ride: RideID) { stage.route = .riding(ride) }
///   func detachStage() { stage.route = nil }
/// }
/// ```
///
/// ## The order
///
/// Setting another route builds the new child; then `route` and `child` change at once, both; then the old child is
/// detached, and then the new one attached. Nothing else of the tree can run in between, and callbacks of both children
/// see the new route with the new child. A route that is set in one of these callbacks changes the slot at once too; the
/// tree follows when the callback has returned, and what has been set last is what stays attached.
public final class ChildSlot<Route: Equatable>: ChildContainer {
  // What is done with routes can be inlined, as code that knows their type is several times as fast. The accesses to
  // these are not checked at run time: whoever changes one holds what goes, so that nothing else runs meanwhile.

  @usableFromInline let build: (RouterNode, Route) -> RouterNode
  /// Of use while there is a child.
  @exclusivity(unchecked) @usableFromInline var current: Route?
  @exclusivity(unchecked) @usableFromInline var currentChild: RouterNode?
  /// The route whose child is just being built.
  @exclusivity(unchecked) @usableFromInline var building: Route?
  /// The child that is attached, or was when this last looked.
  @exclusivity(unchecked) private var attached: RouterNode?
  /// Counts the changes of the slot.
  @exclusivity(unchecked) @usableFromInline var version = 0
  /// The change that the tree has followed.
  @exclusivity(unchecked) private var attachedVersion = 0
  @exclusivity(unchecked) private var isFollowing = false

  /// Creates an empty slot.
  ///
  /// - Parameters:
  ///   - owner: the router whose child the slot holds. It is not kept alive.
  ///   - build: makes the child for a route, given the router, so that the closure need not capture it.
  public init<Owner: RouterNode>(of owner: Owner, build: @escaping (_ router: Owner, _ route: Route) -> any Routing) {
    self.build = { owner, route in RouterNode.node(of: build(unsafeDowncast(owner, to: Owner.self), route)) }
    super.init(of: owner)
  }

  deinit {
    guard let attached else { return }
    letGo(of: attached)
    if let owner { detach(attached, from: owner) }
  }

  /// The route that the child was made from; nil without a child.
  ///
  /// Setting an equal route does nothing; another one replaces the child, and nil detaches it. When the router is not
  /// active, the child becomes active with it. When the tree has ended, a new route is refused and that is reported;
  /// when the router is gone, nothing happens.
  ///
  /// - Complexity: that of building, detaching and attaching.
  @inlinable public var route: Route? {
    get { currentChild == nil ? nil : current }
    set {
      if let newValue { show(newValue) } else if currentChild != nil { change(to: nil, nil) }
      follow()
    }
  }

  /// The child: attached, or about to be; nil without a route, also when somebody else has detached the child.
  public var child: (any Routing)? { currentChild?.routing }

  /// Puts the child for a route into the slot.
  @inlinable
  func show(_ route: Route) {
    if let building {
      if building == route { return }
    } else if self.route == route {
      return
    }
    guard let owner = openOwner(toAttach: Route.self) else { return }
    var outer: Route? = route
    swap(&building, &outer)
    let child = build(owner, route)
    swap(&building, &outer)
    change(to: outer, child)
  }

  @inlinable
  func change(to route: consuming Route?, _ child: consuming RouterNode?) {
    swap(&current, &route)
    swap(&currentChild, &child)
    version += 1
    // What was there is released when the slot is consistent again.
    withExtendedLifetime((route, child)) {}
  }

  /// Makes the tree what the slot says, until nothing has changed meanwhile.
  @usableFromInline
  func follow() {
    guard !isFollowing, attachedVersion != version, let owner else { return }
    isFollowing = true
    while attachedVersion != version {
      if let old = attached {
        attached = nil
        detach(old, from: owner)
        continue
      }
      attachedVersion = version
      guard let child = currentChild else { continue }
      attached = child
      if !attach(child, to: owner) { forget(child) }
    }
    isFollowing = false
  }

  override func didLose(_ child: RouterNode) {
    if child === attached { attached = nil }
    if child === currentChild { currentChild = nil }
  }
}
