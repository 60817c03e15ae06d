/// The actor that the tree lives on. Running tasks hold this and not the host, so that the host can go before them.
@usableFromInline
actor TreeHome<Root> {
  @usableFromInline var root: Root?
  @usableFromInline var tree: Tree?

  init() {}

  func launch(_ configuration: TreeConfiguration, _ build: @Sendable () -> Root) {
    let root = build()
    guard let router = (root as? RouterNode) ?? (root as? any Routing) else {
      MisuseHandling.report(
        .notARouter(String(describing: type(of: root))), path: TreePath(), to: configuration.onMisuse)
      return
    }
    let tree = Tree(root: router, configuration: configuration)
    guard tree.launch() else { return }
    self.root = root
    self.tree = tree
  }

  @inlinable
  func perform<Value: Sendable>(_ body: @Sendable (Root) throws -> Value) throws -> Value {
    guard let root, let tree, tree.isActive else { throw TreeEnded() }
    return try body(root)
  }

  func snapshot() -> TreeSnapshot { tree?.snapshot() ?? TreeSnapshot(nodes: []) }

  func shutdown(deadline: Duration?) async -> ShutdownReport {
    guard let tree else { return ShutdownReport(stuck: []) }
    let report = await tree.shutdown(deadline: deadline)
    // Released here, while this actor runs: user code may look at its isolation when it is released.
    root = nil
    self.tree = nil
    return report
  }
}
