extension RouterNode {
  @usableFromInline
  final func attach(_ link: Unmanaged<RouterNode>) { link._withUnsafeGuaranteedRef { attach($0) } }

  @usableFromInline
  final func detach(_ link: Unmanaged<RouterNode>) { link._withUnsafeGuaranteedRef { detach($0) } }

  @usableFromInline
  final func attachDouble(_ child: any Routing) {
    if let double = node(of: child) { return report(.alreadyAttached(child: double)) }
    attach(DoubleNode(child))
  }

  @usableFromInline
  final func detachDouble(_ child: any Routing) {
    guard let double = node(of: child) else { return report(.notAChild(nameOfRIB(type(of: child)))) }
    detach(double)
  }

  /// What stands for a test double among the children.
  private func node(of double: any Routing) -> RouterNode? {
    var next = firstChild
    while let node = next?.takeUnretainedValue() {
      if node.routing === double { return node }
      next = node.nextSibling
    }
    return nil
  }

  /// - Parameters:
  ///   - position: where among the children, if not at their end.
  ///   - container: the container that holds the child, if that is what attaches it. Another one loses it.
  final func attach(_ child: RouterNode, at position: Position = .end, by container: ChildContainer? = nil) {
    let tree = tree
    tree?._withUnsafeGuaranteedRef { $0.checkIsolation() }
    guard child.parent == nil else { return report(.alreadyAttached(child: child)) }
    guard child !== self else { return report(.cycle(child: child)) }
    guard child.phase == .inactive, !child.isTreeRoot else { return report(.alreadyActive(child: child)) }
    if isOwned(by: child) { return report(.cycle(child: child)) }
    if treeHasEnded || tree?._withUnsafeGuaranteedRef({ $0.hasEnded }) == true {
      return report(.treeEnded(child.ribName))
    }
    if let hold = child.hold, hold.container !== container { child.leave(hold) }
    link(child, at: position)
    guard activatesChildren else { return }
    if let tree = self.tree(observedFor: .attached) {
      let current = epoch
      child.assignID(in: tree)
      child.emit(.attached, in: tree)
      guard epoch == current, isParent(of: child), child.phase == .inactive else { return }
    }
    child.activate(loading: true)
  }

  final func detach(_ child: RouterNode) {
    tree?._withUnsafeGuaranteedRef { $0.checkIsolation() }
    guard isParent(of: child) else { return report(.notAChild(child.ribName)) }
    switch child.phase {
    case .inactive:
      let unlinked = Unlinked(child, from: child.id == 0 ? nil : tree)
      unlink(child)
      unlinked.notifyAndRelease()
    case .active:
      child.isToBeUnlinked = true
      RouterNode.resign(child)
    case .resigning:
      // Whoever makes it resign unlinks it.
      child.isToBeUnlinked = true
    }
  }

  /// Whether a child becomes active when it is attached.
  ///
  /// A router whose interactor is a test double activates its children at once: nobody tells when the double is active.
  final var activatesChildren: Bool {
    switch phase {
    case .active: true
    case .resigning: false
    case .inactive: extras?.interactable != nil
    }
  }

  final func isParent(of child: RouterNode) -> Bool {
    child.parent?.toOpaque() == Link.passUnretained(self).toOpaque()
  }

  /// Whether children are attached, or kept by a stack to be attached again.
  private var hasChildren: Bool { firstChild != nil || extras?.keepsCoveredChildren == true }

  /// What owns this: the parent, or the router whose stack keeps this while it is covered.
  private var holder: Link? {
    parent ?? hold?.container?.owner.map { Link.passUnretained($0) }
  }

  /// Whether an inactive router owns this, as a child or as one that a stack keeps.
  final func isOwned(by other: RouterNode) -> Bool {
    // A router that is active in a tree stands under active routers only.
    guard tree == nil, other.hasChildren else { return false }
    let target = Link.passUnretained(other).toOpaque()
    var next = holder
    while let node = next {
      if node.toOpaque() == target { return true }
      next = node._withUnsafeGuaranteedRef { $0.holder }
    }
    return false
  }

