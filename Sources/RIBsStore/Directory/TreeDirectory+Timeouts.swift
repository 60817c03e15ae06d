// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Calls with a time limit.
extension TreeDirectory {
  /// Runs a closure on the tree of an ID, and waits at most for a timeout.
  ///
  /// The timeout covers everything that a call may wait for: the store, the builder, another call of the tree that does
  /// not end, and the save of its changes. It costs one more task and a timer. The timer needs a free thread of Swift's
  /// global executor; see `TurnWatchdog` for trees that block all of them.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - answering: when this returns. Without a store it makes no difference.
  ///   - timeout: how long to wait, on the clock of the directory.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router, and returns the values that leave the tree. It runs without interruption, and never
  ///     begins after the timeout or the cancellation of the calling task.
  /// - Returns: the closure's result.
  /// - Throws: what the form without a timeout throws; `TreeUnanswered` at the timeout; a `CancellationError` as soon as the
  ///   calling task is cancelled.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    on id: ID, answering: Answering = .whenSaved, timeout: Duration, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (Root) throws -> Value
  ) async throws -> Value {
    let call = LimitedCall()
    return try await wait(for: Key(id), atMost: timeout, call) {
      try await self.perform(on: id, answering: answering, fileID: fileID, line: line) { root in
        try call.begin()
        defer { call.end() }
        return try body(root)
      }
    }
  }

  /// Runs a closure on the tree of an ID, if there is one, and waits at most for a timeout; see `perform(on:)` with a
  /// timeout.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - answering: when this returns. Without a store it makes no difference.
  ///   - timeout: how long to wait, on the clock of the directory.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router, and returns the values that leave the tree.
  /// - Returns: the closure's result; nil if the tree does not exist.
  /// - Throws: what `perform(on:)` with a timeout throws.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    onExisting id: ID, answering: Answering = .whenSaved, timeout: Duration, fileID: StaticString = #fileID,
    line: UInt = #line, _ body: @escaping @Sendable (Root) throws -> Value
  ) async throws -> Value? {
    let call = LimitedCall()
    return try await wait(for: Key(id), atMost: timeout, call) {
      try await self.perform(onExisting: id, answering: answering, fileID: fileID, line: line) { root in
        try call.begin()
        defer { call.end() }
        return try body(root)
      }
    }
  }

  /// Waits for an operation on a tree, no longer than a timeout. The operation is cancelled then.
  nonisolated(nonsending) func wait<Value: Sendable>(
    for key: Key, atMost timeout: Duration, _ call: LimitedCall = LimitedCall(),
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let timeout = timeout.boundedTimeout
    let opening = openingOfCurrentTask()
    defer { call.abandon() }
    return try await value(
      of: {
        let building = opening.flatMap { self.beginBuilding($0) }
        defer { self.endBuilding(building) }
        return try await operation()
      }, atMost: timeout, on: configuration.clock
    ) {
      let hasBegun = call.abandon()
      let (reason, tree) = call.hasReturned ? (.store, nil) : self.reason(of: key, after: timeout)
      return .failure(
        TreeUnanswered(key: self.treeKey(key), timeout: timeout, tree: tree, hasBegun: hasBegun, reason: reason))
    }
  }

  /// What a tree that is to be ended is busy with, so that it does not answer; nil if it waits for the store.
  func unanswered(_ key: Key, after timeout: Duration) -> ShutdownReport? {
    guard case .closing(_, let tree?) = table.update(key, { entry, _ in entry }), !tree.host.hasResigned else {
      return nil
    }
    return tree.host.unanswered(for: timeout)
  }

  /// Why a tree does not answer, and what it is busy with.
  private func reason(of key: Key, after timeout: Duration) -> (TreeUnanswered.Reason, ShutdownReport?) {
    switch table.update(key, { entry, _ in entry }) {
    case .open(let tree): (.tree, tree.host.unanswered(for: timeout))
    // One that has resigned runs nothing: its last save, or the removal of its record, has not ended.
    case .closing(_, let tree?) where !tree.host.hasResigned: (.tree, tree.host.unanswered(for: timeout))
    case .closing: (.ending, nil)
    case .opening, .quarantined, nil: (.opening, nil)
    }
  }
}
