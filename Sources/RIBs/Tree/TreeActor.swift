/// The actor of a host's tree. Running tasks retain it rather than the host, so the host can be released before they
/// end.
///
/// It is not generic in the root's type: a generic actor is not specialized by its callers (Swift 6.3), which would
/// make a call three times as expensive.
@usableFromInline
actor TreeActor {
  /// A `RootBox` of the host's root type, until the tree has been shut down. A call need not retain it: no shutdown
  /// runs during a closure on this actor.
  @exclusivity(unchecked) @usableFromInline final var rootBox: Unmanaged<AnyObject>?
  private var ownedRootBox: AnyObject?
  private var tree: Tree?
  /// The core of the tree, kept after the shutdown because unfinished work may be awaited again.
  private(set) var core: TreeCore?
  /// Why there is no tree, if its launch was refused.
  private var refusal: (any Error)?
  private nonisolated let activity: TreeActivity
  /// `activity`, unmanaged to save a retain and a release in each call.
  @usableFromInline nonisolated let activityLink: Unmanaged<TreeActivity>

  init(_ activity: TreeActivity) {
    self.activity = activity
    activityLink = .passUnretained(activity)
  }

  func build<Root, Failure: Error>(
    _ configuration: ConfigurationBox, _ build: @Sendable () throws(Failure) -> Root
  ) throws(Failure) {
    launchTree(try built(build), configuration)
  }

  /// Launches a tree whose root was built outside this actor.
  func launch<Root>(_ root: sending Prepared<Root>, _ configuration: ConfigurationBox) {
    if let root = root.take() { launchTree(root, configuration) }
  }

  func restore<Root>(
    _ saved: SavedTree?, _ coder: some SavedTree.Coder, _ configuration: ConfigurationBox, _ build: @Sendable () -> Root
  ) throws(RestoreError) {
    let root = built(build)
    guard let saved else { return launchTree(root, configuration) }
    try launch(root, restoring: saved, coder, configuration)
  }

  /// Builds a tree, restores a saved one into it, and launches it.
  func launch<Root>(
    _ saved: SavedTree?, _ coder: any SavedTree.Coder, _ configuration: ConfigurationBox,
    _ build: @Sendable () throws -> Root
  ) throws {
    try launchOrThrow(try built(build), saved, coder, configuration)
  }

  /// Launches a tree whose root was built outside this actor, and restores a saved one into it.
  func launch<Root>(
    _ root: sending Prepared<Root>, _ saved: SavedTree?, _ coder: any SavedTree.Coder, _ configuration: ConfigurationBox
  ) throws {
    if let root = root.take() { try launchOrThrow(root, saved, coder, configuration) }
  }

  /// Builds the root, as part of the launch.
  private func built<Root, Failure: Error>(_ build: () throws(Failure) -> Root) throws(Failure) -> Root {
    activity.enter(.launch)
    defer { activity.leave() }
    return try build()
  }

  private func launchOrThrow<Root>(
    _ root: Root, _ saved: SavedTree?, _ coder: any SavedTree.Coder, _ configuration: ConfigurationBox
  ) throws {
    if let saved { try launch(root, restoring: saved, coder, configuration) } else { launchTree(root, configuration) }
    if let refusal { throw refusal }
  }

  private func launch<Root>(
    _ root: Root, restoring saved: SavedTree, _ coder: any SavedTree.Coder, _ configuration: ConfigurationBox
  ) throws(RestoreError) {
    // The initializers of hosts accept no other type.
    guard let router = (root as? RouterNode) ?? (root as? any Routing) else { return }
    let tree = Tree(root: router, configuration)
    try tree.restore(saved, by: coder)
    launchTree(root, tree, nameOfRIB(type(of: router)))
    if let failure = core?.restoreFailure { throw failure }
  }

  func save() throws -> SavedTree {
    guard let core, let saved = core.hasEnded ? nil : core.save() else { throw absence }
    return saved
  }

  private func launchTree<Root>(_ root: Root, _ configuration: ConfigurationBox) {
    // The initializers of hosts accept no other type.
    guard let router = (root as? RouterNode) ?? (root as? any Routing) else { return }
    launchTree(root, Tree(root: router, configuration), nameOfRIB(type(of: router)))
  }

  private func launchTree<Root>(_ root: Root, _ tree: Tree, _ name: String) {
    activity.setRoot(name, in: tree.configuration)
    if let refusal = tree.launchOrRefuse(on: self, activity) {
      self.refusal = refusal
      tree.configuration.onEnd?(.refused(refusal))
      return
    }
    self.tree = tree
    guard let core = tree.core else { return }
    self.core = core
    let rootBox = RootBox(root: root, core: core)
    ownedRootBox = rootBox
    self.rootBox = Unmanaged.passUnretained(rootBox)
  }

  /// The root and the tree, while the tree is active.
  func tree<Root>(withRoot: Root.Type) throws -> (root: Root, core: TreeCore) {
    guard let rootBox = rootBox?.takeUnretainedValue() else { throw absence }
    let home = unsafeDowncast(rootBox, to: RootBox<Root>.self)
    guard !home.core.hasEnded else { throw home.core.absence }
    return (home.root, home.core)
  }

  /// Ends the tree for a reason other than a shutdown.
  func end(_ reason: TreeEnded.Reason) { core?.end(reason) }

  /// Releases a tree that has ended by itself, on this actor.
  func releaseEndedTree() {
    guard core?.hasEnded == true else { return }
    rootBox = nil
    ownedRootBox = nil
    tree = nil
  }

  /// The error that explains why there is no tree.
  @usableFromInline var absence: any Error { refusal ?? core?.absence ?? TreeEnded() }

  func snapshot() -> TreeSnapshot {
    guard let core else { return TreeSnapshot(nodes: []) }
    guard let tree, !core.hasEnded else {
      return TreeSnapshot(nodes: [], name: core.identity?.name, labels: core.identity?.labels ?? [:])
    }
    return core.measure(.snapshot, "a snapshot") { tree.snapshot() }
  }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameters:
  ///   - timeout: the maximum wait; if nil, until the calling task is cancelled.
  ///   - caller: the Swift task that requested the shutdown, which may be part of the tree's work.
  ///   - isLimited: whether another task reports what the tree runs when a time limit is over.
  func shutdown(timeout: Duration?, caller: Int?, isLimited: Bool = false) async -> ShutdownReport {
    if isLimited { core?.noteResignationsInTime() }
    endTree()
    let report = await core?.waitForTasks(timeout: timeout, caller: caller)
    // Released while this actor runs, because deinitializers of user code may check its isolation.
    rootBox = nil
    ownedRootBox = nil
    tree = nil
    return report ?? ShutdownReport(unfinishedTasks: [])
  }

  /// Ends the tree, and reports the work that has not ended.
  func unfinishedWork() -> ShutdownReport {
    endTree()
    return core?.unfinishedWork ?? ShutdownReport(unfinishedTasks: [])
  }

  private func endTree() {
    core?.end(.shutDown)
  }
}

/// Holds the root of a host's tree, with its type.
@usableFromInline
final class RootBox<Root> {
  @usableFromInline let root: Root
  @usableFromInline let core: TreeCore

  init(root: Root, core: TreeCore) {
    self.root = root
    self.core = core
  }
}
