// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The part of a router that does not depend on the type of its interactor: its links and its lifecycle.
///
/// Subclass `Router`, `ViewableRouter` or `LaunchRouter`, never this class.
///
/// ## Order
///
/// When a child is attached to an active router, the child becomes active, then its children, in pre-order:
/// `isActive`, `isActiveStream`, `didBecomeActive()`, and for the first time in its life `lifecycle` and `didLoad()`.
/// When it is detached, its children resign before it, the last attached first: `willResignActive()`, then all bound work
/// is cancelled and all subscriptions are disposed of, then `isActive` and `isActiveStream` change; then the child is
/// unlinked. It keeps its children and can be attached again.
///
/// Every callback may attach, detach, and end the tree: after each callback the runtime continues with a router only if its
/// state has not changed meanwhile.
///
/// ## Depth
///
/// Activation, resignation, and the release of what a tree or a router owns are loops: a tree may be a million levels deep
/// on the smallest stack, also when every subclass keeps its child in a property. Two things remain bounded by the stack,
/// because they are nested calls of your own code:
/// - a callback that attaches a child whose callback attaches the next, and so on;
/// - the release of routers outside trees if each is also kept in a property of the one above: a level takes some hundred
///   bytes, so a thousand fit on 128 KiB.
open class RouterNode: Routing {
  @usableFromInline typealias Link = Unmanaged<RouterNode>

  // The fields that cascades read come first: in a large tree they are not in the cache.

  @exclusivity(unchecked) final var state = RouterState()
  /// Changes with each activation and resignation.
  package final var epoch: UInt32 { state.epoch }

  // Links are unmanaged, because each access to a managed one costs a retain and a release. A parent owns one reference to
  // each child.
  final var parent: Link?
  final var lastChild: Link?
  final var firstChild: Link?
  final var previousSibling: Link?
  final var nextSibling: Link?

  /// While children become active: the next child to visit. While this resigns: the child that resigns now. While a loop
  /// releases this: that loop.
  final var cursor: Link?

  /// See `interactorCore`.
  private(set) final var interactorLink: Unmanaged<Interactor>?

  @exclusivity(unchecked) final var membership = TreeMembership.none

  // These share a word with the membership: in words of their own, they add 16 bytes to each router.

  /// Why this may be alive outside a tree, for leak detection.
  private final var keepers = Keepers()

  /// The index of this in its container.
  final var placeInContainer: Int32 = 0

  /// Fields that few routers need.
  final var extras: Extras?

  private final var attachment = Attachment()

  #if DEBUG
    /// The tree in which this was active last. It must be released on the tree's actor.
    final weak var lastTree: TreeCore?
  #endif

  final class Extras {
    var lifecycle: Subject<RouterLifecycle>?
    /// Whether `lifecycle` has emitted `.didLoad`.
    var hasEmittedDidLoad = false
    /// The settings of the tree that has ended, if it has a misuse handler or a name.
    var endedTree: TreeSettings?
    /// Whether children were moved while this resigns, so that the cascade starts again with the last one.
    var hasMovedChildren = false
    /// A test double in place of an interactor.
    var interactable: (any Interactable)?
    /// Returned as the interactor of a router that has none.
    var standIn: Interactor?
    /// Whether a stack of this router keeps covered children, which are not linked.
    var keepsCoveredChildren = false
  }

  /// Why a router may be alive outside a tree.
  private struct Keepers {
    var trees: UInt8 = 0
    var expectsReattachment = false
  }

  /// The attachment of a router to its tree, and to the container that holds it.
  private struct Attachment {
    /// In nanoseconds, which take half of a `Duration`.
    var activeSince: Int64 = 0
    var id: UInt64 = 0
    var hold: ChildHold?
  }

  @usableFromInline
  init() {}

  deinit {
    #if DEBUG
      lastTree?.checkRelease(of: self)
    #endif
    // Before this resigns, which needs the cursor.
    let queue = releaseQueue
    if !state.isInactive { resignForRelease() }
    interactorCore?.leaveRouter()
    extras?.lifecycle?.complete()
    if firstChild != nil { releaseChildren(to: queue) }
  }

