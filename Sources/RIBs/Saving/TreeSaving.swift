// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Saves a tree while it runs. Set it as `TreeConfiguration.saving`.
///
/// A tree that is shut down, or that ends itself, is saved one last time if it has changed since the last successful save,
/// as it was just before its RIBs resigned. That save may end after the shutdown. A tree that fails, or whose owner is
/// released, is not: it stays as it was last saved.
public protocol TreeSaving: Sendable {
  /// Saves a tree in place of what was saved before.
  ///
  /// Called off the tree, one call at a time for each tree. Changes made meanwhile are combined into the next call.
  ///
  /// - Parameter saved: the tree, as it was between two turns.
  /// - Throws: any error. It is thrown by the calls of `checkpoint()` that wait for this save; if there is none, it is
  ///   passed to `TreeConfiguration.onFailure`. The changes count as unsaved. The runtime does not repeat the call by
  ///   itself: the next change, the next checkpoint, and the end of the tree save it again. So repeat it here if the
  ///   store is out of reach.
  func save(_ saved: SavedTree) async throws

  /// Called on the tree when a restore has left something of the saved tree: RIBs, containers or states that the program
  /// does not have now. It is kept in each save until the program takes it, or names it in `SavedNames.removed`. The
  /// default writes the paths to standard error.
  ///
  /// - Parameters:
  ///   - untaken: the paths in the saved tree, as in `TreeEvent.untaken`.
  ///   - path: the root of the tree.
  func didRestore(_ path: TreePath, without untaken: [String])
}

extension TreeSaving {
  /// Writes the paths to standard error.
  public func didRestore(_ path: TreePath, without untaken: [String]) {
    writeToStandardError(
      "RIBs: \(path) was restored without \(untaken.joined(separator: ", ")). What is saved there is kept until the program "
        + "has these RIBs again. If they no longer exist, add their names to SavedNames.removed of their parents.\n")
  }
}

extension Interactor {
  /// Requests that the tree be saved after the current turn, or after the pause that follows the last save; see
  /// `TreeConfiguration.savePause`. Several requests are combined into one save.
  ///
  /// Call it when `savedState` has changed. RIBs that are attached or detached request it themselves. A covered RIB that a
  /// stack keeps is saved with the tree of the stack, so the call works there too. It is a no-op in a tree without
  /// `TreeConfiguration.saving`, and in any other inactive RIB, which is saved when it is attached.
  ///
  /// - Complexity: O(1); linear in the depth below the stack in a covered RIB.
  public final func setNeedsSave() { nodeLink?._withUnsafeGuaranteedRef { $0.requestSave() } }

  /// Waits until the state of the tree as of this call is saved.
  ///
  /// Call it in bound work before an effect that must not be forgotten or repeated, such as a payment whose key is in
  /// `savedState`. In a tree without `TreeConfiguration.saving` it returns at once.
  ///
  /// A call of `TreeHost.perform` throws also if a RIB fails meanwhile and is restarted from an earlier save, because what the
  /// call has changed may be lost. Other bound work continues, and so does a call that runs within another RIB than this
  /// interactor's or one above it.
  ///
  /// - Throws: the error of the save; the `TreeFailure` of such a RIB; `TreeEnded` if this interactor is not active in a tree; a `CancellationError` if
  ///   the calling task was cancelled.
  /// - Complexity: linear in the running tasks of this RIB and of those above it.
  public final nonisolated(nonsending) func checkpoint() async throws {
    tree?.checkIsolation()
    guard isActive, let tree, !tree.hasEnded else { throw TreeEnded(node?.path) }
    guard let saver = tree.saver else { return }
    try Task.checkCancellation()
    let caller = callingTask()
    let above = sequence(first: node) { $0?.parentNode }.lazy.compactMap { $0?.interactorCore }
    let work = above.compactMap { $0.runningTask(of: caller) }.first
    try await saver.requestAnswer(isCall: work is CallTask).result()
  }
}

extension RouterNode {
  /// Requests a save of the tree that this RIB is saved with: the one it is active in, or that of the stack that keeps it
  /// covered.
  ///
  /// RIBs that were never active are usually in no tree yet: the search ends after a few of them, so that a deep tree is
  /// built in linear time. What such a RIB has changed deep below a covered one is in the next save of the tree.
  final func requestSave() {
    var node = self
    var newCount = 0
    while node.tree == nil {
      if let parent = node.parentNode {
        if node.id == 0 { newCount += 1 }
        // Below an active parent this is about to become active, perhaps with a state that is just being restored. If
        // that changes the tree, its attachment requests the save.
        guard newCount <= 16, parent.tree == nil else { return }
        node = parent
      } else {
        guard let owner = node.container?.owner else { return }
        node = owner
      }
    }
    node.tree?.saver?.request()
  }
}
