// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The actor of a host's tree. Running tasks retain it rather than the host, so the host can be released before they
/// end.
///
/// It is not generic in the root's type: a generic actor is not specialized by its callers (Swift 6.3), which would
/// make a call three times as expensive.
@usableFromInline
package actor TreeActor: HostedActor {
  /// A `RootBox` of the host's root type, until the tree has been shut down. A call need not retain it: no shutdown
  /// runs during a closure on this actor.
  @exclusivity(unchecked) @usableFromInline final var rootBox: Unmanaged<AnyObject>?
  private var stage: Stage
  private nonisolated let activity: TreeActivity
  /// `activity`, unmanaged to save a retain and a release in each call.
  @usableFromInline nonisolated let activityLink: Unmanaged<TreeActivity>

  private enum Stage {
    case new(ConfigurationBox)
    /// The launch was refused.
    case refused(any Error)
    case launched(rootBox: AnyObject, Tree, TreeCore)
    /// The tree was released. Its unfinished work may be awaited again.
    case released(TreeCore)
  }

  init(_ configuration: ConfigurationBox, _ activity: TreeActivity) {
    stage = .new(configuration)
    self.activity = activity
    activityLink = .passUnretained(activity)
  }

  /// The core of the launched tree, which may have ended.
  var core: TreeCore? {
    switch stage {
    case .launched(_, _, let core), .released(let core): core
    case .new, .refused: nil
    }
  }

  /// Builds the root, and launches its tree.
  ///
  /// - Parameter saved: the tree that it is restored from; nil for a new one.
  /// - Returns: why it was not launched or not restored; nil if it was.
  @discardableResult
  func launch<Root, Failure: Error>(
    restoring saved: SavedTree? = nil, _ build: @Sendable () throws(Failure) -> Root
  ) throws(Failure) -> (any Error)? {
    launch(try activity.inside(.launch, build), saved)
  }

  /// Launches a tree whose root was built outside this actor; see the other form.
  @discardableResult
  func launch<Root>(_ root: sending Prepared<Root>, restoring saved: SavedTree? = nil) -> (any Error)? {
    root.take().flatMap { launch($0, saved) }
  }

  private func launch<Root>(_ root: Root, _ saved: SavedTree?) -> (any Error)? {
    // The initializers of hosts accept no other type.
    guard case .new(let configuration) = stage, let router = (root as? RouterNode) ?? (root as? any Routing) else {
      return nil
    }
    let tree = Tree(root: router, configuration)
    do { if let saved { try tree.restore(saved) } } catch { return error }
    let refusal = tree.launchOrRefuse(on: self, activity)
    guard let core = tree.core else {
      if let refusal {
        stage = .refused(refusal)
        configuration.settings.onEnd(.refused(refusal), self)
      }
      return refusal
    }
    let rootBox = RootBox(root: root, core: core)
    stage = .launched(rootBox: rootBox, tree, core)
    self.rootBox = Unmanaged.passUnretained(rootBox)
    return core.restoreFailure
  }

  func save() throws -> SavedTree {
    guard let core, let saved = core.hasEnded ? nil : core.save() else { throw absence }
    return saved
  }

  /// The root and the tree, while the tree is active.
  func tree<Root>(withRoot: Root.Type) throws -> (root: Root, core: TreeCore) {
    guard let rootBox = rootBox?.takeUnretainedValue() else { throw absence }
    let home = RootBox<Root>.opened(rootBox)
    guard !home.core.hasEnded else { throw home.core.absence }
    return (home.root, home.core)
  }

  /// Ends the tree.
  func end(_ reason: TreeEnded.Reason) { core?.end(reason) }

  /// Releases a tree that has ended by itself, on this actor.
  func releaseEndedTree() {
    if core?.hasEnded == true { releaseTree() }
  }

  private func releaseTree() {
    guard case .launched(_, let tree, let core) = stage else { return }
    rootBox = nil
    stage = .released(core)
    // Released last, because it releases the RIBs in a loop.
    withExtendedLifetime(tree) {}
  }

  /// The error that explains why there is no tree.
  @usableFromInline var absence: any Error {
    switch stage {
    case .refused(let refusal): refusal
    case .launched(_, _, let core), .released(let core): core.absence
    case .new: TreeEnded()
    }
  }

  func snapshot() -> TreeSnapshot {
    guard case .launched(_, let tree, let core) = stage, !core.hasEnded else {
      return TreeSnapshot(nodes: [], name: core?.identity?.name, labels: core?.identity?.labels ?? [:])
    }
    return core.measure(.snapshot) { tree.snapshot() }
  }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameters:
  ///   - timeout: the maximum wait; if nil, until the calling task is cancelled.
  ///   - caller: the Swift task that requested the shutdown, which may be part of the tree's work.
  ///   - isLimited: whether another task reports what the tree runs when a time limit is over.
  func shutdown(timeout: Duration?, caller: Int?, isLimited: Bool = false) async -> ShutdownReport {
    if isLimited { core?.noteResignationsInTime() }
    end(.shutDown)
    let report = await core?.waitForTasks(timeout: timeout, caller: caller)
    // Released while this actor runs, because deinitializers of user code may check its isolation.
    releaseTree()
    return report ?? ShutdownReport(unfinishedTasks: [])
  }

  /// Ends the tree, and reports the work that has not ended.
  func unfinishedWork() -> ShutdownReport {
    end(.shutDown)
    return core?.unfinishedWork ?? ShutdownReport(unfinishedTasks: [])
  }
}

/// Holds the root of a host's tree, with its type.
@usableFromInline
final class RootBox<Root> {
  /// The box of an actor, whose host knows the type.
  @inlinable
  @inline(__always)
  static func opened(_ box: AnyObject) -> RootBox { unsafeDowncast(box, to: RootBox.self) }

  @usableFromInline let root: Root
  @usableFromInline let core: TreeCore

  init(root: Root, core: TreeCore) {
    self.root = root
    self.core = core
  }
}
