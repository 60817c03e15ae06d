/// Holds children of a router one above the other, each made from a route; the child on top is attached.
///
/// The routes are the state: they are changed, and the tree follows. The router keeps the stack in a property:
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
/// ## The order
///
/// A change that brings another child to the top builds that child, if it has to be built; then the stack changes at
/// once; then the child that was on top is detached, and then the new one attached. Nothing else of the tree can run in
/// between, and callbacks see the changed stack. What is changed in one of these callbacks changes the stack at once too;
/// the tree follows when the callback has returned.
///
/// Calls that would put a child on top are refused when the tree has ended, with a report; the stack stays as it was.
/// When the router is gone, nothing happens. A child that somebody else detaches leaves its route in the stack; it is
/// built anew when the route comes to the top again.
public final class ChildStack<Route: Equatable>: ChildContainer {
  // What is done with routes can be inlined, as code that knows their type is several times as fast. The accesses to all
  // but the entries are not checked at run time: whoever changes one holds what goes, so that nothing else runs meanwhile.

  @usableFromInline
  struct Entry {
    @usableFromInline let route: Route
    /// Tells this entry from all others.
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
  @exclusivity(unchecked) @usableFromInline var lastNumber = 0
  /// The route whose child is just being built.
  @exclusivity(unchecked) @usableFromInline var building: Route?
  /// The child that is attached, or was when this last looked.
  @exclusivity(unchecked) @usableFromInline var attached: RouterNode?
  @exclusivity(unchecked) @usableFromInline var attachedNumber = 0
  @exclusivity(unchecked) @usableFromInline var isFollowing = false
  /// The child that is just being detached.
  @exclusivity(unchecked) @usableFromInline var detaching: RouterNode?

  /// Creates an empty stack.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the stack holds. It is not kept alive.
  ///   - covered: what becomes of a child that another one covers.
  ///   - build: makes the child for a route, given the router, so that the closure need not capture it.
  public init<Owner: RouterNode>(
    of owner: Owner, covered: CoveredChildPolicy, build: @escaping (_ router: Owner, _ route: Route) -> any Routing
  ) {
    self.covered = covered
    self.build = { owner, route in RouterNode.node(of: build(unsafeDowncast(owner, to: Owner.self), route)) }
    super.init(of: owner)
  }

  deinit {
    for entry in entries { if let child = entry.child { letGo(of: child) } }
    guard let attached else { return }
    letGo(of: attached)
    if let owner { detach(attached, from: owner) }
  }

  /// The routes, from the bottom to the top.
  @inlinable public var routes: [Route] { entries.map(\.route) }

  /// The route on top.
  @inlinable public var top: Route? { entries.last?.route }

  /// The child on top: attached, or about to be. Nil without a route, and when somebody else has detached the child.
  public var child: (any Routing)? { entries.last?.child?.routing }

  /// Puts a route on top. Does nothing if an equal one is there with its child, so that a second tap does no harm.
  @inlinable
  public func push(_ route: Route) {
    guard !isOnTop(route) else { return }
    let entry = newEntry(route)
    change { $0.append(entry) }
  }

  /// Takes the route on top away, and uncovers the one below.
  ///
  /// - Returns: the route that was taken away; nil if there was none, or the change was refused.
  @inlinable
  @discardableResult
  public func pop() -> Route? {
    // Of the entry no more is held than that: its child goes as soon as it is detached.
    guard let (route, number) = entries.last.map({ ($0.route, $0.number) }) else { return nil }
    return change { entries in entries.removeAll { $0.number == number } } ? route : nil
  }

  /// Takes away all that is above a route: above the highest of several equal ones.
  ///
  /// - Returns: whether there is such a route.
  @inlinable
  @discardableResult
  public func pop(to route: Route) -> Bool {
    guard let number = number(of: route) else { return false }
    change { entries in
      if let index = entries.firstIndex(where: { $0.number == number }) { entries.removeSubrange((index + 1)...) }
    }
    return true
  }

  /// Takes all routes away.
  @inlinable
  public func removeAll() { change { $0.removeAll() } }

  /// Puts a route in the place of the one on top. Does nothing if that is equal and has its child.
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

  /// Moves a route to the top, with its child: the highest of several equal ones. Pushes the route if it is not there.
  @inlinable
  public func bringToFront(_ route: Route) {
    guard !isOnTop(route) else { return }
    guard let number = number(of: route) else { return push(route) }
    change { entries in
      guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
      entries.append(entries.remove(at: index))
    }
  }

