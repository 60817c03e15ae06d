// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Interactor {
  /// The active children of this RIB whose interactors conform to a type, and those that become active later.
  ///
  /// Use it to wait until a child appears, for example in a step of a workflow:
  ///
  /// ```swift
  /// protocol LoggedInActionable: AnyObject {}
  ///
  /// final class MainInteractor: Interactor {
  ///   func waitForLogin() -> Observable<(any LoggedInActionable, Void)> {
  ///     activeChildren(as: (any LoggedInActionable).self).map { ($0, ()) }
  ///   }
  /// }
  /// ```
  ///
  /// The children that are active at the subscription come first, in their order. Each later activation of a child
  /// follows, right before its `didBecomeActive()`. Completes with the tree; outside a tree, after the current children.
  /// While it has a subscriber, the tree creates its events, as for an observer of `Tree.events`.
  ///
  /// - Parameter type: the type of the interactors, usually a protocol of actions.
  /// - Complexity: linear in the number of children for each child that becomes active.
  public final func activeChildren<Child>(as type: Child.Type = Child.self) -> Observable<Child> {
    .sinking { [weak self] sink in
      guard let self, let node = self.node else { return sink.complete() }
      let children = node.children.map(\.interactable).filter(\.isActive)
      let tree = node.nearestTree
      // Subscribed first: a subscriber may attach children when it receives the current ones.
      if let tree {
        sink.add(
          tree.allEvents.subscribe(
            onNext: { [weak self] event in
              guard event.kind == .activated, let child = self?.child(of: event) as? Child else { return }
              sink.next(child)
            },
            onCompleted: sink.complete))
      }
      for child in children where child.isActive {
        if let child = child as? Child { sink.next(child) }
      }
      if tree == nil { sink.complete() }
    }
  }

  /// The interactor of the child that an event is about; nil if it is no child of this RIB.
  private func child(of event: TreeEvent) -> (any Interactable)? {
    guard let node, event.parent == node.nodeID, let last = node.lastChildNode else { return nil }
    return sequence(first: last, next: \.previousSiblingNode).first { $0.nodeID == event.node }?.interactable
  }
}