  /// The interactor that belongs to this router.
  open var interactable: any Interactable {
    if let interactor = interactorCore { return interactor }
    let extras = openExtras()
    if let interactable = extras.interactable { return interactable }
    // The router was given none, which has been reported. An interactor that is never active stands in for it.
    let standIn = extras.standIn ?? Interactor()
    extras.standIn = standIn
    return standIn
  }

  /// The attached children, in the order of attaching; those of a list of children in the order of its models.
  ///
  /// - Complexity: linear in their number.
  public final var children: [any Routing] { childNodes.map(\.routing) }

  /// The moments of this router's life as they happen. Completes when the router is released. Nothing is replayed.
  public final var lifecycle: Observable<RouterLifecycle> {
    let extras = openExtras()
    let subject = extras.lifecycle ?? Subject()
    extras.lifecycle = subject
    return Observable(source: subject.subscribe)
  }

  /// The containers whose children are saved with the tree and restored from it, each under a name. None by default.
  ///
  /// ```swift
  /// final class CounterRouter: Router<TripInteractor> {
  ///   private lazy var stage = ChildSlot<Int>(of: self) { _, _ in Router(interactor: Interactor()) }
  ///
  ///   override var savedChildren: [SavedChildren] { [stage.saved(as: "stage")] }
  /// }
  /// ```
  ///
  /// A name identifies the container in all versions of the program, so it must not change. Children that the code of
  /// this RIB attaches in `didBecomeActive()` and `didLoad()` need no container: the same code attaches them in a
  /// restored tree, where they get their saved states.
  open var savedChildren: [SavedChildren] { [] }

  /// The names of the RIBs of this class in saved trees: those of the class by default, so override it when the class is
  /// renamed.
  open class var savedNames: SavedNames { SavedNames() }

  /// Called by the runtime once in this router's life, after its interactor has become active for the first time, and
  /// before any child that was attached before becomes active.
  ///
  /// It may attach and detach children. Call `super`.
  open func didLoad() {}

  /// Loads this router by hand, as unit tests do: calls `didLoad()`, once in its life; then, if its interactor is active,
  /// its children become active. In a tree, attaching and launching load it.
  public final func load() {
    let epoch = state.epoch
    loadOnce()
    if state.isActive, state.epoch == epoch { activateChildren() }
  }

  /// This router, for the runtime.
  public final var _node: Unmanaged<RouterNode>? { Unmanaged.passUnretained(self) }

  /// The node of a router, or a new one that represents a test double.
  package static func node(of routing: any Routing) -> RouterNode {
    routing._node.map { $0.takeUnretainedValue() } ?? DoubleNode(routing)
  }

  // MARK: Overridden in the runtime

  /// Whether this router's RIB has a view.
  package var hasView: Bool { false }

  /// The router as its parent's `children` return it.
  package var routing: any Routing { self }

  /// The type that the RIB is named after.
  var namingType: any AnyObject.Type { type(of: self) }

  // A router whose interactor is a test double forwards the steps of the lifecycle to it.

  func activateDouble() { extras?.interactable?.activate() }
  func deactivateDouble() { extras?.interactable?.deactivate() }

  // MARK: Interactor

  /// The interactor, unless it is a test double. The subclass owns it, and releases it after the `deinit` of this class.
  package final var interactorCore: Interactor? { interactorLink?.takeUnretainedValue() }

  @usableFromInline
  final func bind(_ interactor: Interactor) {
    guard interactor.nodeLink == nil else {
      return report(
        .error(
          .notAnInteractor, "\(type(of: interactor)) can't be the router's interactor: it belongs to another router.",
          advice: "Build an interactor for each router."))
    }
    interactorLink = Unmanaged.passUnretained(interactor)
    interactor.join(self)
  }

  final func openExtras() -> Extras {
    if let extras { return extras }
    let new = Extras()
    extras = new
    return new
  }

  // MARK: Links

  /// A position among the children.
  @usableFromInline
  package enum Position {
    case end
    case before(RouterNode)
    case after(RouterNode)
  }

  /// Moves a child to another position, without any callback.
  ///
  /// A cascade through the children that is running starts again: it skips those that it has visited.
  package final func move(_ child: RouterNode, to position: Position) {
    removeLinks(of: child)
    insert(Link.passUnretained(child), at: position)
    notify(.moved, of: child)
    switch state.phase {
    case .inactive: break
    case .active: if cursor != nil, !state.isInReleaseQueue { cursor = firstChild }
    case .resigning: openExtras().hasMovedChildren = true
    }
  }

