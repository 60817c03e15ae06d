// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension RouterNode {
  // MARK: Activation

  /// Activates this router and everything attached to it, in pre-order. The caller holds a reference to it.
  final func activate(loading: Bool) {
    if activateAlone(loading: loading), firstChild != nil { activateChildren() }
  }

  /// Activates all inactive children with everything attached to them, in pre-order.
  ///
  /// The stack holds the routers on the way down with their epochs. A router whose epoch has changed is skipped: the
  /// callback that changed its state has also taken care of its children.
  final func activateChildren() {
    guard let first = firstChild else { return }
    state.leaveReleaseQueue()
    cursor = first
    var node = self
    var epoch = state.epoch
    var ancestors: [(node: RouterNode, epoch: UInt32)] = []
    while true {
      guard node.state.epoch == epoch, let link = node.cursor else {
        guard let last = ancestors.popLast() else { return }
        node = last.node
        epoch = last.epoch
        continue
      }
      // Retained while callbacks run, which may detach and release it.
      let child = link.takeUnretainedValue()
      node.cursor = child.nextSibling
      guard child.state.isInactive else { continue }
      guard child.activateAlone(loading: true), let first = child.firstChild else { continue }
      child.cursor = first
      ancestors.append((node, epoch))
      node = child
      epoch = child.state.epoch
    }
  }

  /// Activates this router alone.
  ///
  /// - Returns: whether its children are next: false if a callback has changed the state of this router.
  private func activateAlone(loading: Bool) -> Bool {
    state.becomeActive()
    let epoch = state.epoch
    if let tree = parent?._withUnsafeGuaranteedRef({ $0.membership.tree }) ?? membership.tree { enter(tree) }
    if interactorLink != nil { state.interactor.beginActivation() }
    if notify(.activated), state.epoch != epoch { return false }
    if let interactorLink {
      interactorLink._withUnsafeGuaranteedRef { $0.publishActivity() }
      guard state.epoch == epoch else { return false }
      if state.interactor.becomeActive() { interactorLink._withUnsafeGuaranteedRef { $0.didBecomeActive() } }
    } else {
      activateDouble()
    }
    guard state.epoch == epoch else { return false }
    if loading { loadOnce() }
    guard state.epoch == epoch else { return false }
    state.interactor.finishActivation()
    return state.isLoaded
  }

  /// Loads this router, once in its life.
  ///
  /// It counts as loaded from just before `didLoad()`. If an earlier callback changes the state of this router, it is loaded
  /// with its next activation.
  final func loadOnce() {
    guard !state.isLoaded else { return }
    let epoch = state.epoch
    if notify(.loaded), state.epoch != epoch || state.isLoaded { return }
    if let extras, let lifecycle = extras.lifecycle, !extras.hasEmittedDidLoad {
      extras.hasEmittedDidLoad = true
      lifecycle.send(.didLoad)
      guard state.epoch == epoch, !state.isLoaded else { return }
    }
    state.load()
    didLoad()
  }

  /// Called when the interactor was activated by hand. The caller holds a reference to this.
  final func activateByHand() {
    guard state.isInactive else { return }
    if let parentNode, !parentNode.activatesChildren {
      return report(
        .error(
          .inactiveParent, "The interactor can't be activated by hand: its parent is not active.",
          advice: "Activate the parent: attached children become active with it."))
    }
    activate(loading: false)
  }

  // MARK: Resignation

  /// Makes a router resign that is active: its children first, the last attached first.
  ///
  /// The cascade needs no stack. A router is marked as resigning on the way down and stays linked until it has resigned, so
  /// the parent links lead back up. The cursor of a resigning router is the child that resigns now. A cascade that meets a
  /// resigning child stops: the cascade that runs inside that child continues upward through all that is marked.
  static func resign(_ router: RouterNode) {
    router.beginResigning()
    continueResigning(router)
  }

  private static func continueResigning(_ router: RouterNode) {
    var node = Link.passUnretained(router)
    // The caller retains the router, which owns everything below it. The routers above it, to which the cascade returns if
    // they wait for it, may be released by callbacks, so the topmost is retained here.
    var top = node
    var retained: Link?
    defer { if let retained { ReleaseQueue.release(retained) } }
    // An unlinked child is reported and released only between two steps, since both may run callbacks.
    var unlinked: UnlinkedChild?
    while true {
      while let child = node._withUnsafeGuaranteedRef({ $0.cursor }) {
        switch child._withUnsafeGuaranteedRef({ $0.state.phase }) {
        case .inactive:
          node._withUnsafeGuaranteedRef { $0.cursor = child._withUnsafeGuaranteedRef { $0.previousSibling } }
          continue
        case .resigning:
          unlinked?.notifyAndRelease()
          return
        case .active:
          child._withUnsafeGuaranteedRef { $0.beginResigning() }
          node = child
        }
      }
      unlinked?.notifyAndRelease()
      let parent: Link?
      (parent, unlinked) = node._withUnsafeGuaranteedRef { $0.resignAlone() }
      guard let parent else { break }
      if node.toOpaque() == top.toOpaque() {
        top = parent.retain()
        retained?.release()
        retained = top
      }
      node = parent
    }
    unlinked?.notifyAndRelease()
  }

  private func beginResigning() {
    state.beginResigning()
    cursor = lastChild
    extras?.hasMovedChildren = false
    _ = notify(.resigning)
  }

  /// Makes this router alone resign, after its children.
  ///
  /// - Returns: the parent, if it is waiting for this child; and this child, if it was unlinked.
  private func resignAlone() -> (parent: Link?, unlinked: UnlinkedChild?) {
    _ = notify(.deactivating)
    if let interactorLink {
      interactorLink._withUnsafeGuaranteedRef { $0.resign() }
    } else {
      deactivateDouble()
    }
    _ = notify(.resigned)
    _ = notify(.left)
    let unlinksChild = state.phase == .resigning(then: .unlink)
    let unlinked = unlinksChild ? UnlinkedChild(self, from: membership.tree) : nil
    // No callback runs between here and the parent's next step.
    state.finishResigning()
    leaveTree()
    guard let parent else { return (nil, nil) }
    let isAwaited = parent._withUnsafeGuaranteedRef { parent in
      guard parent.state.isResigning, parent.cursor?.toOpaque() == Link.passUnretained(self).toOpaque() else {
        return false
      }
      parent.cursor = parent.nextToResign(after: self)
      return true
    }
    if unlinksChild { parent._withUnsafeGuaranteedRef { $0.unlink(self) } }
    return (isAwaited ? parent : nil, unlinked)
  }

  /// Called in `deinit`: makes this resign if it is active, or still waits for a child to resign.
  ///
  /// A child that resigns further up the stack can't be waited for any more. It finishes on its own.
  final func resignForRelease() {
    let isActive = state.isActive
    state.release()
    if isActive { RouterNode.resign(self) }
    while state.isResigning, let child = cursor {
      child._withUnsafeGuaranteedRef { unlink($0) }
      ReleaseQueue.release(child)
      RouterNode.continueResigning(self)
    }
  }

  /// Called when the interactor was deactivated by hand. The caller holds a reference to this.
  final func deactivateByHand() {
    guard state.isActive else { return }
    RouterNode.resign(self)
  }

  // MARK: Membership in a tree

  /// Whether a tree can be launched with this as its root.
  final var canBeLaunched: Bool { parent == nil && state.isInactive && !membership.isRoot }

  /// Makes this the root of a tree, and activates it with everything attached to it.
  final func launch(in core: TreeCore) {
    if let hold { leave(hold) }
    // The id of an earlier tree.
    if membership.hasEnded { id = 0 }
    // Balanced in `leaveTree()`: the core of a tree lives as long as a RIB is active in it.
    membership = .root(.passRetained(core))
    if core.follows(.attached) {
      assignID(in: core)
      core.notify(.attached, self)
      guard membership.isRoot, state.isInactive else { return }
    }
    activate(loading: true)
  }

  /// Called when the tree ends. A root that is resigning already finishes by itself.
  final func resignAsRoot() {
    switch state.phase {
    case .active: RouterNode.resign(self)
    case .inactive: leaveTree()
    case .resigning: break
    }
  }

  /// Makes this a member of the tree of its parent.
  @inline(__always)
  private func enter(_ tree: Unmanaged<TreeCore>) {
    tree._withUnsafeGuaranteedRef { tree in
      #if DEBUG
        lastTree = tree
        interactorCore?.lastTree = tree
      #endif
      assignID(in: tree)
      noteActivation(in: tree)
    }
    if !membership.isRoot { membership = .member(tree) }
  }

  /// Gives this an id, unless it has that of an earlier activity in this tree. It has none of another tree, since the
  /// topmost router of a tree loses its id when it is launched or attached again, and each router clears those below it.
  final func assignID(in tree: TreeCore) {
    if membership.hasEnded { membership = .none }
    guard id == 0 else { return }
    id = tree.nextID()
    if firstChild != nil { clearIDsOfChildren() }
  }

  /// Removes the ids of children that were attached before this had its own: they may be those of an earlier tree, as only
  /// the topmost router loses its id when it is detached.
  private func clearIDsOfChildren() {
    // Not over `childNodes`, which takes 1 % more of the launch of a tree.
    var next = firstChildNode
    while let child = next {
      if child.state.isInactive { child.id = 0 }
      next = child.nextSiblingNode
    }
  }

  /// Called when this has resigned. A root stays a member until the tree has ended.
  @inline(__always)
  private func leaveTree() {
    guard let tree = membership.tree else { return }
    let hasEnded = tree._withUnsafeGuaranteedRef { $0.hasEnded }
    if hasEnded { keepConfiguration(of: tree.takeUnretainedValue()) }
    guard membership.isRoot else {
      membership = hasEnded ? .ended : .none
      return
    }
    guard hasEnded else { return }
    membership = .ended
    tree.takeRetainedValue().rootDidResign()
  }

  /// Keeps what the report of a misuse after the end of the tree needs.
  private func keepConfiguration(of tree: TreeCore) {
    if tree.identity != nil || tree.settings.onMisuse != nil { openExtras().endedTree = tree.settings }
  }
}

/// A child that was unlinked, with the reference that its parent held. The parts of the tree are called after the links
/// have changed: what they notify may load the child, or attach it elsewhere.
struct UnlinkedChild {
  private let child: RouterNode.Link
  /// The tree, if a part takes part in the moment after the child was unlinked.
  private let tree: TreeCore?

  /// - Parameter tree: the tree that the child leaves; nil if it has no id there. Called before the child is unlinked.
  @inline(__always)
  init(_ child: RouterNode, from tree: Unmanaged<TreeCore>?) {
    self.child = .passUnretained(child)
    guard let tree, tree._withUnsafeGuaranteedRef({ $0.follows(.detached) }) else {
      self.tree = nil
      return
    }
    self.tree = UnlinkedChild.notify(of: child, tree.takeUnretainedValue())
  }

  @inline(never)
  private static func notify(of child: RouterNode, _ tree: TreeCore) -> TreeCore? {
    tree.notify(.detached, child)
    return tree.follows(.unlinked) ? tree : nil
  }

  func notifyAndRelease() {
    if let tree { tree.notify(.unlinked, child.takeUnretainedValue()) }
    ReleaseQueue.release(child)
  }
}
