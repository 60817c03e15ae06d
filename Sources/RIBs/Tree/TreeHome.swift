/// The actor that a host's tree lives on. Running tasks hold this and not the host, so that the host can go before them.
///
/// It does not know the type of the root, because a generic actor is not specialised where it is called (Swift 6.3),
/// which would make a call three times as expensive.
@usableFromInline
actor TreeHome {
  /// A `Resident` of the host's root type, until the tree has been shut down.
  @exclusivity(unchecked) @usableFromInline var resident: AnyObject?
  private var tree: Tree?
  /// The inside of the tree, also when the tree has been shut down: work that is stuck may be waited for again.
  private var core: TreeCore?

  init() {}

  func launch<Root>(_ configuration: TreeConfiguration, _ build: @Sendable () -> Root) {
    let root = build()
    guard let router = (root as? RouterNode) ?? (root as? any Routing) else {
      MisuseHandling.report(
        .notARouter(String(describing: type(of: root))), path: TreePath(), to: configuration.onMisuse)
      return
    }
    let tree = Tree(root: router, configuration: configuration)
    guard tree.launch() else { return }
    self.tree = tree
    core = tree.core
    resident = Resident(root: root, tree: tree)
  }

  @inlinable
  func perform<Root, Value: Sendable>(_ body: @Sendable (Root) throws -> Value) throws -> Value {
    guard let resident else { throw TreeEnded() }
    let home = unsafeDowncast(resident, to: Resident<Root>.self)
    guard home.tree.isActive else { throw TreeEnded() }
    return try body(home.root)
  }

  func snapshot() -> TreeSnapshot { tree?.snapshot() ?? TreeSnapshot(nodes: []) }

  func shutdown(deadline: Duration?) async -> ShutdownReport {
    tree?.end()
    let report = await core?.waitForTasks(deadline: deadline)
    // Released here, while this actor runs: user code may look at its isolation when it is released.
    resident = nil
    tree = nil
    return report ?? ShutdownReport(stuck: [])
  }
}

/// The root of a host's tree, with its type.
@usableFromInline
final class Resident<Root> {
  @usableFromInline let root: Root
  @usableFromInline let tree: Tree

  init(root: Root, tree: Tree) {
    self.root = root
    self.tree = tree
  }
}
