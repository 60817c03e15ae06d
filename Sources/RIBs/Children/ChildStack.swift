// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Holds a stack of children of a router, each built from a route. Only the top child is attached.
///
/// The routes are the state: changing them changes the tree. The router keeps the stack in a property:
///
/// ```swift
/// final class ScreensRouter: Router<ScreensInteractor> {
///   let searchBuilder: SearchBuildable
///   let rideBuilder: RideBuildable
///
///   private lazy var screens = ChildStack<TripStage>(of: self, covered: .kept) { router, screen in
///     switch screen {
///     case .searching: router.searchBuilder.build()
///     case .riding(let ride): router.rideBuilder.build(ride: ride)
///     }
///   }
///
///   init(interactor: ScreensInteractor, searchBuilder: SearchBuildable, rideBuilder: RideBuildable) {
///     self.searchBuilder = searchBuilder
///     self.rideBuilder = rideBuilder
///     super.init(interactor: interactor)
///   }
///
///   func routeToSearch() { screens.push(.searching) }
///   func routeToRide(_ ride: RideID) { screens.push(.riding(ride)) }
///   func goBack() { screens.pop() }
/// }
/// ```
///
/// ## Order
///
/// If a change brings another child to the top, that child is built first, unless it exists. Then the stack changes,
/// the child that was on top is detached, and the new one is attached. No other code of the tree runs in between, and
/// callbacks see the changed stack. A change that is made in one of these callbacks applies to the stack immediately;
/// the tree follows when the callback has returned.
///
/// If the tree has ended, calls that would put a child on top are refused and reported as misuse, and the stack is
/// unchanged. If the router was released, nothing happens. When other code detaches a child, its route stays in the
/// stack, and the child is rebuilt when the route reaches the top again.
public final class ChildStack<Route: Equatable>: ChildContainer {
  // Code that depends on the route's type is inlinable, because it is several times as fast when specialized. Exclusive
  // access is checked at run time for the entries only: code that changes another property retains what it removes, so
  // that no other code runs during the access.

  @usableFromInline
  struct Entry {
    @usableFromInline let route: Route
    /// The identity of this entry in the stack.
    @usableFromInline let number: Int
    @usableFromInline var child: RouterNode?

    @inlinable
    init(route: Route, number: Int) {
      self.route = route
      self.number = number
    }
  }

  @usableFromInline let build: (RouterNode, Route) -> RouterNode
  private let covered: CoveredChildPolicy
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var lastNumber = 0
  /// The route whose child is being built.
  @usableFromInline var building: Route?
  /// The child that is attached, as of the last update.
  @usableFromInline var attached: RouterNode?
  @usableFromInline var attachedNumber = 0
  /// The child that is being detached.
  @usableFromInline var detaching: RouterNode?

  /// Creates an empty stack.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the stack holds. It is not retained.
  ///   - covered: the policy for covered children.
  ///   - restarts: how often the child on top is built anew from its route if it fails. Each route in the stack has its
  ///     own count.
  ///   - build: creates the child for a route. It receives the router, so that the closure need not capture it.
  public init<Owner: RouterNode>(
    of owner: Owner, covered: CoveredChildPolicy, restarts: Restarts = .never,
    build: @escaping (_ router: Owner, _ route: Route) -> any Routing
  ) {
    self.covered = covered
    self.build = { owner, route in RouterNode.node(of: build(ChildContainer.typed(owner, as: Owner.self), route)) }
    super.init(of: owner, restarts: restarts)
  }

  deinit {
    for entry in entries { if let child = entry.child { releaseHold(on: child) } }
    guard let attached else { return }
    releaseHold(on: attached)
    if let owner { detach(attached, from: owner) }
  }

  /// The routes, from the bottom to the top.
  @inlinable public var routes: [Route] { entries.map(\.route) }

  /// The route on top.
  @inlinable public var top: Route? { entries.last?.route }

  /// The child on top, attached or about to be. Nil without a route, after other code has detached the child, and
  /// during the pause before a restart.
  public var child: (any Routing)? { entries.last?.child?.routing }

  /// Pushes a route. Does nothing if an equal route is on top with its child, so that a repeated tap has no effect.
  @inlinable
  public func push(_ route: Route) {
    guard !isOnTop(route) else { return }
    let entry = newEntry(route)
    change { $0.append(entry) }
  }

  /// Removes the top route, and uncovers the one below.
  ///
  /// - Returns: the removed route; nil if there was none, or if the change was refused.
  @inlinable
  @discardableResult
  public func pop() -> Route? {
    // Only these values of the entry are retained, so that its child is released as soon as it is detached.
    guard let (route, number) = entries.last.map({ ($0.route, $0.number) }) else { return nil }
    return change { entries in entries.removeAll { $0.number == number } } ? route : nil
  }

  /// Removes all routes above a route. Of several equal routes, the highest counts.
  ///
  /// - Returns: whether the stack contains the route.
  @inlinable
  @discardableResult
  public func pop(to route: Route) -> Bool {
    guard let number = number(of: route) else { return false }
    change { entries in
      if let index = entries.firstIndex(where: { $0.number == number }) { entries.removeSubrange((index + 1)...) }
    }
    return true
  }

