// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

/// Lets a tree answer after the timeout of its shutdown, however late a busy machine asks it.
struct PatientTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await LimitedShutdown.$grace.withValue(.seconds(600)) { try await function() }
  }
}

extension Trait where Self == PatientTrait {
  /// Lets a tree answer after the timeout of its shutdown, however late a busy machine asks it.
  static var patient: PatientTrait { PatientTrait() }
}
