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
    var failure: (any Error)?
    do { try await TearDownTrait.$blocks.withValue(blocks) { try await function() } } catch { failure = error }
    for block in blocks.value.reversed() { await block() }
    if let failure { throw failure }
  }
}

extension Trait where Self == TearDownTrait {
  /// For tests that use `atEnd`.
  package static var tearsDown: TearDownTrait { TearDownTrait() }
}

/// Runs a block when the test has ended. It, or its suite, has the trait `tearsDown`.
package func atEnd(_ block: @escaping @Sendable () async -> Void) {
  guard let blocks = TearDownTrait.blocks else { fatalError("A test that uses atEnd has the trait tearsDown.") }
  blocks.change { $0.append(block) }
}
