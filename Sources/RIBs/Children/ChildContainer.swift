// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The base class of `ChildSlot` and `ChildStack`, which attach and detach the children of a router. A `ChildList` has one.
///
/// Don't subclass it. A container belongs to a router, which usually keeps it in a property and passes itself to the
/// initializer. The container does not retain the router. When either is released, the children of the container are
/// detached. If other code detaches a child, the container releases it.
///
/// Empty a container before you assign another one to its property. Otherwise its release detaches its children during
/// the access to the property, and a callback of theirs that uses the property violates exclusive access.
public class ChildContainer {
  /// The router, until it is released.
  @usableFromInline package final private(set) weak var owner: RouterNode?

  /// The link from the children to their container.
  final class Hold: ChildHold {
    /// Nil once the container has been released.
    fileprivate(set) unowned(unsafe) var container: ChildContainer?

    init(of container: ChildContainer) { self.container = container }

    override var owner: RouterNode? { container?.owner }

    override func didLose(_ child: RouterNode) { container?.didLose(child) }
  }

  /// Created for the first child.
  final private var currentHold: Hold?

  /// Whether the tree is being changed to the state of the container.
  @usableFromInline final var isFollowing = false

  /// Whether the container was restored without routes, so that the next `begin(with:)` sets none.
  final var isRestoredEmpty = false

  /// Restarts failed children; nil if they are not restarted.
  @usableFromInline final let supervisor: Supervisor?

  /// Does what subclasses override; nil in a subclass. Other libraries of this package can't have a subclass.
  package final weak var delegate: (any ChildContainerDelegate)?

  /// Whether it is that of a list: it identifies its children by their models.
  final var isList: Bool { delegate != nil }

  package init(of owner: RouterNode, restarts: Restarts = .never) {
    self.owner = owner
    supervisor = Supervisor(restarts)
  }

  deinit { currentHold?.container = nil }

  /// The owner, as the type with which the container was created.
  @usableFromInline
  package static func typed<Owner: RouterNode>(_ owner: RouterNode, as type: Owner.Type) -> Owner {
    unsafeDowncast(owner, to: type)
  }

  /// Applies the state of the container to the tree, until no callback changes it further.
  @usableFromInline
  func follow() {}

  /// Called when other code has unlinked a child of this container. It must not call user code, nor release anything
  /// that may run some, because the unlinking is still in progress.
  func didLose(_ child: RouterNode) { delegate?.didLose(child, at: child.placeInContainer) }

  // MARK: Overridden for restarts

  /// The place of a child that this container is to have attached; nil for one that it is about to detach anyway.
  func place(of child: RouterNode) -> Int? { holds(child) ? Int(child.placeInContainer) : nil }

  /// Whether the child of a place is not covered.
  func isShown(_ place: Int) -> Bool { true }

  /// Removes a child that has failed from its place, which keeps its route or model. It must not call user code.
  func withdraw(_ child: RouterNode, from place: Int) { delegate?.withdraw(child, from: Int32(place)) }

  /// Runs code that detaches a failed child. What its callbacks set is attached after that, so that a container never
  /// has two active children in one place.
  func suspendingUpdates(_ body: () -> Void) {
    if let delegate { return delegate.suspendingUpdates(body) }
    let isOutermost = !isFollowing
    isFollowing = true
    body()
    guard isOutermost else { return }
    isFollowing = false
    follow()
  }

  /// Builds a child for a place whose child has failed, and attaches it.
  ///
  /// - Parameter check: whether the child that was built can be attached: not if it is the one that has failed.
  /// - Returns: the child that is now in that place, if it is attached.
  func rebuild(at place: Int, _ check: (RouterNode) -> Bool) -> RouterNode? {
    delegate?.rebuild(at: Int32(place), check)
  }

  /// The owner resigned during the pause before a restart: the child of a place is lost.
  func didLoseChild(at place: Int) { delegate?.didLoseChild(at: Int32(place)) }

