/// What `ChildSlot` and `ChildStack` have in common: a router whose children they attach and detach.
///
/// You never subclass this class. A container belongs to a router, which usually keeps it in a property and hands itself
/// to it; the container does not keep the router alive. When either goes, the children of the container are detached. A
/// child that somebody else detaches is noticed: the container does not hold it any more.
///
/// Empty a container before you put another one in its place: its release inside the access to a property would let the
/// callbacks of its children use that property at the same time.
public class ChildContainer {
  /// The router, until it goes.
  @exclusivity(unchecked) @usableFromInline package final private(set) weak var owner: RouterNode?

  /// What the children of a container refer to it by. It outlives the container, which a child may do too.
  final class Hold {
    /// Nil once the container has been released.
    @exclusivity(unchecked) fileprivate(set) unowned(unsafe) var container: ChildContainer?

    init(of container: ChildContainer) { self.container = container }
  }

  /// Made for the first child.
  @exclusivity(unchecked) final private var currentHold: Hold?

  package init(of owner: RouterNode) { self.owner = owner }

  deinit { currentHold?.container = nil }

  /// A child that this holds was unlinked by somebody else. No code of others may be called, nor anything be released that
  /// may run some: it happens in the middle of other things.
  func didLose(_ child: RouterNode) {}

  /// The router to attach a child to. None if the router is gone, or the tree has ended, which is reported.
  ///
  /// - Parameter type: the type of what children are made of.
  @usableFromInline
  package final func openOwner(toAttach type: any Any.Type) -> RouterNode? {
    guard let owner else { return nil }
    guard !owner.cannotAttach else {
      owner.report(.treeEnded("A child for a \(type)"))
      return nil
    }
    return owner
  }

  /// Attaches a child and holds it: from before it becomes active until it is unlinked or released from the hold.
  ///
  /// - Returns: whether the child is attached and held now. If not, the container is to forget it.
  @discardableResult
  package final func attach(
    _ child: RouterNode, to owner: RouterNode, at position: RouterNode.Position = .end, place: Int32 = 0
  ) -> Bool {
    guard child.parent == nil else {
      // Refused, and reported. It may be held where it is attached.
      owner.attach(child)
      return false
    }
    owner.attach(child, at: position, by: self, place: place)
    guard holds(child) else { return false }
    guard owner.isParent(of: child) else {
      letGo(of: child)
      return false
    }
    return true
  }

  /// Detaches a child that this has held, unless somebody else has.
  @usableFromInline
  package final func detach(_ child: RouterNode, from owner: RouterNode) {
    letGo(of: child)
    if owner.isParent(of: child) { owner.detach(child) }
  }

  @usableFromInline
  final func holds(_ child: RouterNode) -> Bool { child.hold.map { $0 === currentHold } ?? false }

  /// Holds a child. A stack that has kept it loses it.
  final func hold(_ child: RouterNode, at place: Int32) {
    if let previous = child.hold?.container, previous !== self { previous.didLose(child) }
    let hold = currentHold ?? Hold(of: self)
    currentHold = hold
    child.hold = hold
    child.placeInContainer = place
  }

  @usableFromInline
  package final func letGo(of child: RouterNode) {
    if holds(child) { child.hold = nil }
  }

  /// Forgets a child that could not be attached, and that this may have kept before.
  @usableFromInline
  final func forget(_ child: RouterNode) {
    letGo(of: child)
    didLose(child)
  }
}

/// A container for another library of this package, which can't subclass `ChildContainer`.
package final class DelegatingContainer: ChildContainer {
  /// Notified when a child was unlinked from outside.
  package final weak var delegate: (any DelegatingContainerDelegate)?

  override func didLose(_ child: RouterNode) { delegate?.didLose(child, at: child.placeInContainer) }
}

/// The owner of a `DelegatingContainer`.
package protocol DelegatingContainerDelegate: AnyObject {
  /// Called when a child was unlinked from outside, under the conditions of `ChildContainer`'s `didLose`.
  ///
  /// - Parameter place: the index that was passed when the child was attached.
  func didLose(_ child: RouterNode, at place: Int32)
}
