/// The part of a router that does not depend on the type of its interactor: its place in the tree and its lifecycle.
///
/// You never subclass this class: subclass `Router`, `ViewableRouter` or `LaunchRouter`.
///
/// ## The order
///
/// When a child is attached to an active router, the child becomes active, then its children, each before its own:
/// `isActive`, `isActiveStream`, `didBecomeActive()`, and for the first time in its life `lifecycle` and `didLoad()`.
/// When it is detached, its children resign before it, the last attached first: `willResignActive()`, then what is bound
/// to the interactor is cancelled and disposed of, then `isActive` and `isActiveStream`; then it is unlinked. It keeps
/// its children and can be attached again.
///
/// Every callback may attach, detach, and end the tree: the runtime goes on with a router only if nothing has happened
/// to it meanwhile.
///
/// ## Depth
///
/// Becoming active, resigning, and the release of what a tree or a router owns are loops: a tree may be a million levels
/// deep on the smallest stack, also when every subclass keeps its child in a property of its own. Two things remain
/// bounded by the stack, because they are calls within calls of your own code:
/// - a callback that attaches a child whose callback attaches the next, and so on;
/// - the release of routers that stand in no tree any more, by whoever drops the last reference to the topmost, if each
///   is also kept in a property of the one above: a level takes some hundred bytes, so a thousand fit on 128 KiB.
open class RouterNode: Routing {
  typealias Link = Unmanaged<RouterNode>

  /// Where a router is in its lifecycle.
  enum Phase: UInt8 {
    case inactive
    /// Its interactor is active, or is being made so.
    case active
    /// From the moment its turn to resign is decided until all of it and its children have resigned. It stays linked.
    case resigning
  }

  // What a walk through a tree looks at comes first and close together: in a large tree it is not in the cache.

  @exclusivity(unchecked) final var phase = Phase.inactive
  @exclusivity(unchecked) final var isLoaded = false
  /// Whether this is to be unlinked when it has resigned.
  @exclusivity(unchecked) final var isToBeUnlinked = false
  /// Whether the last reference to this is gone.
  @exclusivity(unchecked) final var isBeingReleased = false
  /// Changes whenever this becomes active or begins to resign.
  @exclusivity(unchecked) final var epoch: UInt32 = 0

  // The links are unmanaged, because each access to a managed one costs a pair of reference counts. A parent owns one
  // reference to each child.
  @exclusivity(unchecked) final var parent: Link?
  @exclusivity(unchecked) final var lastChild: Link?
  @exclusivity(unchecked) final var firstChild: Link?
  @exclusivity(unchecked) final var previousSibling: Link?
  @exclusivity(unchecked) final var nextSibling: Link?

  /// Of a router whose children become active: the next child to look at. Of a resigning one: the child that resigns.
  @exclusivity(unchecked) final var cursor: Link?

  /// The interactor, unless it is a test double. The subclass owns it.
  @exclusivity(unchecked) final var interactorCore: Unmanaged<Interactor>?

  /// The tree, while this is active in one; of the root, until the tree has ended. The root's refers to a tree that
  /// keeps itself alive.
  @exclusivity(unchecked) final var tree: Unmanaged<TreeCore>?

  /// What few routers need.
  @exclusivity(unchecked) final var extras: Extras?

  /// Set while this is about to be released by a loop that takes over its children.
  @exclusivity(unchecked) final var releaseQueue: UnsafeMutablePointer<ReleaseQueue>?

  /// When this became active, on the tree's clock; some milliseconds too early if nobody asked for events then. Not `zero`
  /// at first, which is a call.
  @exclusivity(unchecked) final var activeSince = Duration.nanoseconds(0)
  /// Counts the attachments in the tree; zero before the first, and again when this is unlinked.
  @exclusivity(unchecked) final var id: UInt64 = 0

  /// The hold of the container that holds this as a child, and is notified when other code detaches it.
  @exclusivity(unchecked) final var hold: ChildContainer.Hold?
  /// Where its container keeps what it knows of this.
  @exclusivity(unchecked) final var placeInContainer: Int32 = 0

  /// Whether this is the root of a tree that was launched.
  @exclusivity(unchecked) final var isTreeRoot = false
  /// Whether this resigned because its tree ended.
  @exclusivity(unchecked) final var treeHasEnded = false
  /// How many trees hold this as their root, launched or ended: one that has ended may be held beside the next.
  @exclusivity(unchecked) final var owningTrees: UInt8 = 0

  /// Whether this router is kept on purpose when it is detached, to be attached again: leak detection does not report it
  /// then, nor what is attached to it. False unless whoever keeps it says so.
  @exclusivity(unchecked) public final var expectsReattachment = false

  final class Extras {
    var lifecycle: Subject<RouterLifecycle>?
    /// Whether `lifecycle` was told that this loads.
    var hasToldLifecycle = false
    /// Where the tree that has ended wanted misuse to be reported to.
    var onMisuse: (@Sendable (Misuse) -> Void)?
    /// Whether children were moved while this resigns, so that all are to be looked at again.
    var hasMovedChildren = false
    /// A test double in place of an interactor.
    var interactable: (any Interactable)?
    /// What is shown as the interactor of a router that has none.
    var standIn: Interactor?
    /// Whether a stack of this router keeps children that are covered, which are not linked.
    var keepsCoveredChildren = false
  }

