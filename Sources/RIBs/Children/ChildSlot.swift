// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Holds at most one child of a router, built from a route.
///
/// The route is the state: setting it changes the child. The router keeps the slot in a property:
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
/// ## Order
///
/// Setting another route builds the new child. Then `route` and `child` change together, the old child is detached, and
/// the new one is attached. No other code of the tree runs in between, and the callbacks of both children see the new
/// route with the new child. A route that is set in one of these callbacks changes the slot immediately; the tree
/// follows when the callback has returned. The route that was set last determines the attached child, also if the
/// builder or an observer of the change has set it.
public final class ChildSlot<Route: Equatable>: ChildContainer {
  // Code that depends on the route's type is inlinable, because it is several times as fast when specialized. Exclusive
  // access is not checked at run time: code that changes one of these retains what it removes, so that no other code
  // runs during the access.

  @usableFromInline let build: (RouterNode, Route) -> RouterNode
  /// Valid only while there is a child.
  @usableFromInline var current: Route?
  @usableFromInline var currentChild: RouterNode?
  /// The route whose child is being built.
  @usableFromInline var building: Route?
  /// The child that is attached, as of the last update.
  private var attached: RouterNode?
  /// The number of changes of the slot.
  @usableFromInline var version = 0
  /// The last change that was applied to the tree.
  private var attachedVersion = 0

  /// Creates an empty slot.
  ///
  /// - Parameters:
  ///   - owner: the router whose child the slot holds. It is not retained.
  ///   - restarts: how often a child that fails is built anew from its route. Setting another route begins a new count.
  ///   - build: creates the child for a route. It receives the router, so that the closure need not capture it.
  public init<Owner: RouterNode>(
    of owner: Owner, restarts: Restarts = .never, build: @escaping (_ router: Owner, _ route: Route) -> any Routing
  ) {
    self.build = { owner, route in RouterNode.node(of: build(ChildContainer.typed(owner, as: Owner.self), route)) }
    super.init(of: owner, restarts: restarts)
  }

  deinit {
    guard let attached else { return }
    releaseHold(on: attached)
    if let owner { detach(attached, from: owner) }
  }

  /// The route of the child, also while the child is being restarted; nil without a child.
  ///
  /// Setting an equal route does nothing. Another route replaces the child, and nil detaches it. If the router is not
  /// active, the child becomes active with it. If the tree has ended, a new route is refused and reported as misuse. If
  /// the router was released, nothing happens.
  ///
  /// - Complexity: that of building, detaching and attaching.
  @inlinable public var route: Route? {
    get { currentChild == nil && !isRestarting ? nil : current }
    set {
      if let newValue {
        show(newValue)
      } else if currentChild != nil || isRestarting || building != nil {
        change(to: nil, nil)
      }
      follow()
    }
  }

  /// The child, attached or about to be. Nil without a route, after other code has detached the child, and during the
  /// pause before a restart.
  public var child: (any Routing)? { currentChild?.routing }

  /// Whether the child has failed and is to be built again.
  @inlinable var isRestarting: Bool { supervisor?.isRestarting(0) ?? false }

  /// Builds the child for a route and puts it into the slot.
  @inlinable
  func show(_ route: Route) {
    if let building {
      if building == route { return }
    } else if self.route == route {
      return
    }
    guard let owner = openOwner(toAttach: Route.self) else { return }
    let before = version
    let built = buildChild(for: route, of: owner)
    // The builder may have set another route, which is the last one.
    guard version == before else { return }
    change(to: built.route, built.child)
  }

  /// Builds the child for a route, which is `building` meanwhile.
  @inlinable
  func buildChild(for route: Route, of owner: RouterNode) -> (route: Route?, child: RouterNode) {
    var outer: Route? = route
    swap(&building, &outer)
    let child = build(owner, route)
    swap(&building, &outer)
    return (outer, child)
  }

  @inlinable
  func change(to route: consuming Route?, _ child: consuming RouterNode?) {
    swap(&current, &route)
    swap(&currentChild, &child)
    version += 1
    // At once, because the child that was replaced may end the tree.
    requestSave()
    // Afterwards, because an observer of a cancelled restart may set another route.
    supervisor?.reset()
    // The previous values are released here, when the slot is consistent.
    withExtendedLifetime((route, child)) {}
  }

  @usableFromInline
  override func follow() {
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
      if !attach(child, to: owner) { discard(child) }
    }
    isFollowing = false
  }

  override func didLose(_ child: RouterNode) {
    if child === attached { attached = nil }
    if child === currentChild { currentChild = nil }
  }

  // MARK: Restarts

  /// The route of a child of this slot that has failed for good. Call it in `childDidFail(_:)` of the parent.
  ///
  /// - Returns: nil if the child was in another container, or if another route was set since.
  public func route(of failure: Interactor.ChildFailure) -> Route? {
    failure.place(in: self) == nil || currentChild != nil || isRestarting ? nil : current
  }

  override func place(of child: RouterNode) -> Int? { child === currentChild && child === attached ? 0 : nil }

  override func withdraw(_ child: RouterNode, from place: Int) {
    attached = nil
    currentChild = nil
  }

  override func rebuild(at place: Int, _ check: (RouterNode) -> Bool) -> RouterNode? {
    guard let owner, let route = current else { return nil }
    let before = version
    let child = buildChild(for: route, of: owner).child
    // The builder may have set another route, and so may the code of the child that is restored.
    guard version == before, isRestarting else { return nil }
    let isValid = check(child)
    guard version == before, isRestarting else { return nil }
    supervisor?.end(at: place)
    guard isValid else { return nil }
    currentChild = child
    version += 1
    follow()
    return child === attached ? child : nil
  }
}
