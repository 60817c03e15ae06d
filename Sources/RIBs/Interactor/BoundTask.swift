/// Work that belongs to one activation of an interactor.
///
/// While the interactor is active, its scope holds the task. A task that still runs when the interactor has resigned is
/// held by the tree, which waits for it when it is shut down. The task lives on the tree; only its Swift task, and the
/// one reference that crosses to it, are known elsewhere.
@usableFromInline
class BoundTask {
  /// The tree, until the work has ended: whoever releases this afterwards, on any thread, releases nothing of the tree.
  @exclusivity(unchecked) final private(set) var tree: TreeCore?
  final let origin: TaskOrigin
  /// The scope while it lasts; nil once the interactor has resigned. Its owner holds it until then.
  @exclusivity(unchecked) private final var scopeLink: Unmanaged<ScopedWork>?
  /// The neighbours in the list of the scope, later in that of the tree.
  @exclusivity(unchecked) final var next: TaskList.Link?
  @exclusivity(unchecked) final var previous: TaskList.Link?
  /// Whether the work is done, though it may not have been told yet.
  @exclusivity(unchecked) final private(set) var hasEnded = false
  /// Whether later work of the same name has taken its place: its result is of no use any more.
  @exclusivity(unchecked) final private(set) var isSuperseded = false
  /// Where the RIB stood when it resigned before this task had ended, or where the RIB stands that this waits for.
  @exclusivity(unchecked) final private(set) var keptPath: KeptPath?
  @exclusivity(unchecked) private final var startedAt: Duration?
  @exclusivity(unchecked) private final var handle: Handle?
  @exclusivity(unchecked) private final var isCancelled = false

  /// A path that few tasks need, kept apart from them.
  final class KeptPath {
    let path: TreePath

    init(_ path: TreePath) { self.path = path }
  }

  /// The Swift task of bound work. It throws nothing; one of a type that can't throw takes an allocation more (Swift 6.3).
  typealias Handle = Task<Void, any Error>

  /// - Parameter path: where a RIB stands that this begins with waiting for.
  init(waitingAt path: TreePath? = nil, origin: TaskOrigin) {
    self.origin = origin
    keptPath = path.map(KeptPath.init)
  }

  /// Starts the work.
  ///
  /// - Parameter scope: nil for work that begins with waiting for a RIB to become active.
  final func start(in tree: TreeCore, boundTo scope: ScopedWork?) {
    self.tree = tree
    if let scope { bind(to: scope) } else { tree.keep(self) }
    if tree.isObserved {
      let time = tree.now()
      startedAt = time
      tree.emit(.taskStarted, of: self, path: path, at: time, since: nil)
    }
    handle = begin(on: tree.actor, tree.executor)
    // An observer of the start may have ended the scope already, or replaced this.
    if isCancelled { cancel() }
  }

  /// Starts the work outside any tree.
  final func start(on actor: any Actor, _ executor: any TaskExecutor, boundTo scope: ScopedWork?) {
    if let scope { bind(to: scope) }
    handle = begin(on: actor, executor)
  }

  private final func bind(to scope: ScopedWork) {
    scopeLink = .passUnretained(scope)
    scope.add(self)
  }

  /// Makes the Swift task that does the work.
  func begin(on actor: __owned any Actor, _ executor: any TaskExecutor) -> Handle {
    fatalError("A bound task is one of its subclasses.")
  }

  /// Releases what the work was given for use on the tree. Called there when the work has ended, whatever came of it.
  func letGoOfCaptures() {}

  /// Does the work, of a task that runs on the tree.
  nonisolated(nonsending) func execute() async { fatalError("A task on the tree is one of its subclasses.") }

  /// Takes over what came of work off the tree: called on the tree, with the address of a value of the type that the work
  /// has, so that nobody has to look that type up.
  func deliver(_ result: UnsafeRawPointer) { fatalError("A task off the tree is one of its subclasses.") }

  /// The scope while it lasts.
  final var scope: ScopedWork? { scopeLink?.takeUnretainedValue() }

  /// The RIB, while its scope lasts.
  final var node: Unmanaged<RouterNode>? { scopeLink?._withUnsafeGuaranteedRef { $0.node } }

  /// Where the RIB stands, or stood when its scope ended.
  final var path: TreePath {
    if let keptPath { return keptPath.path }
    if let node { return node._withUnsafeGuaranteedRef { $0.path } }
    return TreePath()
  }

  final func cancel() {
    isCancelled = true
    handle?.cancel()
  }

  /// Later work of the same name takes the place of this.
  final func supersede() {
    isSuperseded = true
    cancel()
  }

  /// The interactor resigns and this still runs: from now on the tree keeps it.
  final func outlive(at path: TreePath) {
    scopeLink = nil
    keptPath = KeptPath(path)
    tree?.keep(self)
  }

  /// The work goes on in another scope.
  final func move(to new: ScopedWork) {
    guard new !== scope else { return }
    leave()
    keptPath = nil
    tree = new.node?._withUnsafeGuaranteedRef { $0.tree }?.takeUnretainedValue() ?? tree
    bind(to: new)
  }

  /// The work waits for a RIB to become active: until then it belongs to no scope, and the tree keeps it.
  final func leaveScope(waitingAt path: TreePath) {
    leave()
    scopeLink = nil
    keptPath = KeptPath(path)
    tree?.keep(self)
  }

  /// Whoever holds this task lets go of it.
  private final func leave() { if let scope { scope.remove(self) } else { tree?.letGo(of: self) } }

  /// The work has ended. Whoever held the task lets go of it, and what came of it is told to those who wait for it, before
  /// the next work of its name has its turn.
  ///
  /// - Parameters:
  ///   - error: what the work threw, to be told to the interactor.
  ///   - deliver: hands over the result, if there is one. That is a part of the work, as it is when all of it runs on the
  ///     tree, so its end is told afterwards.
  final func finish(_ error: (any Error)?, _ deliver: () -> Void = {}) {
    guard !hasEnded else { return }
    hasEnded = true
    handle = nil
    let failure: (any Error)? = if let error, !(error is CancellationError) { error } else { nil }
    if let scope { end(in: scope, failure, deliver) } else { endWithoutScope(failure) }
    scopeLink = nil
    tree = nil
    letGoOfCaptures()
  }

  private final func end(in scope: ScopedWork, _ failure: (any Error)?, _ deliver: () -> Void) {
    let tree = tree
    scope.remove(self)
    if let failure {
      if let tree, tree.isObserved { tree.emit(.taskFailed, of: self, path: path, since: startedAt, failure: failure) }
      // An observer may have ended the scope, or replaced this.
      if !isSuperseded { scope.fail(failure) }
    } else if let tree, tree.isObserved(.taskEnded) {
      // What is handed over may end the scope, and the tree, whose events go on as long as it keeps this.
      let path = path
      tree.keep(self)
      if !isSuperseded { deliver() }
      tree.emit(.taskEnded, of: self, path: path, since: startedAt)
      tree.letGo(of: self)
    } else if !isSuperseded {
      deliver()
    }
    if let tree, let key = origin.key { scope.didEnd(self, named: key, in: tree) }
  }

  private final func endWithoutScope(_ failure: (any Error)?) {
    guard let tree else { return }
    if tree.isObserved {
      tree.emit(failure == nil ? .taskEnded : .taskFailed, of: self, path: path, since: startedAt, failure: failure)
    }
    // The tree is told last: with its last task, its events end too.
    tree.letGo(of: self)
  }
}
