// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The start path of bound work as it would be without its two precautions.
///
/// It is a copy of `IsolationBox` and `TreeTask.start()`, and shows what those are for.
struct Uncured: @unchecked Sendable {
  fileprivate let operation: nonisolated(nonsending) () async throws -> Void

  init(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) { self.operation = operation }
}

extension Actor {
  /// Hops to this actor, but the task that calls this prefers no executor.
  func runWithoutCure(_ work: Uncured) async throws {
    preconditionIsolated()
    try await work.operation()
  }

  /// Does not use the isolation before the call.
  func runWithElidedHop(_ work: Uncured) async throws { try await work.operation() }
}