  /// The router that a child can be attached to. Nil if the router was released, or if the tree has ended, which is
  /// reported as misuse.
  ///
  /// - Parameter type: the type of the routes or models of the children.
  @usableFromInline
  package final func openOwner(toAttach type: any Any.Type) -> RouterNode? {
    guard let owner else { return nil }
    guard !owner.cannotAttach else {
      owner.report(.treeEnded("A child for a \(type)"))
      return nil
    }
    return owner
  }

  /// Attaches a child and holds it, from before its activation until it is unlinked or released from the hold.
  ///
  /// - Returns: whether the child is now attached and held. If not, the caller must discard it.
  @discardableResult
  package final func attach(
    _ child: RouterNode, to owner: RouterNode, at position: RouterNode.Position = .end, place: Int32 = 0
  ) -> Bool {
    guard child.parent == nil else {
      // Refused and reported as misuse. The child may be held by the container that attached it.
      owner.attach(child)
      return false
    }
    owner.attach(child, at: position, heldBy: openHold(), place: place)
    if owner.tree == nil { owner.requestSave() }
    guard holds(child) else { return false }
    guard owner.isParent(of: child) else {
      releaseHold(on: child)
      return false
    }
    return true
  }

  /// Detaches a child that this container has held, unless other code has detached it.
  @usableFromInline
  package final func detach(_ child: RouterNode, from owner: RouterNode) {
    releaseHold(on: child)
    if owner.isParent(of: child) { owner.detach(child) }
    // In a tree, the event of the detachment requests it.
    if owner.tree == nil { owner.requestSave() }
  }

  /// Requests a save of the tree, because this container has changed, and perhaps no child was attached or detached.
  @usableFromInline
  package final func requestSave() {
    guard let tree = owner?.tree else { return requestSaveNow() }
    tree.saver?.requestForChildren(in: tree)
  }

  /// Requests a save of the tree, also in its launch.
  @usableFromInline
  final func requestSaveNow() { owner?.requestSave() }

  @usableFromInline
  final func holds(_ child: RouterNode) -> Bool { child.hold.map { $0 === currentHold } ?? false }

  /// Holds a child that is not attached. A stack that has kept the child loses it.
  final func hold(_ child: RouterNode, at place: Int32) { openHold().hold(child, at: place) }

  private final func openHold() -> Hold {
    if let currentHold { return currentHold }
    let new = Hold(of: self)
    currentHold = new
    return new
  }

  @usableFromInline
  package final func releaseHold(on child: RouterNode) {
    if holds(child) { child.hold = nil }
  }

  /// Discards a child that could not be attached, and that this container may have kept before.
  @usableFromInline
  final func discard(_ child: RouterNode) {
    releaseHold(on: child)
    didLose(child)
  }
}

extension RouterNode {
  /// The container that holds this, until it is released.
  final var container: ChildContainer? { (hold as? ChildContainer.Hold)?.container }
}

/// What a `ChildList` needs of the restarts of its children.
extension ChildContainer {
  /// Whether the child of a place has failed and is to be restarted.
  package final func isRestarting(_ place: Int32) -> Bool { supervisor?.isRestarting(Int(place)) ?? false }

  /// What is saved of the child of a place that is to be restarted.
  package final func saved(at place: Int32) -> SavedTree? { supervisor?.saved(at: Int(place)) }

  /// The restart of the child of a place is complete, or given up.
  package final func endRestart(at place: Int32) { supervisor?.end(at: Int(place)) }

  /// The model of a place was removed.
  package final func forget(_ place: Int32) { supervisor?.forget(Int(place)) }
}

/// What a `ChildContainer` without a subclass calls.
package protocol ChildContainerDelegate: AnyObject {
  /// Called when a child was unlinked from outside, under the conditions of `ChildContainer`'s `didLose`.
  ///
  /// - Parameter place: the index that was passed when the child was attached.
  func didLose(_ child: RouterNode, at place: Int32)

  func withdraw(_ child: RouterNode, from place: Int32)

  func suspendingUpdates(_ body: () -> Void)

  func rebuild(at place: Int32, _ check: (RouterNode) -> Bool) -> RouterNode?

  func didLoseChild(at place: Int32)
}
