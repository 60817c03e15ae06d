// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import taxi

/// Compares the fold of the events of each tree of the commands with the live tree while it runs.
struct FoldedTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let checker = FoldChecker()
    try await TaxiProgram.$observer.withValue(checker.readingKeyframes(each: 40)) { try await function() }
    #expect(checker.problem == nil)
  }
}

extension Trait where Self == FoldedTrait {
  /// Compares the fold of the events of each tree of the commands with the live tree while it runs.
  static var folded: FoldedTrait { FoldedTrait() }
}
