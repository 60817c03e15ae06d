// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// Runs each test on a thread of its own, so that one that waits for a process leaves the threads of the pool to the others.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  @concurrent
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThread()) { try await function() }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// For tests that block their thread.
  package static var onOwnThread: OwnThreadTrait { OwnThreadTrait() }
}