  @usableFromInline
  init() {}

  deinit {
    if phase != .inactive {
      isBeingReleased = true
      resignForRelease()
    }
    interactorCore?._withUnsafeGuaranteedRef { $0.node = nil }
    extras?.lifecycle?.complete()
    if firstChild != nil { releaseChildren() }
  }

  // MARK: What a router is asked

  /// The interactor that belongs to this router.
  open var interactable: any Interactable {
    if let interactor = interactorCore { return interactor.takeUnretainedValue() }
    let extras = openExtras()
    if let interactable = extras.interactable { return interactable }
    // The router was given none, which has been reported: something that is never active stands in for it.
    let standIn = extras.standIn ?? Interactor()
    extras.standIn = standIn
    return standIn
  }

  /// The attached children, in the order of attaching; those of a `ChildList` in the order of its models.
  ///
  /// - Complexity: linear in their number.
  public final var children: [any Routing] {
    var children: [any Routing] = []
    var next = firstChild
    while let child = next?.takeUnretainedValue() {
      children.append(child.routing)
      next = child.nextSibling
    }
    return children
  }

  /// The moments of this router's life as they come; ends when the router is released. Nothing is replayed.
  public final var lifecycle: Observable<RouterLifecycle> {
    let extras = openExtras()
    let subject = extras.lifecycle ?? Subject()
    extras.lifecycle = subject
    return Observable(source: subject.subscribe)
  }

  /// Called by the runtime once in this router's life, after its interactor has become active for the first time, and
  /// before any child that was attached before becomes active.
  ///
  /// It may attach and detach children. Call `super`.
  open func didLoad() {}

  /// Loads this router by hand, as unit tests do: `didLoad()` is called, once in its life; then, if its interactor is
  /// active, its children become active. In a tree, attaching and launching do it.
  public final func load() {
    let current = epoch
    loadOnce()
    if phase == .active, epoch == current { activateChildren() }
  }

  /// Attaches a child at the end of the children. If this router's interactor is active, the child becomes active with
  /// everything attached to it before this returns; otherwise it does when this router's interactor does.
  ///
  /// Refused and reported, with the tree left as it was, if the child is attached already, is active already, is this
  /// router or one above it, or if the tree has ended.
  ///
  /// - Parameter child: the child's router, which this router owns while it is attached.
  /// - Complexity: O(1), and linear in the number of routers that become active. Attaching a child that has children to
  ///   an inactive router takes time proportional to the depth of this router.
  @inlinable
  public final func attachChild<Child: Routing>(_ child: Child) {
    if let node = child._node { withExtendedLifetime(child) { attach(node) } } else { attachDouble(child) }
  }

  /// Attaches a child; see the generic form, which is what a call usually means.
  @_disfavoredOverload
  public final func attachChild(_ child: any Routing) {
    if let node = child._node { withExtendedLifetime(child) { attach(node) } } else { attachDouble(child) }
  }

  /// Detaches a child. If it is active, it resigns first, after its children.
  ///
  /// Called from a callback inside the child's subtree while that resigns, the call returns first, and the child is
  /// unlinked when it has resigned. Refused and reported if the router is not a child of this one.
  ///
  /// - Parameter child: the child's router. It keeps its children, and can be attached again.
  /// - Complexity: O(1), and linear in the number of routers that resign.
  @inlinable
  public final func detachChild<Child: Routing>(_ child: Child) {
    if let node = child._node { withExtendedLifetime(child) { detach(node) } } else { detachDouble(child) }
  }

  /// Detaches a child; see the generic form, which is what a call usually means.
  @_disfavoredOverload
  public final func detachChild(_ child: any Routing) {
    if let node = child._node { withExtendedLifetime(child) { detach(node) } } else { detachDouble(child) }
  }

  /// This router, for the runtime.
  public final var _node: Unmanaged<RouterNode>? { Unmanaged.passUnretained(self) }

  // MARK: What subclasses of the runtime say

  /// Whether this router's RIB has a view.
  var hasView: Bool { false }

  /// What the parent knows this as: itself, or the test double that it stands for.
  var routing: any Routing { self }

  /// The type that the RIB is named after.
  var namingType: any AnyObject.Type { type(of: self) }

  // A router whose interactor is a test double passes the steps of the lifecycle on to it.

  func activateDouble() { extras?.interactable?.activate() }
  func deactivateDouble() { extras?.interactable?.deactivate() }

  // MARK: The interactor

  @usableFromInline
  final func bind(_ interactor: Interactor) {
    guard interactor.node == nil else {
      return report(.sharedInteractor(String(describing: type(of: interactor))))
    }
    interactorCore = Unmanaged.passUnretained(interactor)
    interactor.node = Unmanaged.passUnretained(self)
    if interactor.isActive { phase = .active }
  }

  @usableFromInline
  final func bindDouble<Double>(_ interactor: Double) {
    if let interactor = interactor as? any Interactable {
      openExtras().interactable = interactor
    } else {
      report(.notAnInteractor(String(describing: type(of: interactor as Any))))
    }
  }

  final func openExtras() -> Extras {
    if let extras { return extras }
    let new = Extras()
    extras = new
    return new
  }
}
