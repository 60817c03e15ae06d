/// The actor that a host's tree lives on. Running tasks hold this and not the host, so that the host can go before them.
///
/// It does not know the type of the root, because a generic actor is not specialised where it is called (Swift 6.3),
/// which would make a call three times as expensive.
@usableFromInline
actor TreeHome {
  /// A `Resident` of the host's root type, until the tree has been shut down. Nothing shuts it down while a closure runs
  /// that was sent in, so a call need not hold it.
  @exclusivity(unchecked) @usableFromInline var resident: Unmanaged<AnyObject>?
  private var ownedResident: AnyObject?
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
    guard let core = tree.core else { return }
    self.core = core
    let resident = Resident(root: root, core: core)
    ownedResident = resident
    self.resident = Unmanaged.passUnretained(resident)
  }

  @inlinable
  func perform<Root, Value: Sendable>(_ body: @Sendable (Root) throws -> Value) throws -> Value {
    guard let resident else { throw TreeEnded() }
    return try resident._withUnsafeGuaranteedRef { resident in
      let home = unsafeDowncast(resident, to: Resident<Root>.self)
      guard !home.core.hasEnded else { throw TreeEnded() }
      return try body(home.root)
    }
  }

  func snapshot() -> TreeSnapshot { tree?.snapshot() ?? TreeSnapshot(nodes: []) }

  func shutdown(deadline: Duration?) async -> ShutdownReport {
    tree?.end()
    let report = await core?.waitForTasks(deadline: deadline)
    // Released here, while this actor runs: user code may look at its isolation when it is released.
    resident = nil
    ownedResident = nil
    tree = nil
    return report ?? ShutdownReport(stuck: [])
  }
}

/// The root of a host's tree, with its type.
@usableFromInline
final class Resident<Root> {
  @usableFromInline let root: Root
  @usableFromInline let core: TreeCore

  init(root: Root, core: TreeCore) {
    self.root = root
    self.core = core
  }
}
