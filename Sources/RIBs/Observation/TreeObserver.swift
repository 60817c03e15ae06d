/// Is told of trees as they are launched and as they end, and may look at them while they live. `Inspector` in
/// `RIBsInspector` is one; a tree knows it by `TreeConfiguration.inspector`.
public protocol TreeObserver: Sendable {
  /// Called by the tree, where the tree runs, just before its root becomes active. It should return quickly, and can't
  /// reach into the tree from here.
  ///
  /// - Parameter tree: the handle by which the tree can be looked at from anywhere until it ends. It keeps nothing alive.
  /// - Returns: who is told of the tree's events from the first on; nil if nobody is yet. Without anybody who asks, events
  ///   are not even made.
  func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer?

  /// Called by the tree, where the tree runs, when all its RIBs have resigned.
  ///
  /// - Parameter tree: the handle that `treeWillLaunch(_:)` was given.
  func treeDidEnd(_ tree: TreeHandle)
}

/// The handle by which an inspector looks at a launched tree, from wherever it is.
///
/// It keeps neither the tree nor the actor alive that the tree runs on: a tree whose owner drops it ends as it would
/// without.
public final class TreeHandle: Sendable {
  /// Is told of the events of a tree, where the tree runs, as they happen. It must be quick, and says whether it wants to be
  /// told of more.
  public typealias Observer = @Sendable (TreeEvent) -> Bool

  private struct Home: Sendable {
    weak var actor: (any Actor)?
  }

  private let home: Home
  private let door: IsolationBox
  private let root: any AnyObject.Type

  init(root: any AnyObject.Type, home: any Actor, door: WeakTreeBox) {
    self.root = root
    self.home = Home(actor: home)
    self.door = IsolationBox(door)
  }

  /// The name of the root RIB.
  public var name: String { nameOfRIB(root) }

  /// The tree as it stands. It is taken when the tree's actor has time.
  ///
  /// - Returns: the snapshot; nil if the tree has ended.
  public func snapshot() async -> TreeSnapshot? { await home.actor?.snapshot(through: door) }

  /// Has an observer told of all that happens in the tree from now on. Events are made from then on until it wants no more.
  ///
  /// - Parameter observer: who is told.
  /// - Returns: whether it is; false if the tree has ended.
  public func observe(_ observer: @escaping Observer) async -> Bool {
    await home.actor?.observe(through: door, observer) ?? false
  }
}

/// Leads into a tree that has not ended: what a `TreeHandle` carries to the tree's actor.
final class WeakTreeBox {
  /// The inside of the tree, which closes the door when the tree ends.
  private(set) var tree: TreeCore?

  init(to tree: TreeCore) { self.tree = tree }

  func close() { tree = nil }
}
