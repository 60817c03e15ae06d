// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What a directory of trees uses of a host.
extension TreeHost {
  /// Builds a tree on its actor, restores a saved one into it, and launches it.
  ///
  /// - Throws: the closure's error; a `SavedTree.RestoreError`; the `Misuse` if the launch was refused.
  package convenience init(
    restoring saved: SavedTree?, by coder: any SavedTree.Coder, _ configuration: TreeConfiguration,
    build: @Sendable () throws -> Root
  ) async throws {
    self.init(configuration)
    if let failure = try await home.launch(restoring: saved?.decoded(by: coder), build) {
      throw failure
    }
  }

  /// Builds a tree off its actor, restores a saved one into it, and launches it.
  ///
  /// - Throws: the closure's error; a `SavedTree.RestoreError`; the `Misuse` if the launch was refused.
  package convenience init(
    restoring saved: SavedTree?, by coder: any SavedTree.Coder, _ configuration: TreeConfiguration,
    buildAsync: @Sendable () async throws -> sending Root
  ) async throws {
    self.init(configuration)
    let root = Prepared(try await buildAsync())
    if let failure = await home.launch(root, restoring: saved?.decoded(by: coder)) { throw failure }
  }

  /// Runs a closure on the tree, and returns whether the tree has unsaved changes.
  ///
  /// - Returns: the closure's result or error, and a promise that is fulfilled when all changes so far are saved; nil if
  ///   they are.
  /// - Throws: the error of a call that was not made.
  @inlinable
  package nonisolated(nonsending) func performUnsaved<Value: Sendable>(
    fileID: StaticString, line: UInt, _ body: @Sendable (Root) throws -> Value
  ) async throws -> (Result<Value, any Error>, TreeSaver.PendingSave?) {
    try await home.performUnsaved(fileID, line, body)
  }

  /// The present time by the wall clock of the tree.
  package var wallTime: WallTime { settings.wallClock.now }

  /// Says what the tree is busy with.
  ///
  /// - Parameter time: how long it has not answered.
  package func unanswered(for time: Duration) -> ShutdownReport { activity.report(after: time) }

  /// Whether all RIBs have resigned.
  package var hasResigned: Bool { activity.hasEnded }

  /// Ends the tree without saving it, because it has another owner.
  package func endUnsaved() async { await home.end(.released) }
}

extension TreeActor {
  @inlinable
  final func performUnsaved<Root, Value: Sendable>(
    _ fileID: StaticString, _ line: UInt, _ body: @Sendable (Root) throws -> Value
  ) throws -> (Result<Value, any Error>, TreeSaver.PendingSave?) {
    guard let rootBox else { throw absence }
    let moments = {
      rootBox._withUnsafeGuaranteedRef { RootBox<Root>.opened($0).core.moments }
    }
    let earlierDiscards = moments().contains(.discardedChanges) ? discards : 0
    let result = Result<Value, any Error> { try perform(fileID, line, body) }
    return (result, moments().contains(.unsavedChanges) ? unsaved(sinceDiscard: earlierDiscards) : nil)
  }

  /// The number of restarts that have discarded changes.
  @usableFromInline var discards: Int { core?.saver?.discards ?? 0 }

  /// The save of all changes of the tree so far; nil if they are saved.
  @usableFromInline
  func unsaved(sinceDiscard count: Int) -> TreeSaver.PendingSave? { core?.saver?.unsaved(sinceDiscard: count) }

  /// Finds out whether all changes of the tree so far are saved, for a reader of a value.
  ///
  /// - Returns: a promise that is fulfilled when they are, nil if they are saved; and the number of restarts that have
  ///   discarded changes, perhaps that one.
  /// - Throws: the error of a call that was not made.
  package func unsavedChanges() throws -> (unsaved: TreeSaver.PendingSave?, discards: Int) {
    guard let core, !core.hasEnded else { throw absence }
    return (core.saver?.unsaved(), discards)
  }

  /// Subscribes to a stream of the tree.
  ///
  /// - Parameter keepsAwake: whether the tree is not idle as long as there is the reader.
  /// - Returns: the newest value that is unread, and later ones until the tree ends; and the number of restarts that had
  ///   discarded changes before.
  package func subscription<Root, Source: ObservableType>(
    _ stream: @Sendable (Root) -> Source, keepsAwake: Bool
  ) -> (values: AsyncStream<Source.Element>, discards: Int) where Source.Element: Sendable {
    (values(nil, stream, keepsAwake: keepsAwake), discards)
  }

  /// Ends the tree if nothing runs in it, nothing outside reads its values, and all its changes are saved.
  ///
  /// - Parameter alsoAsleep: whether to end it also if bound work sleeps until a wall time.
  /// - Returns: whether this call has ended it; false if it had ended before, perhaps with changes that are being saved. And
  ///   when it must wake: the time of the first work that slept, also of a tree that is saved and ended only later; nil if
  ///   none did. All its changes are saved, so the time is to be stored beside what was saved last.
  package func endIfIdle(alsoAsleep: Bool) -> (isEnded: Bool, wakes: WallTime?) {
    guard let core, !core.hasEnded, alsoAsleep || !core.hasRunningWork, core.isIdle else { return (false, nil) }
    let wakes = core.wakes
    core.end(.shutDown)
    return (true, wakes)
  }

  /// Ends the tree as a shutdown does, and returns whether it has unsaved changes.
  ///
  /// - Returns: whether bound work was running, also asleep, which is false if the tree had ended before; when it must wake;
  ///   and the save of the last changes, nil if they are saved. The time is nil unless all its work slept. That of a tree that
  ///   was shut down before is the time of its first work that slept, whatever else ran.
  package func endSaving() -> (hadWork: Bool, wakes: WallTime?, unsaved: TreeSaver.PendingSave?) {
    guard let core else { return (false, nil, nil) }
    let hadWork = !core.hasEnded && core.hasRunningWork
    let wakes =
      core.hasEnded ? core.sleepingWork?.wakesAfterShutdown : core.hasAwakeWork ? nil : core.wakes
    core.end(.shutDown)
    return (hadWork, wakes, core.saver?.unsaved())
  }
}
