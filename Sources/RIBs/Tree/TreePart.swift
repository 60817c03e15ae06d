// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A capability that hangs on the lifecycle of a launched tree, such as events, saving, restoring or leak detection.
///
/// The kernel calls parts and knows no feature: a new capability is a subclass in a file of its own, added with
/// `TreeCore.add(_:before:)`. All methods are called on the tree's actor, in the order of the parts. A part may change the
/// tree, so after each call the runtime continues with a RIB only if its state has not changed.
///
/// A moment in which no part takes part costs a load and a branch. A `TaskPart` also takes part in bound work and workers.
@usableFromInline
package class TreePart {
  /// The parts after the one that throws this are not called.
  package struct Stop: Error {}

  /// The moments at which this part is called.
  @exclusivity(unchecked) package final fileprivate(set) var moments: TreeMoments

  @usableFromInline
  init(_ moments: TreeMoments) { self.moments = moments }

  /// Changes the moments at which this part is called.
  package final func setMoments(_ moments: TreeMoments, in tree: TreeCore?) {
    guard moments != self.moments else { return }
    self.moments = moments
    tree?.updateMoments()
  }

  /// Called at a moment of a RIB.
  package func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) throws(Stop) {}

  /// Called with an event of a kind that this part follows, unless the kind is a moment of a RIB.
  package func receive(_ event: TreeEvent, in tree: TreeCore) {}

  /// Called just before the RIBs of the tree resign.
  package func treeWillEnd(_ reason: TreeEnded.Reason, _ tree: TreeCore) {}

  /// Called when all RIBs of the tree have resigned. Work that has been cancelled may still run.
  package func treeDidEnd(_ tree: TreeCore) {}

  /// Called when the tree and all its work have ended.
  package func treeDidComplete() {}

  /// Called when bound work begins to sleep until a wall time.
  package func workSleeps() {}

  /// The number of pieces of running work that only wait for a wall time, and so don't keep the tree awake.
  package func sleepingWork(in tree: TreeCore) -> Int { 0 }

  /// Whether this part allows a tree without running work to be ended as idle.
  package var isIdle: Bool { true }
}

/// Moments of a tree in which parts may take part, as a bit set.
///
/// Each kind of event has the bit of its number. The others, from bit 32 on, have no event.
@usableFromInline
package struct TreeMoments: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt64

  @usableFromInline
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The moment of an event.
  @inline(__always)
  package init(_ kind: TreeEvent.Kind) { rawValue = 1 << UInt64(kind.name.rawValue) }

  /// All kinds of events.
  package static var events: TreeMoments { TreeMoments(rawValue: 0xffff_ffff) }

  /// Work of the tree sleeps until a wall time, or has slept.
  package static var sleeping: TreeMoments { TreeMoments(rawValue: 1 << 61) }

  // MARK: A RIB, in the order of its life

  /// It was attached to an active parent, or launched as a root, and has an ID. It is inactive.
  package static var attached: TreeMoments { TreeMoments(.attached) }
  /// What was attached to an active parent is about to become active, with everything below it.
  package static var activationBegins: TreeMoments { TreeMoments(rawValue: 1 << 32) }
  /// It is active; `didBecomeActive()` follows.
  package static var activated: TreeMoments { TreeMoments(.activated) }
  /// `didLoad()` follows.
  package static var loaded: TreeMoments { TreeMoments(.loaded) }
  /// What was attached or launched has become active, with everything below it, unless a callback has detached it.
  package static var activationEnded: TreeMoments { TreeMoments(rawValue: 1 << 33) }
  /// It was moved among its siblings.
  package static var moved: TreeMoments { TreeMoments(rawValue: 1 << 34) }
  /// Children of a list were attached, detached or moved.
  package static var childrenChanged: TreeMoments { TreeMoments(rawValue: 1 << 35) }
  /// It begins to resign; its children follow.
  package static var resigning: TreeMoments { TreeMoments(rawValue: 1 << 36) }
  /// Its children have resigned; `willResignActive()` follows.
  package static var deactivating: TreeMoments { TreeMoments(rawValue: 1 << 37) }
  /// It is inactive, and its work was cancelled.
  package static var resigned: TreeMoments { TreeMoments(.resigned) }
  /// It has resigned, and all parts were notified of it.
  package static var left: TreeMoments { TreeMoments(rawValue: 1 << 38) }
  /// It is about to be unlinked from its parent.
  package static var detached: TreeMoments { TreeMoments(.detached) }
  /// It is inactive, as its parent is, and about to be unlinked. No event reports it.
  package static var removed: TreeMoments { TreeMoments(rawValue: 1 << 39) }
  /// It was unlinked.
  package static var unlinked: TreeMoments { TreeMoments(rawValue: 1 << 40) }

  /// The moments of an attachment.
  package static var attachment: TreeMoments { [attached, activationBegins] }

  // MARK: Bound work and workers

  /// Its Swift task was created.
  static var workCreated: TreeMoments { TreeMoments(rawValue: 1 << 41) }
  /// It belongs to a RIB.
  package static var workEntered: TreeMoments { TreeMoments(rawValue: 1 << 42) }
  /// It no longer belongs to a RIB.
  package static var workLeft: TreeMoments { TreeMoments(rawValue: 1 << 43) }
  /// It has ended for its tree.
  static var workFinished: TreeMoments { TreeMoments(rawValue: 1 << 44) }
  /// A worker was appended to the running workers of its RIB.
  package static var workerEntered: TreeMoments { TreeMoments(rawValue: 1 << 45) }
  /// A worker leaves the running workers of its RIB.
  package static var workerLeft: TreeMoments { TreeMoments(rawValue: 1 << 46) }
  /// It begins to sleep until a wall time, or has woken.
  package static var workSlept: TreeMoments { TreeMoments(rawValue: 1 << 47) }
  /// It was cancelled while it runs.
  package static var workCancelled: TreeMoments { TreeMoments(rawValue: 1 << 48) }

  // MARK: States

  /// A part needs the exact times at which RIBs become active.
  static var exactTimes: TreeMoments { TreeMoments(rawValue: 1 << 56) }
  /// A part measures or records turns.
  static var turns: TreeMoments { TreeMoments(rawValue: 1 << 57) }
  /// A part saves the tree.
  static var saving: TreeMoments { TreeMoments(rawValue: 1 << 58) }
  /// The tree has changes that are not saved.
  @usableFromInline static var unsavedChanges: TreeMoments { TreeMoments(rawValue: 1 << 59) }
  /// A restart has discarded changes, and the tree was not copied since.
  @usableFromInline static var discardedChanges: TreeMoments { TreeMoments(rawValue: 1 << 62) }
  /// A part restores RIBs.
  static var restoring: TreeMoments { TreeMoments(rawValue: 1 << 60) }
}