  // MARK: Links

  /// A position among the children.
  enum Position {
    case end
    case before(RouterNode)
    case after(RouterNode)
  }

  /// Moves a child to another position, without anything happening to it.
  ///
  /// A walk through the children that is under way begins again: it passes over those that had their turn.
  final func move(_ child: RouterNode, to position: Position) {
    takeOut(child)
    put(Link.passUnretained(child), at: position)
    switch phase {
    case .inactive: break
    case .active: if cursor != nil { cursor = firstChild }
    case .resigning: openExtras().hasMovedChildren = true
    }
  }

  /// Adds a child, and takes a reference to it.
  private func link(_ child: RouterNode, at position: Position) {
    // A former root still has the one of its tree.
    child.id = 0
    child.parent = Link.passUnretained(self)
    put(Link.passRetained(child), at: position)
  }

  // In line, where the position is known, which is the end in most cases.
  @inline(__always)
  private func put(_ link: Link, at position: Position) {
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
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.nextSibling = link }
    } else {
      firstChild = link
    }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previousSibling = link }
    } else {
      lastChild = link
    }
  }

  /// Closes the gap that a child leaves among its siblings.
  private func takeOut(_ child: RouterNode) {
    let next = child.nextSibling
    let previous = child.previousSibling
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.nextSibling = next }
    } else {
      firstChild = next
    }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previousSibling = previous }
    } else {
      lastChild = previous
    }
  }

  /// Takes a child out. The reference that this router held is the caller's now.
  final func unlink(_ child: RouterNode) {
    takeOut(child)
    if let cursor, cursor.toOpaque() == Link.passUnretained(child).toOpaque() {
      self.cursor = phase == .resigning ? nextToResign(after: child) : child.nextSibling
    }
    // While the parent is known, which tells a container what it loses the child by.
    if let hold = child.hold { child.leave(hold) }
    child.parent = nil
    child.nextSibling = nil
    child.previousSibling = nil
    child.id = 0
    child.isToBeUnlinked = false
    child.treeHasEnded = false
  }

  /// Ends the hold of a container, which loses this.
  final func leave(_ hold: ChildContainer.Hold) {
    self.hold = nil
    hold.container?.didLose(self)
  }

  /// A child that is taken out, with the reference that its parent held. Observers are notified afterwards: they may detach
  /// the child again, load it, or attach it elsewhere.
  struct Unlinked {
    /// What observers are notified of. Apart, because most trees have none.
    private final class Notification {
      let event: TreeEvent
      let tree: TreeCore

      init(_ event: TreeEvent, in tree: TreeCore) {
        self.event = event
        self.tree = tree
      }
    }

    private let child: Link
    private let notification: Notification?

    /// - Parameter tree: the tree that the child leaves, before it is taken out; nil if it was known in none.
    @inline(__always)
    init(_ child: RouterNode, from tree: Unmanaged<TreeCore>?) {
      self.child = .passUnretained(child)
      notification =
        if let tree, tree._withUnsafeGuaranteedRef({ $0.isObserved(.detached) }) {
          Unlinked.notification(of: child, in: tree.takeUnretainedValue())
        } else {
          nil
        }
    }

    @inline(never)
    private static func notification(of child: RouterNode, in tree: TreeCore) -> Notification {
      Notification(TreeEvent(.detached, at: child, time: tree.now(), since: child.activeSince), in: tree)
    }

    func notifyAndRelease() {
      if let notification { notification.tree.emit(notification.event) }
      ReleaseQueue.release(child)
    }
  }

  /// The child that resigns after another: the one before it, unless the children were moved meanwhile.
  final func nextToResign(after child: RouterNode) -> Link? {
    guard let extras, extras.hasMovedChildren else { return child.previousSibling }
    extras.hasMovedChildren = false
    return lastChild
  }
}
