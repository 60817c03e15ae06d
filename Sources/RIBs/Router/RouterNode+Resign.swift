extension RouterNode {
  /// Makes a router resign that is active: its children first, the last attached first.
  ///
  /// There is no stack. A router is marked on the way down, and stays linked until it has resigned, so the way up is
  /// always there. The cursor of a resigning router is the child that resigns just now. A walk that meets a resigning
  /// child stops: the walk that has begun below goes on upward from there, through all that has been marked.
  static func resign(_ router: RouterNode) {
    router.beginToResign()
    goOnResigning(router)
  }

  private static func goOnResigning(_ router: RouterNode) {
    var node = Link.passUnretained(router)
    // The caller holds the router to resign, and that holds all below it. Nobody may hold those above, to which the walk
    // goes on if they have waited for it, and callbacks may drop them.
    var top = node
    var held: Link?
    defer { if let held { Reaper.release(held) } }
    // What was unlinked is released when the walk stands still again: its release may run callbacks too.
    var unlinked: Link?
    while true {
      while let child = node._withUnsafeGuaranteedRef({ $0.cursor }) {
        switch child._withUnsafeGuaranteedRef({ $0.phase }) {
        case .inactive:
          node._withUnsafeGuaranteedRef { $0.cursor = child._withUnsafeGuaranteedRef { $0.previousSibling } }
          continue
        case .resigning:
          if let unlinked { Reaper.release(unlinked) }
          return
        case .active:
          child._withUnsafeGuaranteedRef { $0.beginToResign() }
          node = child
        }
      }
      if let unlinked { Reaper.release(unlinked) }
      let (parent, isUnlinked) = node._withUnsafeGuaranteedRef { $0.finishToResign() }
      unlinked = isUnlinked ? node : nil
      guard let parent else { break }
      if node.toOpaque() == top.toOpaque() {
        top = parent.retain()
        held?.release()
        held = top
      }
      node = parent
    }
    if let unlinked { Reaper.release(unlinked) }
  }

  /// Called when this is released: makes it resign if it is active, or has waited for a child to resign.
  ///
  /// A child that resigns further up the stack can't be waited for any more. It finishes on its own.
  final func resignForRelease() {
    if phase == .active { RouterNode.resign(self) }
    while phase == .resigning, let child = cursor {
      child._withUnsafeGuaranteedRef { unlink($0) }
      Reaper.release(child)
      RouterNode.goOnResigning(self)
    }
  }

  private func beginToResign() {
    phase = .resigning
    epoch &+= 1
    cursor = lastChild
    extras?.hasMovedChildren = false
  }

  /// Takes this router alone through the steps of resigning, when its children have.
  ///
  /// - Returns: the parent, if it is waiting for this child to resign; and whether this was unlinked, so that the
  ///   reference that the parent held is the caller's now.
  private func finishToResign() -> (parent: Link?, isUnlinked: Bool) {
    if let interactor = interactorCore {
      interactor._withUnsafeGuaranteedRef { $0.resign() }
    } else {
      deactivateDouble()
    }
    if let tree = tree(observedFor: .resigned) { emit(.resigned, in: tree) }
    if isToBeUnlinked, let tree = tree(observedFor: .detached) { emit(.detached, in: tree) }
    // No callback comes between here and the parent's next step.
    phase = .inactive
    tree?._withUnsafeGuaranteedRef { $0.leaks?.suspect(self) }
    leaveTree()
    guard let parent else { return (nil, false) }
    let isAwaited = parent._withUnsafeGuaranteedRef { parent in
      guard parent.phase == .resigning, parent.cursor?.toOpaque() == Link.passUnretained(self).toOpaque() else {
        return false
      }
      parent.cursor = parent.nextToResign(after: self)
      return true
    }
    let isUnlinked = isToBeUnlinked
    if isUnlinked { parent._withUnsafeGuaranteedRef { $0.unlink(self) } }
    return (isAwaited ? parent : nil, isUnlinked)
  }

  /// The interactor was deactivated by hand. The caller holds a reference to this.
  final func deactivateByHand() {
    guard phase == .active else { return }
    RouterNode.resign(self)
  }
}
