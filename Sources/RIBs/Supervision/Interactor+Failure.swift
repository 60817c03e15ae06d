// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Interactor {
  /// Fails this RIB: it can't continue.
  ///
  /// If its container restarts children, and their limit is not reached, this RIB and all below it resign, and after a
  /// pause the container builds it anew from the same route or model. Otherwise this RIB is detached, and
  /// `childDidFail(_:)` of the parent's interactor decides. If no RIB above answers, the tree ends, with
  /// `TreeEnded.Reason.failed`. An error that the RIB's work throws has the same effect if no override of
  /// `didFail(_:of:)` handles it and a container above restarts children.
  ///
  /// Call it on the tree, in any callback or in bound work, which it cancels. It returns when the RIB has resigned; if
  /// it is called in a callback of a resigning RIB below this one, this one resigns after the callback has returned. On
  /// a RIB that is inactive or resigns, outside trees, and while the tree ends, it is a no-op, and a warning reports the
  /// error.
  ///
  /// Notify the listener of failures that users expect, such as a declined card.
  ///
  /// - Parameter error: why the RIB can't continue.
  public final func fail(_ error: any Error) {
    guard let node else { return report(.failedWhileInactive(error)) }
    node.fail(error, of: nil)
  }
}

extension RouterNode {
  /// Whether a container above this, or this one's own, restarts children.
  ///
  /// - Complexity: linear in the depth.
  final var isSupervised: Bool { selfAndAbove.contains { $0.container?.supervisor != nil } }

  /// Whether this can fail: active, not resigning, in a tree that has not ended. A RIB that was detached in a callback of
  /// one below it is active until that has resigned.
  final var canFail: Bool {
    state.isActive && (parent != nil || membership.isRoot) && tree?.hasEnded == false
  }

  /// Restarts this RIB, or detaches it and asks its parent.
  ///
  /// - Parameter work: the bound work that threw the error; nil if the RIB failed by itself.
  final func fail(_ error: any Error, of work: BoundWork?) {
    guard canFail, let tree else { return report(.failedWhileInactive(error)) }
    tree.checkIsolation()
    let source = FailureSource(path: path.inTree(tree.identity), node: nodeID, work: work, error: error)
    let epoch = state.epoch
    tree.emit(.failed, at: self, of: work, .failure(error))
    // An observer may have detached this, or have ended the tree.
    guard state.epoch == epoch, canFail else { return tree.report(TreeFailure(source: source, outcome: .detached)) }
    escalate(source, in: tree)
  }

  /// Restarts this RIB, or propagates the failure to the parent until a RIB handles it. A loop, because the tree may be
  /// deep.
  private final func escalate(_ source: FailureSource, in tree: TreeCore) {
    var node = self
    var source = source
    while let parent = node.parentNode {
      var restarts = 0
      if let container = node.container {
        switch container.decide(on: node, in: tree) {
        case .restarts:
          if container.supervisor?.restarts.state == .saved {
            tree.saver?.discardChanges(TreeFailure(source: source, outcome: .restarts))
          }
          return
        case .isReplaced:
          parent.detach(node)
          return tree.report(TreeFailure(source: source, outcome: .detached))
        case .limitReached(let limit):
          restarts = limit
          source.restarts = limit
          let count = Restarts.Count(made: limit, limit: limit)
          tree.emit(.restartsExhausted, at: node, .other(RestartDetail(count: count), source.error))
        case .restartsNone: break
        }
      }
      let place = node.container.flatMap { container in
        container.place(of: node).map { (id: ObjectIdentifier(container), place: $0) }
      }
      let failure = Interactor.ChildFailure(
        path: node.path.inTree(tree.identity), origin: source, container: place, restarts: restarts,
        lifetime: tree.now() - node.activeSince)
      let detach = { if parent.isParent(of: node) { parent.detach(node) } }
      if let container = node.container { container.suspendingUpdates(detach) } else { detach() }
      guard parent.canFail else { return tree.report(TreeFailure(source: source, outcome: .detached)) }
      // A test double can't be asked.
      if let interactor = parent.interactorCore {
        guard tree.failures.isUnanswered(failure, by: interactor) else { return }
      }
      // Releases the child, whose `deinit` is code of the program, as `childDidFail(_:)` is.
      node = parent
      guard parent.canFail else { return tree.report(TreeFailure(source: source, outcome: .detached)) }
    }
    let failure = TreeFailure(source: source, outcome: .treeEnded)
    tree.end(.failed(failure))
    tree.report(failure)
  }

  /// Called by the default `childDidFail(_:)`: passes the failure on.
  final func passOn(_ failure: Interactor.ChildFailure) {
    guard let tree, !tree.failures.notesUnanswered(by: self) else { return }
    guard canFail else { return report(.failedWhileInactive(failure.error)) }
    escalate(failure.origin, in: tree)
  }
}

extension Misuse.Problem {
  fileprivate static func failedWhileInactive(_ error: any Error) -> Self {
    .warning(
      .failedWhileInactive, "A failure was ignored, because the RIB is not active or its tree is ending: \(error).",
      advice: "Call fail(_:) in didBecomeActive() or later, and before the RIB resigns.")
  }
}
