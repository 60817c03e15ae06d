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

  /// - Parameter position: where among the children, if not at their end.
  final func attach(_ child: RouterNode, at position: Position = .end) {
    let tree = tree
    tree?._withUnsafeGuaranteedRef { $0.checkIsolation() }
    guard child.parent == nil else { return report(.alreadyAttached(child: child)) }
    guard child !== self else { return report(.cycle(child: child)) }
    guard child.phase == .inactive, !child.isTreeRoot else { return report(.alreadyActive(child: child)) }
    // Whoever is active in a tree stands under active routers only, and the child is none.
    if tree == nil, child.hasChildren, isBelow(child) { return report(.cycle(child: child)) }
    if treeHasEnded || tree?._withUnsafeGuaranteedRef({ $0.hasEnded }) == true {
      return report(.treeEnded(child.ribName))
    }
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
      if child.id != 0, let tree = tree(observedFor: .detached) {
        child.emit(.detached, in: tree)
        guard isParent(of: child), child.phase == .inactive else { return }
      }
      unlink(child)
      ReleaseQueue.release(Link.passUnretained(child))
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
    parent ?? container?._withUnsafeGuaranteedRef { $0.owner.map { Link.passUnretained($0) } }
  }

  private func isBelow(_ other: RouterNode) -> Bool {
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
    child.parent = nil
    child.nextSibling = nil
    child.previousSibling = nil
    child.id = 0
    child.isToBeUnlinked = false
    child.treeHasEnded = false
    if let container = child.container {
      child.container = nil
      container._withUnsafeGuaranteedRef { $0.didLose(child) }
    }
  }

  /// The child that resigns after another: the one before it, unless the children were moved meanwhile.
  final func nextToResign(after child: RouterNode) -> Link? {
    guard let extras, extras.hasMovedChildren else { return child.previousSibling }
    extras.hasMovedChildren = false
    return lastChild
  }
}
