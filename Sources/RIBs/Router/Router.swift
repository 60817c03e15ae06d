// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A moment in a router's life that can be observed.
public enum RouterLifecycle: Hashable, Sendable {
  /// `didLoad()` is about to be called.
  case didLoad
}

/// The scope of a router.
public protocol RouterScope: AnyObject {
  /// The moments of the router's life as they happen. Completes when the router is released. Nothing is replayed.
  var lifecycle: Observable<RouterLifecycle> { get }
}

/// The interface of a router: the base of the protocol by which an interactor knows its router.
public protocol Routing: RouterScope {
  /// The interactor that belongs to the router.
  var interactable: any Interactable { get }

  /// The attached children, in the order of attaching.
  var children: [any Routing] { get }

  /// Loads the router, once in its life. Called by the runtime; tests call it by hand.
  func load()

  /// Attaches a child.
  func attachChild(_ child: any Routing)

  /// Detaches a child.
  func detachChild(_ child: any Routing)

  /// The node of a router of this package; nil, the default, for a test double. Only the runtime uses it.
  var _node: Unmanaged<RouterNode>? { get }
}

extension Routing {
  /// Nil: a test double has no node.
  public var _node: Unmanaged<RouterNode>? { nil }
}

/// Owns a RIB's interactor, and attaches and detaches its children.
///
/// Subclass it, hold the children's builders, and write one method for each route, which the interactor calls:
///
/// ```swift
/// final class TimelineRouter: ViewableRouter<TimelineInteractable, TimelineViewControllable>, TimelineRouting {
///   private let detailBuilder: TweetDetailBuildable
///
///   init(interactor: TimelineInteractable, view: TimelineViewControllable, detailBuilder: TweetDetailBuildable) {
///     self.detailBuilder = detailBuilder
///     super.init(interactor: interactor, viewController: view)
///     interactor.router = self
///   }
///
///   func routeToDetail(of tweet: Tweet) {
///     let detail = detailBuilder.build(withListener: interactor, tweet: tweet)
///     viewController.show(detail.viewControllable)
///     attachChild(detail)
///   }
/// }
/// ```
open class Router<InteractorType>: RouterNode {
  /// The interactor of this router, which the router owns.
  public final let interactor: InteractorType

  /// Creates a router.
  ///
  /// - Parameter interactor: the RIB's interactor: an `Interactor`, known by the protocol that the router uses, or a
  ///   test double that conforms to `Interactable`. Anything else is reported as misuse, and the router stays inactive.
  @inlinable
  public init(interactor: InteractorType) {
    self.interactor = interactor
    super.init()
    if let interactor = interactor as? Interactor {
      bind(interactor)
    } else {
      bindDouble(interactor)
    }
  }
}

// MARK: Attaching and detaching

// These are members of the base class, so that nothing of them is generic.
extension RouterNode {
  /// Attaches a child at the end of the children. If this router's interactor is active, the child becomes active with
  /// everything attached to it before this returns; otherwise it does when this router's interactor does.
  ///
  /// Refused and reported as misuse, with the tree unchanged, if the child is attached already, is active already, is this
  /// router or one of its ancestors, or if the tree has ended.
  ///
  /// - Parameter child: the child's router, which this router owns while it is attached.
  /// - Complexity: O(1), and linear in the number of routers that become active. Attaching a child that has children to
  ///   an inactive router takes time proportional to the depth of this router.
  @inlinable
  public final func attachChild<Child: Routing>(_ child: Child) {
    guard let node = child._node else { return attachDouble(child) }
    withExtendedLifetime(child) { node._withUnsafeGuaranteedRef { attach($0) } }
  }

  /// Attaches a child; see the generic form, which a call usually selects.
  @_disfavoredOverload
  public final func attachChild(_ child: any Routing) {
    guard let node = child._node else { return attachDouble(child) }
    withExtendedLifetime(child) { node._withUnsafeGuaranteedRef { attach($0) } }
  }

  /// Detaches a child. If it is active, it resigns first, after its children.
  ///
  /// Called from a callback inside the child's subtree while that resigns, the call returns first, and the child is
  /// unlinked when it has resigned. Refused and reported as misuse if the router is not a child of this one.
  ///
  /// - Parameter child: the child's router. It keeps its children, and can be attached again.
  /// - Complexity: O(1), and linear in the number of routers that resign.
  @inlinable
  public final func detachChild<Child: Routing>(_ child: Child) {
    guard let node = child._node else { return detachDouble(child) }
    withExtendedLifetime(child) { node._withUnsafeGuaranteedRef { detach($0) } }
  }

  /// Detaches a child; see the generic form, which a call usually selects.
  @_disfavoredOverload
  public final func detachChild(_ child: any Routing) {
    guard let node = child._node else { return detachDouble(child) }
    withExtendedLifetime(child) { node._withUnsafeGuaranteedRef { detach($0) } }
  }