  /// How many `Tree`s hold this as their root, launched or ended: an ended one may be held beside the next. It stays at
  /// 255 once it has reached it, so that leak detection then takes the root for held.
  final var owningTrees: UInt8 { keepers.trees }

  final func addOwningTree() { if keepers.trees < .max { keepers.trees += 1 } }

  final func removeOwningTree() { if keepers.trees < .max { keepers.trees -= 1 } }

  /// Whether this router is kept on purpose when it is detached, to be attached again. Leak detection then reports neither
  /// this router nor what is attached to it. The default is false.
  public final var expectsReattachment: Bool {
    get { keepers.expectsReattachment }
    set { keepers.expectsReattachment = newValue }
  }

  /// When this became active, on the tree's clock; some milliseconds early if events were not observed then.
  package final var activeSince: Duration { .nanoseconds(attachment.activeSince) }

  /// Notes that this becomes active.
  @inline(__always)
  final func noteActivation(in tree: TreeCore) {
    // Observers get the exact duration of the activity.
    attachment.activeSince = tree.isObserved ? tree.now.inNanoseconds() : tree.now.lastTick()
  }

  /// The number of this attachment in the tree; zero before the first, and after this was unlinked.
  @inline(__always)
  final var id: UInt64 {
    get { attachment.id }
    set { attachment.id = newValue }
  }

  /// The hold of the container that this is a child of, which is notified when other code detaches this.
  @inline(__always)
  final var hold: ChildHold? {
    get { attachment.hold }
    set { attachment.hold = newValue }
  }

  /// Adds a child, and retains it.
  final func link(_ child: RouterNode, at position: Position) {
    // A former root still has the id of its tree.
    child.id = 0
    child.parent = Link.passUnretained(self)
    insert(Link.passRetained(child), at: position)
  }

  /// Removes a child. The caller takes over the reference that this router held.
  final func unlink(_ child: RouterNode) {
    removeLinks(of: child)
    if let cursor, cursor.toOpaque() == Link.passUnretained(child).toOpaque() {
      self.cursor = state.isResigning ? nextToResign(after: child) : child.nextSibling
    }
    // While the parent is known: a stack reads it.
    if let hold = child.hold { child.leave(hold) }
    child.parent = nil
    child.nextSibling = nil
    child.previousSibling = nil
    child.id = 0
    child.state.didUnlink()
    if child.membership.hasEnded { child.membership = .none }
  }

  /// Ends the hold of a container, and notifies it.
  final func leave(_ hold: ChildHold) {
    self.hold = nil
    hold.didLose(self)
  }

  /// The child that resigns after another: its previous sibling, unless children were moved meanwhile.
  final func nextToResign(after child: RouterNode) -> Link? {
    guard let extras, extras.hasMovedChildren else { return child.previousSibling }
    extras.hasMovedChildren = false
    return lastChild
  }

  // Inlined where the position is known, which is the end in most cases.
  @inline(__always)
  private final func insert(_ link: Link, at position: Position) {
    let next: Link? =
      switch position {
      case .end: nil
      case .before(let sibling): Link.passUnretained(sibling)
      case .after(let sibling): sibling.nextSibling
      }
    let previous = next.map { $0._withUnsafeGuaranteedRef { $0.previousSibling } } ?? lastChild
    link._withUnsafeGuaranteedRef { child in
      child.previousSibling = previous
      child.nextSibling = next
    }
    if let previous { previous._withUnsafeGuaranteedRef { $0.nextSibling = link } } else { firstChild = link }
    if let next { next._withUnsafeGuaranteedRef { $0.previousSibling = link } } else { lastChild = link }
  }

  private final func removeLinks(of child: RouterNode) {
    let (next, previous) = (child.nextSibling, child.previousSibling)
    if let previous { previous._withUnsafeGuaranteedRef { $0.nextSibling = next } } else { firstChild = next }
    if let next { next._withUnsafeGuaranteedRef { $0.previousSibling = previous } } else { lastChild = previous }
  }
}