extension TreeCore {
  /// Adds a part.
  ///
  /// - Parameter next: the part that is called after it; nil to call it after all others.
  package func add(_ part: TreePart, before next: TreePart? = nil) {
    parts.insert(part, at: next.flatMap { next in parts.firstIndex { $0 === next } } ?? parts.endIndex)
    updateMoments()
  }

  package func remove(_ part: TreePart) {
    parts.removeAll { $0 === part }
    updateMoments()
  }

  /// The part of a type; nil if there is none.
  ///
  /// - Complexity: linear in the number of parts, of which there are few.
  package func part<Part: TreePart>(_ type: Part.Type = Part.self) -> Part? {
    for part in parts { if let found = part as? Part { return found } }
    return nil
  }

  /// The part of a type, added if there is none.
  func part<Part: TreePart>(orAdd make: () -> Part) -> Part {
    if let known: Part = part() { return known }
    let new = make()
    add(new)
    return new
  }

  fileprivate func updateMoments() { moments = parts.reduce([]) { $0.union($1.moments) } }

  /// Whether a part takes part in one of some moments.
  @inline(__always)
  func follows(_ moments: TreeMoments) -> Bool { !self.moments.isDisjoint(with: moments) }

  /// Calls the parts at a moment of a RIB. They may release the tree, so the caller holds a reference to this.
  @inline(never)
  func notify(_ moment: TreeMoments, _ node: RouterNode) {
    do throws(TreePart.Stop) {
      for part in parts where part.moments.contains(moment) { try part.node(moment, node, in: self) }
    } catch {}
  }

  /// Passes an event to the parts. They may release the tree, so the caller holds a reference to this.
  func emit(_ event: consuming TreeEvent) {
    let moment = TreeMoments(event.kind)
    for part in parts where part.moments.contains(moment) { part.receive(event, in: self) }
  }
}

extension RouterNode {
  /// Calls the parts of the tree at a moment of this, if one takes part in it.
  ///
  /// - Returns: whether one does. It may have changed the state of this, or released the tree.
  @inline(__always)
  final func notify(_ moment: TreeMoments) -> Bool {
    guard let tree = membership.tree, tree._withUnsafeGuaranteedRef({ $0.follows(moment) }) else { return false }
    tree.takeUnretainedValue().notify(moment, self)
    return true
  }
}
