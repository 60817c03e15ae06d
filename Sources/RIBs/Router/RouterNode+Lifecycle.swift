extension RouterNode {
  /// Makes this router active, and everything attached to it, in pre-order. The caller holds a reference to it.
  final func activate(loading: Bool) {
    if becomeActive(loading: loading), firstChild != nil { activateChildren() }
  }

  /// Makes the children active that are not, with all that is attached to them, each before its own children.
  ///
  /// The routers on the way down are held on a stack with the epoch they had: one to which something has happened in a
  /// callback is dropped, because whoever did it has taken care of its children.
  final func activateChildren() {
    guard let first = firstChild else { return }
    cursor = first
    var node = self
    var current = epoch
    var above: [(node: RouterNode, epoch: UInt32)] = []
    while true {
      guard node.epoch == current, let link = node.cursor else {
        guard let last = above.popLast() else { return }
        node = last.node
        current = last.epoch
        continue
      }
      // Held while callbacks run, which may detach and drop it.
      let child = link.takeUnretainedValue()
      node.cursor = child.nextSibling
      guard child.phase == .inactive else { continue }
      guard child.becomeActive(loading: true), let first = child.firstChild else { continue }
      child.cursor = first
      above.append((node, current))
      node = child
      current = child.epoch
    }
  }

  /// Takes this router alone through the steps of becoming active.
  ///
  /// - Returns: whether it is the turn of its children: false if a callback has changed the course of this router.
  private func becomeActive(loading: Bool) -> Bool {
    phase = .active
    epoch &+= 1
    let current = epoch
    if let tree = parent?._withUnsafeGuaranteedRef({ $0.tree }) ?? tree {
      enter(tree)
    }
    interactorCore?._withUnsafeGuaranteedRef { $0.markActive() }
    if let tree = tree(observedFor: .activated) {
      emit(.activated, in: tree, at: activeSince)
      guard epoch == current else { return false }
    }
    if let interactor = interactorCore {
      interactor._withUnsafeGuaranteedRef { $0.publishActivity() }
      guard epoch == current else { return false }
      interactor._withUnsafeGuaranteedRef { $0.becomeActive() }
    } else {
      activateDouble()
    }
    guard epoch == current else { return false }
    if loading { loadOnce() }
    guard epoch == current else { return false }
    interactorCore?._withUnsafeGuaranteedRef { $0.finishActivation() }
    return isLoaded
  }

  /// Loads this router, once in its life.
  ///
  /// It counts as loaded from just before `didLoad()`: if a callback before that changes the course of this router, the
  /// rest follows when it is active again.
  final func loadOnce() {
    guard !isLoaded else { return }
    let current = epoch
    if let tree = tree(observedFor: .loaded) {
      emit(.loaded, in: tree)
      guard epoch == current, !isLoaded else { return }
    }
    if let extras, let lifecycle = extras.lifecycle, !extras.hasToldLifecycle {
      extras.hasToldLifecycle = true
      lifecycle.send(.didLoad)
      guard epoch == current, !isLoaded else { return }
    }
    isLoaded = true
    didLoad()
  }

  /// The interactor was activated by hand. The caller holds a reference to this.
  final func activateByHand() {
    guard phase == .inactive else { return }
    if let parent, !parent._withUnsafeGuaranteedRef({ $0.activatesChildren }) { return report(.inactiveParent) }
    activate(loading: false)
  }
}

extension RouterNode {
  /// Makes a router resign that is active: its children first, the last attached first.
  ///
  /// There is no stack. A router is marked on the way down, and stays linked until it has resigned, so the way up is
  /// always there. The cursor of a resigning router is the child that resigns just now. A walk that meets a resigning
  /// child stops: the walk that has begun below goes on upward from there, through all that has been marked.
  static func resign(_ router: RouterNode) {
    router.beginResigning()
    continueResigning(router)
  }

  private static func continueResigning(_ router: RouterNode) {
    var node = Link.passUnretained(router)
    // The caller holds the router to resign, and that holds all below it. Nobody may hold those above, to which the walk
    // goes on if they have waited for it, and callbacks may drop them.
    var top = node
    var held: Link?
    defer { if let held { ReleaseQueue.release(held) } }
    // Observers are notified of what was unlinked, and it is released, when the walk stands still again: both may run
    // callbacks.
    var unlinked: Unlinked?
    while true {
      while let child = node._withUnsafeGuaranteedRef({ $0.cursor }) {
        switch child._withUnsafeGuaranteedRef({ $0.phase }) {
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
      (parent, unlinked) = node._withUnsafeGuaranteedRef { $0.finishResigning() }
      guard let parent else { break }
      if node.toOpaque() == top.toOpaque() {
        top = parent.retain()
        held?.release()
        held = top
      }
      node = parent
    }
    unlinked?.notifyAndRelease()
  }

  /// Called when this is released: makes it resign if it is active, or has waited for a child to resign.
  ///
  /// A child that resigns further up the stack can't be waited for any more. It finishes on its own.
  final func resignForRelease() {
    if phase == .active { RouterNode.resign(self) }
    while phase == .resigning, let child = cursor {
      child._withUnsafeGuaranteedRef { unlink($0) }
      ReleaseQueue.release(child)
      RouterNode.continueResigning(self)
    }
  }

  private func beginResigning() {
    phase = .resigning
    epoch &+= 1
    cursor = lastChild
    extras?.hasMovedChildren = false
  }

  /// Takes this router alone through the steps of resigning, when its children have.
  ///
  /// - Returns: the parent, if it is waiting for this child to resign; and this, if it was unlinked.
  private func finishResigning() -> (parent: Link?, unlinked: Unlinked?) {
    if let interactor = interactorCore {
      interactor._withUnsafeGuaranteedRef { $0.resign() }
    } else {
      deactivateDouble()
    }
    if let tree = tree(observedFor: .resigned) { emit(.resigned, in: tree) }
    let isUnlinked = isToBeUnlinked
    let unlinked = isUnlinked ? Unlinked(self, from: tree) : nil
    // No callback comes between here and the parent's next step.
    phase = .inactive
    tree?._withUnsafeGuaranteedRef { $0.leaks?.suspect(self) }
    leaveTree()
    guard let parent else { return (nil, nil) }
    let isAwaited = parent._withUnsafeGuaranteedRef { parent in
      guard parent.phase == .resigning, parent.cursor?.toOpaque() == Link.passUnretained(self).toOpaque() else {
        return false
      }
      parent.cursor = parent.nextToResign(after: self)
      return true
    }
    if isUnlinked { parent._withUnsafeGuaranteedRef { $0.unlink(self) } }
    return (isAwaited ? parent : nil, unlinked)
  }

  /// The interactor was deactivated by hand. The caller holds a reference to this.
  final func deactivateByHand() {
    guard phase == .active else { return }
    RouterNode.resign(self)
  }
}
