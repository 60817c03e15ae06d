// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The part of a tree that runs its bound work, and what is postponed to the end of a turn.
final class TreeTasks: TreeWork {
  /// Starts the work that runs on the tree.
  let starter: TaskStarter
  /// Tasks outside any scope: their scope has ended, or they wait for a RIB to become active.
  var detached = DetachedTasks()
  /// What runs after the current turn, in order.
  fileprivate var afterTurn: [() -> Void] = []
  /// Records the code that the tree runs, for `ShutdownReport.busy`.
  let activity: TreeActivity

  init(_ starter: TaskStarter, _ activity: TreeActivity) {
    self.starter = starter
    self.activity = activity
    super.init([])
  }

  override func runEnd(of tree: TreeCore, _ body: () -> Void) { tree.measure(.end, body) }

  override func discardPostponed() {
    let discarded = afterTurn
    afterTurn = []
    withExtendedLifetime(discarded) {}
  }

  /// RIBs that some of the detached tasks wait for can no longer become active.
  override func treeDidEnd(_ tree: TreeCore) {
    for task in detached.tasks.elements { task.cancel(.scopeEnded) }
  }
}

/// The inner actor of a host. A timer may retain it, because its host ends its tree.
protocol HostedActor: Actor {}

extension TreeCore {
  /// The part that runs the bound work of this tree.
  @inline(__always)
  var tasks: TreeTasks {
    guard let tasks = work as? TreeTasks else { preconditionFailure("Trees are created with TreeTasks.") }
    return tasks
  }

  /// Starts the work that runs on the tree.
  @inline(__always)
  var starter: TaskStarter { tasks.starter }

  /// Records the code that the tree runs.
  @inline(__always)
  var activity: TreeActivity { tasks.activity }

  /// Whether the starts or the ends of bound work are observed.
  var observesWork: Bool { follows(.work) || settings.aroundWork != nil }

  /// Counts the end of work, after everyone else was notified of it.
  ///
  /// - Parameter isCounted: whether `workDidStart()` has counted the work.
  func workDidEnd(isCounted: Bool) {
    tasks.detached.notifyWaiters()
    if isCounted { releaseEvents() }
  }

  /// Runs a closure in a turn of its own, after the code that runs now. It is not run after the end of the tree.
  func runAfterTurn(_ action: @escaping () -> Void) {
    guard canStartWork, let actor else { return }
    let tasks = tasks
    tasks.afterTurn.append(action)
    guard tasks.afterTurn.count == 1 else { return }
    let box = IsolationBox(WeakTreeBox(self))
    let executor = tasks.starter.executor
    executor.gate.open {
      _ = Task(executorPreference: executor) {
        await actor.with(box) { (home: WeakTreeBox) in home.tree?.finishTurn() }
      }
    }
  }

  fileprivate func finishTurn() {
    let tasks = tasks
    let actions = tasks.afterTurn
    tasks.afterTurn = []
    for action in actions where !hasEnded { action() }
  }
}
