// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Observes trees from their launch to their end. Set it as `TreeConfiguration.inspector`. `Inspector` in
/// `RIBsInspector` conforms to it.
public protocol TreeObserver: Sendable {
  /// Called by the tree, on the tree's actor, just before its root becomes active. It should return quickly, and can't
  /// access the objects of the tree.
  ///
  /// - Parameter tree: the handle by which any thread can inspect the tree until it ends. It retains nothing.
  /// - Returns: the observer of the tree's events, from the first one on; nil for none. Without an observer, events are
  ///   not created.
  func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer?

  /// Called by the tree, on the tree's actor, when all its RIBs have resigned.
  ///
  /// - Parameter tree: the handle that was passed to `treeWillLaunch(_:)`.
  func treeDidEnd(_ tree: TreeHandle)
}

/// The handle by which an inspector reads a launched tree from any thread.
///
/// It retains neither the tree nor the tree's actor: a tree whose owner releases it ends as usual.
public final class TreeHandle: Sendable {
  /// Receives the events of a tree, on the tree's actor, as they happen. It must be quick. Returns whether it continues
  /// to observe.
  public typealias Observer = @Sendable (TreeEvent) -> Bool

  private struct Home: Sendable {
    weak var actor: (any Actor)?
  }

  private let home: Home
  private let tree: IsolationBox
  private let root: any AnyObject.Type
  private let identity: TreeIdentity?
  private let activity: TreeActivity
  private let watchdog: TurnWatchdog?
  private let notes = Locked<(@Sendable (TreeCore) -> any EventNotes)?>(nil)

  init(_ tree: TreeCore, root: any AnyObject.Type, on actor: any Actor, _ watchdog: TurnWatchdog?) {
    self.root = root
    identity = tree.identity
    activity = tree.activity
    self.watchdog = watchdog
    home = Home(actor: actor)
    self.tree = IsolationBox(WeakTreeBox(tree))
  }

  /// The name of the root RIB, after the name of the tree, if it has one: `order-17:Root`.
  public var name: String { (identity?.name.map { "\($0):" } ?? "") + nameOfRIB(root) }

  /// The name of the tree, from `TreeConfiguration.name`.
  package var treeName: String? { identity?.name }

  /// The labels of the tree, from `TreeConfiguration.labels`.
  public var labels: [String: String] { identity?.labels ?? [:] }

  /// What the tree runs now; nil if it runs nothing that it has recorded.
  ///
  /// Read without the tree's actor, so it answers also if that is busy for good. The time is zero unless the tree has a
  /// `TreeConfiguration.watchdog` or `TreeConfiguration.turnLimit`.
  public var busy: ShutdownReport.BusyTree? { activity.busy(for: watchdog?.age(of: activity) ?? .zero) }

  /// Takes a snapshot on the tree's actor.
  ///
  /// - Returns: the snapshot; nil if the tree has ended.
  public func snapshot() async -> TreeSnapshot? { await read { tree in tree.flatMap { $0.snapshot(at: $0.now()) } } }

  /// Reads the tree on its actor.
  ///
  /// - Parameter body: called on the tree's actor, with nil if that is gone. All events so far have been delivered.
  /// - Returns: what the closure returns.
  package func read<Value: Sendable>(_ body: @escaping @Sendable (TreeCore?) -> Value) async -> Value {
    guard let actor = home.actor else { return body(nil) }
    return await actor.with(tree) { (box: WeakTreeBox) in body(box.tree) }
  }

  /// Makes the events carry notes. Called in `treeWillLaunch(_:)`; the first call counts.
  ///
  /// - Parameter make: creates the notes whenever an observer is added and there was none.
  package func attachToEvents(_ make: @escaping @Sendable (TreeCore) -> any EventNotes) {
    notes.withLock { notes in notes = notes ?? make }
  }

  func makeNotes(for tree: TreeCore) -> (any EventNotes)? { notes.withLock { $0 }?(tree) }

  /// Adds an observer of all events from now on.
  ///
  /// - Parameter observer: called until it returns false.
  /// - Returns: whether it was added; false if the tree has ended.
  public func observe(_ observer: @escaping Observer) async -> Bool {
    await read { tree in
      guard let tree, tree.rootNode != nil else { return false }
      tree.events?.observe(observer, in: tree)
      return true
    }
  }
}
