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
      if firstChild != nil { forgetIDsOfChildren() }
    }
    interactorCore?._withUnsafeGuaranteedRef { $0.markActive() }
    if let tree = tree(observedFor: .activated) {
      emit(.activated, in: tree, at: activeSince)
      guard epoch == current else { return false }
    }
    if let interactor = interactorCore {
      interactor._withUnsafeGuaranteedRef { $0.announceActivity() }
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

  /// Children that were attached before may have ids of another tree: only the topmost router has lost its id when it was
  /// detached.
  private func forgetIDsOfChildren() {
    var next = firstChild
    while let link = next {
      link._withUnsafeGuaranteedRef { child in
        if child.phase == .inactive { child.id = 0 }
        next = child.nextSibling
      }
    }
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