  /// Removes all routes.
  @inlinable
  public func removeAll() { change { $0.removeAll() } }

  /// Replaces the top route. Does nothing if that is equal and has its child.
  @inlinable
  public func replace(with route: Route) {
    guard !isOnTop(route) else { return }
    let entry = newEntry(route)
    let last = entries.last?.number
    change { entries in
      entries.removeAll { $0.number == last }
      entries.append(entry)
    }
  }

  /// Moves a route, with its child, to the top. Of several equal routes, the highest is moved. Pushes the route if the
  /// stack does not contain it.
  @inlinable
  public func bringToFront(_ route: Route) {
    guard !isOnTop(route) else { return }
    guard let number = number(of: route) else { return push(route) }
    change { entries in
      guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
      entries.append(entries.remove(at: index))
    }
  }

  /// Whether a route is already on top with its child, or its child is being built.
  @inlinable
  func isOnTop(_ route: Route) -> Bool {
    if let building { return building == route }
    return entries.last.map { $0.route == route && ($0.child != nil || isRestarting($0.number)) } ?? false
  }

  /// Whether the child of an entry has failed and is to be built again.
  @inlinable
  func isRestarting(_ number: Int) -> Bool { supervisor?.isRestarting(number) ?? false }

  /// The number of the highest entry with a route.
  @inlinable
  func number(of route: Route) -> Int? { entries.last { $0.route == route }?.number }

  @inlinable
  func newEntry(_ route: Route) -> Entry {
    lastNumber += 1
    return Entry(route: route, number: lastNumber)
  }

  /// Changes the stack and applies the change to the tree.
  ///
  /// - Parameter edit: makes the change. It is called again with the current entries after a child was built.
  /// - Returns: whether the stack was changed.
  @inlinable
  @discardableResult
  func change(_ edit: (inout [Entry]) -> Void) -> Bool {
    let isChanged = put(edit)
    if isChanged { follow() }
    return isChanged
  }

  /// Changes the stack, and builds the child for the new top if needed.
  @inlinable
  func put(_ edit: (inout [Entry]) -> Void) -> Bool {
    var built: (number: Int, child: RouterNode)?
    while true {
      var changed = entries
      edit(&changed)
      guard let top = changed.last else {
        // No event requests it if other code has detached the child on top before, and that child may end the tree.
        if attached != nil { requestSave() } else if !entries.isEmpty { requestSaveNow() }
        replaceEntries(with: changed)
        // Afterwards, because an observer of a cancelled restart may change the stack.
        supervisor?.cancelAll()
        return true
      }
      guard let owner = openOwner(toAttach: Route.self) else { return false }
      if let built, built.number == top.number { changed[changed.count - 1].child = built.child }
      endPostponed(at: top.number)
      if changed[changed.count - 1].child != nil || isRestarting(top.number) {
        // At once, because the child that was replaced may end the tree.
        requestSave()
        replaceEntries(with: changed)
        updatePauses()
        return true
      }
      built = (top.number, buildChild(for: top.route, of: owner))
    }
  }

  /// Builds the child for a route, which is `building` meanwhile.
  @inlinable
  func buildChild(for route: Route, of owner: RouterNode) -> RouterNode {
    let outer = building
    building = route
    let child = build(owner, route)
    building = outer
    return child
  }

  /// Replaces all entries with saved routes.
  ///
  /// - Parameter hadChild: whether there was a child at a position. Only there a child is built: on top, and covered if
  ///   the policy keeps it.
  func restore(_ routes: [Route], hadChild: (Int) -> Bool) {
    guard let owner, !owner.cannotAttach else { return }
    var restored = routes.map { newEntry($0) }
    for index in restored.indices where (index == restored.count - 1 || covered == .kept) && hadChild(index) {
      restored[index].child = buildChild(for: restored[index].route, of: owner)
    }
    replaceEntries(with: restored)
    follow()
  }

  @inlinable
  func replaceEntries(with changed: [Entry]) {
    // Released at the end, when the stack is consistent.
    let previous = entries
    entries = changed
    for entry in previous { if let child = entry.child { releaseHoldIfUnused(on: child) } }
    // The policy for covered children also applies to a child that was covered before it could be attached.
    for entry in changed.dropLast() {
      if let child = entry.child, child !== attached, child !== detaching, !holds(child) { keepOrRelease(child) }
    }
    withExtendedLifetime((previous, changed)) {}
  }

  @inlinable
  override func follow() {
    guard !isFollowing, let owner else { return }
    isFollowing = true
    /// The entry whose child was rebuilt, which is done at most once.
    var rebuilt: Int?
    while attached !== entries.last?.child || attached != nil && attachedNumber != entries.last?.number {
      if let old = attached {
        attached = nil
        detaching = old
        detach(old, from: owner)
        detaching = nil
        keepOrRelease(old)
      } else if let top = entries.last, let child = top.child {
        if rebuilt == top.number || !isResigning(child) {
          show(child, of: top.number, in: owner)
        } else {
          rebuilt = top.number
          rebuild(top, for: owner)
        }
      }
    }
    isFollowing = false
  }