  /// Whether there is nothing to do to have a route on top.
  @inlinable
  func isOnTop(_ route: Route) -> Bool {
    if let building { return building == route }
    return entries.last.map { $0.route == route && $0.child != nil } ?? false
  }

  /// The number of the highest entry with a route.
  @inlinable
  func number(of route: Route) -> Int? { entries.last { $0.route == route }?.number }

  @inlinable
  func newEntry(_ route: Route) -> Entry {
    lastNumber += 1
    return Entry(route: route, number: lastNumber)
  }

  /// Changes the stack and makes the tree follow.
  ///
  /// - Parameter edit: makes the change. It is asked again when the stack was changed while a child was being built.
  /// - Returns: whether the stack was changed.
  @inlinable
  @discardableResult
  func change(_ edit: (inout [Entry]) -> Void) -> Bool {
    let isChanged = put(edit)
    if isChanged { follow() }
    return isChanged
  }

  /// Changes the stack, with a child for what is on top then.
  @inlinable
  func put(_ edit: (inout [Entry]) -> Void) -> Bool {
    var built: (number: Int, child: RouterNode)?
    while true {
      var changed = entries
      edit(&changed)
      guard let top = changed.last else {
        replaceEntries(with: changed)
        return true
      }
      guard let owner = openOwner(toAttach: Route.self) else { return false }
      if let built, built.number == top.number { changed[changed.count - 1].child = built.child }
      if changed[changed.count - 1].child != nil {
        replaceEntries(with: changed)
        return true
      }
      let outer = building
      building = top.route
      built = (top.number, build(owner, top.route))
      building = outer
    }
  }

  @inlinable
  func replaceEntries(with changed: [Entry]) {
    // Released when the stack is consistent again.
    let previous = entries
    entries = changed
    for entry in previous { if let child = entry.child { letGoOfUnused(child) } }
    // One that was covered before it could be attached is kept, or not, as others are.
    for entry in changed.dropLast() {
      if let child = entry.child, child !== attached, child !== detaching, !holds(child) { keepOrRelease(child) }
    }
    withExtendedLifetime((previous, changed)) {}
  }

  /// Makes the tree what the stack says, until nothing has changed meanwhile.
  @inlinable
  func follow() {
    guard !isFollowing, let owner else { return }
    isFollowing = true
    /// The entry whose child was built anew: that is done once.
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
          buildAnew(top, for: owner)
        }
      }
    }
    isFollowing = false
  }

  /// Attaches the child on top. A child that is attached elsewhere is refused, and reported.
  @usableFromInline
  func show(_ child: RouterNode, of number: Int, in owner: RouterNode) {
    attached = child
    attachedNumber = number
    if !attach(child, to: owner) { forget(child) }
  }

  @usableFromInline
  func isResigning(_ child: RouterNode) -> Bool { child.parent != nil && child.state.isResigning }

  /// A child that comes to the top while it resigns further up the stack can't be attached: another one takes its place.
  @inlinable
  func buildAnew(_ top: Entry, for owner: RouterNode) {
    var changed = entries
    changed[changed.count - 1].child = nil
    replaceEntries(with: changed)
    let child = build(owner, top.route)
    changed = entries
    guard let index = changed.firstIndex(where: { $0.number == top.number }) else { return }
    changed[index].child = child
    replaceEntries(with: changed)
  }

  /// Lets go of a child that was replaced or removed, unless it is attached still, or the child of another route too.
  @usableFromInline
  func letGoOfUnused(_ child: RouterNode) {
    if child !== attached, !entries.contains(where: { $0.child === child }) { letGo(of: child) }
  }

  /// A child was detached: if another one covers it, it is kept, or released when the stack is consistent again.
  @usableFromInline
  func keepOrRelease(_ child: RouterNode) {
    for index in entries.indices.dropLast() where entries[index].child === child {
      switch covered {
      case .kept:
        if !keep(child) { entries[index].child = nil }
      case .released: entries[index].child = nil
      }
    }
  }

  /// Holds a covered child.
  ///
  /// - Returns: whether it can be kept: not if a callback has attached it elsewhere, or the owner below it.
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
      // It was covered while it resigned further up the stack, and has been unlinked now.
      return
    }
    if child === attached { attached = nil }
    for index in entries.indices where entries[index].child === child { entries[index].child = nil }
  }
}

/// What becomes of a child of a `ChildStack` that another one covers. It is detached in both cases.
public enum CoveredChildPolicy: Hashable, Sendable {
  /// The stack keeps it, inactive, with its children and its state, and attaches it again when it is uncovered.
  case kept
  /// It is released, and built anew from its route when it is uncovered.
  case released
}
