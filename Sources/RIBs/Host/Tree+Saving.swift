// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Tree {
  /// Captures what is saved of the tree. Call it between two turns, not in a callback.
  ///
  /// - Returns: the saved tree, to be encoded off the tree.
  /// - Complexity: linear in the number of RIBs.
  public func save() -> SavedTree {
    if let core { return core.save() ?? SavedTree(records: []) }
    return rootNode.map { SavedTree(of: $0, restoration) } ?? SavedTree(records: [])
  }

  /// Creates a tree from a saved one, without launching it.
  ///
  /// The states are set and the children of listed containers are built before this returns. The rest is restored by
  /// `launch()`, when the code of the RIBs attaches their other children. If that fails, the tree ends with
  /// `TreeEnded.Reason.notRestored`, and `launch()` returns false.
  ///
  /// - Parameters:
  ///   - root: the router of the root RIB, as its builder returns it. Discard it if this throws.
  ///   - saved: the saved tree.
  ///   - coder: decodes the states and routes: the coder they were encoded by.
  ///   - configuration: the configuration of the tree.
  /// - Throws: the error names the saved RIB and the reason. No RIB was active.
  public convenience init(
    root: any Routing, restoring saved: SavedTree, coder: some SavedTree.Coder,
    configuration: TreeConfiguration = TreeConfiguration()
  ) throws(SavedTree.RestoreError) {
    self.init(root: root, configuration: configuration)
    try restore(saved.decoded(by: coder))
  }
}

extension TreeHost {
  /// Captures what is saved of the tree, between two turns.
  ///
  /// - Returns: the saved tree, to be encoded off the tree.
  /// - Throws: `TreeEnded` if the tree has ended; the `Misuse` if its launch was refused.
  public func save() async throws -> SavedTree { try await home.save() }
}

extension TreeHost where Root: Routing {
  /// Builds a tree on a dedicated actor, restores a saved one into it, and launches it.
  ///
  /// ```swift
  /// let session = try await TreeHost(restoring: SavedTree(bytes), coder: JSONStateCoder()) {
  ///   RootBuilder(dependency: AppComponent()).build()
  /// }
  /// print(session.isActive)
  /// ```
  ///
  /// - Parameters:
  ///   - saved: the saved tree; nil for a new tree.
  ///   - coder: decodes the states and routes: the coder they were encoded by.
  ///   - configuration: the configuration of the tree.
  ///   - build: creates the root router, on the tree's actor.
  /// - Throws: the error names the saved RIB and the reason. The tree was released.
  public convenience init(
    restoring saved: SavedTree?, coder: some SavedTree.Coder, configuration: TreeConfiguration = TreeConfiguration(),
    build: @escaping @Sendable () -> Root
  ) async throws(SavedTree.RestoreError) {
    self.init(configuration)
    let failure = await home.launch(restoring: saved?.decoded(by: coder), build)
    if let failure = failure as? SavedTree.RestoreError { throw failure }
  }
}

extension TreeHost where Root == any LaunchRouting {
  /// Builds a tree on a dedicated actor, restores a saved one into it, and launches it, from a builder that returns its
  /// router as `any LaunchRouting`.
  ///
  /// - Parameters:
  ///   - saved: the saved tree; nil for a new tree.
  ///   - coder: decodes the states and routes: the coder they were encoded by.
  ///   - configuration: the configuration of the tree.
  ///   - build: creates the root router, on the tree's actor.
  /// - Throws: the error names the saved RIB and the reason. The tree was released.
  public convenience init(
    restoring saved: SavedTree?, coder: some SavedTree.Coder, configuration: TreeConfiguration = TreeConfiguration(),
    build: @escaping @Sendable () -> any LaunchRouting
  ) async throws(SavedTree.RestoreError) {
    self.init(configuration)
    let failure = await home.launch(restoring: saved?.decoded(by: coder), build)
    if let failure = failure as? SavedTree.RestoreError { throw failure }
  }
}

extension TreeCore {
  /// The part that saves the tree, if its configuration says so.
  var saver: TreeSaver? { follows(.saving) ? part() : nil }

  /// The restore of the tree, during its launch, and while saved RIBs wait for the activation of a covered one.
  var restoration: Restoration? { follows(.restoring) ? part() : nil }

  /// Why the tree was not restored.
  var restoreFailure: SavedTree.RestoreError? { restoration?.refusal }

  /// Begins a restore of this tree, which is followed from now on.
  func begin(_ restoration: Restoration) {
    restoration.saver = saver
    saver?.isNew = false
    add(restoration, before: parts.first)
  }

  /// Restores a child that was built anew, before it is attached.
  func restoreRestarted(_ child: RouterNode, from saved: SavedTree) throws(SavedTree.RestoreError) {
    let current = self.restoration
    let restoration = current ?? Restoration(isLaunched: true)
    if current == nil { begin(restoration) }
    try restoration.restoreRestarted(child, from: saved)
    saver?.note(child, saved, 0)
  }

  /// Ends a restore whose child was refused, and so was not activated.
  func endRestart() {
    guard let restoration, restoration.isLaunched else { return }
    restoration.endRestart()
    endRestorationIfComplete()
  }

  /// Stops following the tree for a restore, when no RIB is left to restore.
  func endRestorationIfComplete() {
    guard let restoration, restoration.isLaunched, !restoration.isWaiting || hasEnded else { return }
    remove(restoration)
  }

  /// - Parameter untaken: the paths of what no RIB has taken.
  func emitRestored(at router: RouterNode, _ untaken: [String]) {
    guard !hasEnded else { return }
    if !untaken.isEmpty { saver?.didRestore(without: untaken) }
    emit(.restored, at: router, .untaken(untaken))
  }

  /// Captures what is saved; nil once the tree has ended.
  ///
  /// - Parameter noteRestartable: called with each RIB that its container restarts from what is saved of it, and the index
  ///   of its record.
  func save(_ noteRestartable: (RouterNode, Int) -> Void = { _, _ in }) -> SavedTree? {
    restoration?.removeReleased()
    endRestorationIfComplete()
    guard let rootNode else { return nil }
    var saved = SavedTree(of: rootNode, restoration, noteRestartable)
    if follows(.sleeping) { saved.wakes = wakes }
    return saved
  }
}
