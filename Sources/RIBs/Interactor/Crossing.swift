/// Carries the record of a task, or of an errand, to the task itself, and the door of a tree to whoever looks at it: the
/// only thing of a tree that leaves it.
///
/// It is safe because nobody but the methods below looks inside, and all of them run isolated to the tree's actor. What
/// the record captured is released there too, so that what is left to the task to release holds nothing of the tree; a
/// door is closed when its tree ends.
///
/// This is the one `@unchecked Sendable` of the package, and not generic: a generic one loses `nonisolated(nonsending)`
/// on the operation (Swift 6.3).
struct Crossing: @unchecked Sendable {
  fileprivate let record: AnyObject

  init(_ task: BoundTask) { record = task }

  init(_ errand: Errand) { record = errand }

  init(_ door: TreeDoor) { record = door }
}

extension Actor {
  /// Runs a task of a tree whose home this actor is.
  ///
  /// The isolation is used before the operation is called: otherwise the hop to this actor is left out (Swift 6.3).
  func execute(_ crossing: Crossing) async {
    preconditionIsolated()
    await unsafeDowncast(crossing.record, to: BoundTask.self).execute()
  }

  /// Delivers the result of work that ran off the tree whose home this actor is.
  func deliver<Value: Sendable>(_ value: Value, to crossing: Crossing) {
    preconditionIsolated()
    withUnsafePointer(to: value) { unsafeDowncast(crossing.record, to: BoundTask.self).deliver($0) }
  }

  /// Takes over a child that was built off the tree whose home this actor is.
  func adopt<Child: Routing & SendableMetatype>(_ child: sending Child, through crossing: Crossing) {
    preconditionIsolated()
    unsafeDowncast(crossing.record, to: PreparingTask<Child>.self).adopt(child)
  }

  /// Ends a task of the tree whose home this actor is without a result.
  func end(_ crossing: Crossing, with error: any Error) {
    preconditionIsolated()
    unsafeDowncast(crossing.record, to: BoundTask.self).finish(error)
  }

  /// Brings an errand back to the tree whose home this actor is.
  func receive(_ crossing: Crossing) {
    preconditionIsolated()
    unsafeDowncast(crossing.record, to: Errand.self).returned()
  }

  /// Takes a snapshot of a tree whose home this actor is.
  func snapshot(through crossing: Crossing) -> TreeSnapshot? {
    preconditionIsolated()
    return unsafeDowncast(crossing.record, to: TreeDoor.self).tree?.snapshot()
  }

  /// Has an observer told of what happens in a tree whose home this actor is.
  func observe(through crossing: Crossing, _ observer: @escaping LiveTree.Observer) -> Bool {
    preconditionIsolated()
    guard let tree = unsafeDowncast(crossing.record, to: TreeDoor.self).tree else { return false }
    tree.observe(observer)
    return true
  }
}
