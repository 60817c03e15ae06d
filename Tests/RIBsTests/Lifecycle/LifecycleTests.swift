// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

/// Runs on an actor of its own, as a tree does.
actor Stage {
  func run<Value: Sendable>(_ body: @Sendable (isolated Stage) throws -> Value) rethrows -> Value { try body(self) }
}

@Suite("The lifecycle", .folded(oneIn: 16))
struct LifecycleTests {
  static let shapes = (1...5).flatMap(Shape.all)

  @Test("keeps to the design whatever one callback does, in every tree of up to five nodes", arguments: shapes)
  func oneAction(in shape: Shape) async {
    let (count, failures) = await Stage().run { stage in
      var count = 0
      var failures: [String] = []
      for trial in Trials(shape, on: stage) {
        count += 1
        if let failure = trial.failure(on: stage) { failures.append(failure) }
        if failures.count == 3 { break }
      }
      return (count, failures)
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
    #expect(count > 0)
  }
}
