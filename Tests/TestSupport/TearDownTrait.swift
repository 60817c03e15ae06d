// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// Runs what a test passes to `atEnd` when the test has ended, the last first.
package struct TearDownTrait: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal fileprivate static var blocks: Shared<[@Sendable () async -> Void]>?

  package var isRecursive: Bool { true }

  @concurrent
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let blocks = Shared<[@Sendable () async -> Void]>([])
    try await TearDownTrait.$blocks.withValue(blocks) { try await function() }
    for block in blocks.value.reversed() { await block() }
  }
}

extension Trait where Self == TearDownTrait {
  /// For tests that use `atEnd`.
  package static var tearsDown: TearDownTrait { TearDownTrait() }
}

/// Runs a block when the test has ended, if it or its suite has the trait `tearsDown`.
package func atEnd(_ block: @escaping @Sendable () async -> Void) { TearDownTrait.blocks?.change { $0.append(block) } }