  /// Decides whether a child is refused, links it, and activates it if this router is active.
  ///
  /// - Parameters:
  ///   - position: the position among the children.
  ///   - hold: the hold of the container that attaches the child. Any other container loses the child.
  ///   - place: the place where the container keeps its entry for the child.
  @usableFromInline
  final func attach(
    _ child: RouterNode, at position: Position = .end, heldBy hold: ChildHold? = nil, place: Int32 = 0
  ) {
    tree?.checkIsolation()
    guard child.parent == nil else { return report(.alreadyAttached(child: child)) }
    guard child !== self else { return report(.cycle(child: child)) }
    guard child.state.isInactive, !child.membership.isRoot else { return report(.alreadyActive(child: child)) }
    // In a tree, all ancestors are active, so the inactive child is none of them: only inactive routers can form a cycle.
    if tree == nil, child.hasChildren, isOwned(by: child) { return report(.cycle(child: child)) }
    if cannotAttach { return report(.treeEnded(child.title)) }
    if let hold { hold.hold(child, at: place) } else if let previous = child.hold { child.leave(previous) }
    link(child, at: position)
    guard activatesChildren else { return }
    if tree?.follows(.attachment) == true, let tree { return activate(child, in: tree) }
    child.activate(loading: true)
  }

  /// Activates an attached child in a tree with parts that take part in it.
  @inline(never)
  private final func activate(_ child: RouterNode, in tree: TreeCore) {
    let epoch = state.epoch
    child.assignID(in: tree)
    tree.notify(.attached, child)
    guard state.epoch == epoch, isParent(of: child), child.state.isInactive else { return }
    guard tree.follows(.activationBegins) else { return child.activate(loading: true) }
    tree.notify(.activationBegins, child)
    child.activate(loading: true)
    tree.notify(.activationEnded, child)
  }

  /// Unlinks a child, after it has resigned if it is active.
  @usableFromInline
  final func detach(_ child: RouterNode) {
    tree?.checkIsolation()
    guard isParent(of: child) else { return report(.notAChild(child.title)) }
    switch child.state.detach() {
    case .unlink:
      if tree == nil { notify(.removed, of: child) }
      let unlinked = UnlinkedChild(child, from: child.id == 0 ? nil : membership.tree)
      unlink(child)
      unlinked.notifyAndRelease()
    case .resign:
      RouterNode.resign(child)
    case .wait:
      break
    }
  }

  /// Whether a child becomes active when it is attached.
  ///
  /// A router whose interactor is a test double activates its children at once, because nothing reports when the double
  /// becomes active.
  final var activatesChildren: Bool { state.isActive || state.isInactive && extras?.interactable != nil }

  /// Whether any child would be refused, because the tree has ended.
  package final var cannotAttach: Bool { membership.hasEnded || tree?.hasEnded == true }

  package final func isParent(of child: RouterNode) -> Bool {
    child.parent?.toOpaque() == Link.passUnretained(self).toOpaque()
  }

  /// Whether another router owns this inactive one: as a descendant, or through stacks that keep covered children.
  final func isOwned(by other: RouterNode) -> Bool {
    // All ancestors of a router that is active in a tree are active.
    guard tree == nil, other.hasChildren else { return false }
    return sequence(first: self, next: \.owner).contains { $0 === other }
  }

  /// Whether children are attached, or kept by a stack to be attached again.
  private var hasChildren: Bool { firstChild != nil || extras?.keepsCoveredChildren == true }

  /// The parent, or the router whose stack keeps this while it is covered.
  private var owner: RouterNode? { parentNode ?? hold?.owner }
}

/// Something that a RIB shows things on. Without a screen that is a terminal, a log, or a recorder in a test; the base
/// of the protocol by which a router knows its view.
public protocol ViewControllable: AnyObject {}

/// What the router of a RIB with a view is.
public protocol ViewableRouting: Routing {
  /// The view of the RIB, for the parent to show.
  var viewControllable: any ViewControllable { get }
}

/// The router of a RIB with a view.
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>, ViewableRouting {
  /// The view of this RIB, which the router owns.
  public final let viewController: ViewControllerType

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - interactor: the RIB's interactor, as for `Router`.
  ///   - viewController: the RIB's view, known by the protocol that the router uses.
  public init(interactor: InteractorType, viewController: ViewControllerType) {
    self.viewController = viewController
    super.init(interactor: interactor)
  }

  /// The view of this RIB, for the parent to show.
  ///
  /// A view that does not conform to `ViewControllable` is reported, and a view that shows nothing stands in for it.
  public final var viewControllable: any ViewControllable {
    if let view = viewController as? any ViewControllable { return view }
    report(
      .error(
        .notAView, "\(type(of: viewController as Any)) can't be the RIB's view: it is not ViewControllable.",
        advice: "Make it conform to ViewControllable."))
    return NoView()
  }

  override package final var hasView: Bool { true }
}

/// Stands in for a view that is none.
private final class NoView: ViewControllable {}

/// What the router at the root of a program is.
public protocol LaunchRouting: ViewableRouting {
  /// Starts the RIB by hand, without a tree.
  func launch()
}

/// The router of the RIB at the root of a program.
///
/// `Tree` and `TreeHost` launch any router; this one can also be launched by hand.
open class LaunchRouter<InteractorType, ViewControllerType>:
  ViewableRouter<InteractorType, ViewControllerType>, LaunchRouting
{
  /// Starts the RIB by hand, without a tree: activates the interactor, then loads the router. For unit tests.
  ///
  /// Without a tree, all bound work (`task`, `run`, workers' work) is refused. So this reports a warning that says what a
  /// program does instead: `Tree(root: router).launch()`, or a `TreeHost`.
  public final func launch() {
    report(
      .warning(
        .taskOutsideTree, "The router was launched without a tree: all bound work of its RIBs will be refused.",
        advice: "Launch it with Tree(root: router).launch(), and keep the Tree; a server uses a TreeHost."))
    interactable.activate()
    load()
  }
}
