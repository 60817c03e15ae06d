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
  /// Whether the work is done, though it may not have been told yet.
  final private(set) var hasEnded = false
  /// Whether later work of the same name has taken its place: its result is of no use any more.
  final private(set) var isSuperseded = false
  /// Where the RIB stood when it resigned before this task had ended.
  final private(set) var pathWhenOutlived: TreePath?
  private final var startedAt: Duration?
  private final var handle: Task<Void, Never>?

  init(scope: ScopedWork, origin: TaskOrigin) {
    self.scope = scope
    self.origin = origin
  }

  /// Starts the work.
  final func start(in tree: TreeCore) {
    self.tree = tree
    scope?.add(self)
    if tree.isObserved {
      startedAt = tree.now()
      tree.emit(.taskStarted, of: self, since: nil)
    }
    handle = begin(in: tree)
    // An observer of the start may have ended the scope already, or replaced this.
    if scope == nil || isSuperseded { cancel() }
  }

  /// Makes the Swift task that does the work.
  func begin(in tree: TreeCore) -> Task<Void, Never> { fatalError("A bound task is one of its subclasses.") }

  /// The RIB, while its scope lasts.
  final var node: RouterNode? { scope?.node }

  /// Where the RIB stands, or stood when its scope ended.
  final var path: TreePath { pathWhenOutlived ?? node?.path ?? TreePath() }

  final func cancel() { handle?.cancel() }

  /// Later work of the same name takes the place of this.
  final func supersede() {
    isSuperseded = true
    cancel()
  }

  /// The interactor resigns and this still runs: from now on the tree keeps it.
  final func outlive(at path: TreePath) {
    scope = nil
    pathWhenOutlived = path
    tree?.keep(self)
  }

  /// The work has ended. Whoever held the task lets go of it, and what came of it is told to those who wait for it, before
  /// the next work of its name has its turn.
  ///
  /// - Parameters:
  ///   - error: what the work threw, to be told to the interactor.
  ///   - deliver: hands over the result, if there is one.
  final func finish(_ error: (any Error)?, _ deliver: () -> Void = {}) {
    guard let tree else { return }
    hasEnded = true
    handle = nil
    let failure = error is CancellationError ? nil : error
    let scope = scope
    scope?.remove(self)
    if tree.isObserved {
      tree.emit(failure == nil ? .taskEnded : .taskFailed, of: self, since: startedAt, failure: failure)
    }
    if isAwaited(by: scope) {
      if let failure { scope?.fail(failure) } else { deliver() }
    }
    if let key = origin.key { scope?.didEnd(self, named: key, in: tree) }
    // The tree is told last: with its last task, its events end too.
    if scope == nil { tree.letGo(of: self) }
    self.scope = nil
    self.tree = nil
  }

  /// Whether the scope still wants to know what came of this. A callback may just have ended it.
  private final func isAwaited(by scope: ScopedWork?) -> Bool { scope.map { !$0.hasEnded } ?? false && !isSuperseded }
}