  /// Attaches the child on top. A child that is attached elsewhere is refused and reported as misuse.
  @usableFromInline
  func show(_ child: RouterNode, of number: Int, in owner: RouterNode) {
    attached = child
    attachedNumber = number
    if !attach(child, to: owner) { discard(child) }
  }

  @usableFromInline
  func isResigning(_ child: RouterNode) -> Bool { child.parent != nil && child.state.isResigning }

  /// Replaces a top child that is still resigning in an outer call, and so can't be attached.
  @inlinable
  func rebuild(_ top: Entry, for owner: RouterNode) {
    var changed = entries
    changed[changed.count - 1].child = nil
    replaceEntries(with: changed)
    let child = build(owner, top.route)
    changed = entries
    guard let index = changed.firstIndex(where: { $0.number == top.number }) else { return }
    changed[index].child = child
    replaceEntries(with: changed)
  }

  /// Releases a child that was replaced or removed, unless it is still attached, or is the child of another route.
  @usableFromInline
  func releaseHoldIfUnused(on child: RouterNode) {
    if child !== attached, !entries.contains(where: { $0.child === child }) { releaseHold(on: child) }
  }

  /// Applies the policy for covered children to a child that was detached: keeps it, or releases it.
  @usableFromInline
  func keepOrRelease(_ child: RouterNode) {
    for index in entries.indices.dropLast() where entries[index].child === child {
      if covered == .released || !keep(child) { entries[index].child = nil }
    }
  }

  /// Holds a covered child.
  ///
  /// - Returns: whether it can be kept. False if a callback has attached it elsewhere, or has attached the owner below
  ///   it.
  private func keep(_ child: RouterNode) -> Bool {
    guard let owner, child !== owner, !owner.isOwned(by: child) else { return false }
    guard child.parent == nil || owner.isParent(of: child) && !child.state.isActive else { return false }
    hold(child, at: 0)
    owner.openExtras().keepsCoveredChildren = true
    return true
  }

  override func didLose(_ child: RouterNode) {
    if child !== attached, child.parent != nil, covered == .kept,
      entries.dropLast().contains(where: { $0.child === child }),
      keep(child)
    {
      // It was covered while it was resigning in an outer call, and has now been unlinked.
      return
    }
    if child === attached { attached = nil }
    for index in entries.indices where entries[index].child === child { entries[index].child = nil }
  }

  // MARK: Restarts

  /// The route of a child of this stack that has failed for good. Call it in `childDidFail(_:)` of the parent.
  ///
  /// - Returns: nil if the child was in another container, or if the route was removed since.
  public func route(of failure: Interactor.ChildFailure) -> Route? {
    failure.place(in: self).flatMap { place in entries.last { $0.number == place }?.route }
  }

  /// Ends the restarts of entries that were removed, and lets those of children that are covered and kept wait.
  @usableFromInline
  func updatePauses() {
    guard let supervisor else { return }
    for place in supervisor.places where !isShown(place) {
      if covered == .kept, entries.contains(where: { $0.number == place }) {
        supervisor.postpone(at: place)
      } else {
        supervisor.cancel(at: place)
      }
    }
    if owner?.interactorCore?.isActive == true { beginPauses() }
  }

  /// Gives up a restart that was postponed if the owner is inactive, because nothing is restarted then.
  @usableFromInline
  func endPostponed(at place: Int) {
    if let supervisor, owner?.interactorCore?.isActive != true { supervisor.endPostponed(at: place) }
  }

  override func isShown(_ place: Int) -> Bool { entries.last?.number == place }

  override func place(of child: RouterNode) -> Int? {
    child === attached && child === entries.last?.child ? entries.last?.number : nil
  }

  override func withdraw(_ child: RouterNode, from place: Int) {
    attached = nil
    if let index = entries.indices.last { entries[index].child = nil }
  }

  override func rebuild(at place: Int, _ check: (RouterNode) -> Bool) -> RouterNode? {
    guard let owner, let top = entries.last, top.number == place else { return nil }
    let pause = supervisor?.pause(at: place)
    let child = buildChild(for: top.route, of: owner)
    // The builder may have changed the stack, and so may the code of the child that is restored.
    guard pause != nil, supervisor?.pause(at: place) === pause else { return nil }
    let isValid = check(child)
    guard supervisor?.pause(at: place) === pause, let index = entries.firstIndex(where: { $0.number == place }) else {
      return nil
    }
    supervisor?.end(at: place)
    guard isValid else { return nil }
    entries[index].child = child
    follow()
    return child === attached ? child : nil
  }
}

extension ChildContainer {
  /// The policy for covered children of a `ChildStack`. A covered child is detached in both cases.
  public enum CoveredChildPolicy: Hashable, Sendable {
    /// The stack keeps the child inactive, with its children and its state, and attaches it again when it is uncovered.
    case kept
    /// The child is released, and rebuilt from its route when it is uncovered.
    case released
  }
}
