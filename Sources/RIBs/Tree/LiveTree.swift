/// The handle by which an inspector looks at a launched tree, from wherever it is.
///
/// It keeps neither the tree nor the actor alive that the tree runs on: a tree whose owner drops it ends as it would
/// without.
public final class LiveTree: Sendable {
  /// Is told of the events of a tree, where the tree runs, as they happen. It must be quick, and says whether it wants to be
  /// told of more.
  public typealias Observer = @Sendable (TreeEvent) -> Bool

  private struct Home: Sendable {
    weak var actor: (any Actor)?
  }

  private let home: Home
  private let door: IsolationBox
  private let root: any AnyObject.Type

  init(root: any AnyObject.Type, home: any Actor, door: TreeDoor) {
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
