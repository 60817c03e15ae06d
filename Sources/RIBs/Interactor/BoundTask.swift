/// Work that belongs to one activation of an interactor.
///
/// While the interactor is active, its scope holds the task. A task that still runs when the interactor has resigned is
/// held by the tree, which waits for it when it is shut down. The task lives on the tree; only its Swift task, and the
/// one reference that crosses to it, are known elsewhere.
class BoundTask {
  /// The tree, until the work has ended: whoever releases this afterwards, on any thread, releases nothing of the tree.
  final private(set) var tree: TreeCore?
  final let origin: TaskOrigin
  /// The scope while it lasts; nil once the interactor has resigned.
  final private(set) var scope: ScopedWork?
  /// The place in the list of the scope, later in that of the tree.
  final var index = 0
  /// Where the RIB stood when it resigned before this task had ended.
  final private(set) var pathWhenOutlived: TreePath?
  private final let startedAt: Duration?
  private final var handle: Task<Void, Never>?

  init(tree: TreeCore, scope: ScopedWork, origin: TaskOrigin) {
    self.tree = tree
    self.scope = scope
    self.origin = origin
    startedAt = tree.isObserved ? tree.now() : nil
    scope.add(self)
    if tree.isObserved { tree.emit(.taskStarted, of: self, since: nil) }
  }

  /// The RIB, while its scope lasts.
  final var node: RouterNode? { scope?.node }

  /// Where the RIB stands, or stood when its scope ended.
  final var path: TreePath { pathWhenOutlived ?? node?.path ?? TreePath() }

  /// Takes the Swift task that does the work. An observer of the start may have ended the scope already.
  final func isRun(by handle: Task<Void, Never>) {
    self.handle = handle
    if scope == nil { handle.cancel() }
  }

  final func cancel() { handle?.cancel() }

  /// The interactor resigns and this still runs: from now on the tree keeps it.
  final func outlive(at path: TreePath) {
    scope = nil
    pathWhenOutlived = path
    tree?.keep(self)
  }

  /// The work has ended. Whoever held the task lets go of it, and an error is told to those who can act on it.
  final func finish(_ error: (any Error)?) {
    guard let tree else { return }
    let failure = error is CancellationError ? nil : error
    let scope = scope
    scope?.remove(self)
    if tree.isObserved {
      tree.emit(failure == nil ? .taskEnded : .taskFailed, of: self, since: startedAt, failure: failure)
    }
    // Ended by a callback above, the scope has no use for the error any more.
    if let failure, let scope, !scope.hasEnded { scope.fail(failure) }
    // The tree is told last: with its last task, its events end too.
    if scope == nil { tree.letGo(of: self) }
    self.scope = nil
    handle = nil
    self.tree = nil
  }
}

/// Where in the source a task was started.
struct TaskOrigin {
  let fileID: StaticString
  let line: UInt

  /// The file, without its module, and the line.
  var name: String {
    let file = String(describing: fileID).split(separator: "/").last ?? ""
    return "\(file):\(line)"
  }
}
