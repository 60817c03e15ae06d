// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsTesting
import TestSupport
import Testing

/// Compares the fold of the events of each tree with the live tree while it runs.
struct FoldedTrait: SuiteTrait, TestTrait, TestScoping {
  /// One in so many trees is compared. Defaults to the share of `FoldChecker`.
  var share: Int?

  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let checker = FoldChecker(oneIn: share)
    try await TestTree.$inspector.withValue(checker) { try await function() }
    #expect(checker.problem == nil)
  }
}

extension Trait where Self == FoldedTrait {
  /// Compares the fold of the events of each tree with the live tree while it runs.
  static var folded: FoldedTrait { FoldedTrait() }

  /// The same, of one in so many trees.
  static func folded(oneIn share: Int) -> FoldedTrait { FoldedTrait(share: share) }
}
