// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport
import Testing

/// Runs on an actor of its own, as a tree does.
actor Stage {
  func run<Value: Sendable>(_ body: @Sendable (isolated Stage) throws -> Value) rethrows -> Value { try body(self) }
}

/// Every trial in which user code does one thing, once, in a tree of one shape: at each line of the transcript of a launch, a
/// detachment, an attachment and the end, each action on the tree's nodes and one free node.
@Suite("The lifecycle", .folded(oneIn: 16))
struct LifecycleTests {
  static let shapes = (1...5).flatMap(Shape.all)

  /// Of the largest trees every one is tried with every moment and every action, but not each with each: a share of the
  /// combinations that differs from tree to tree. `RIBS_THOROUGH` in the environment tries more of them, or all.
  private static func stride(_ count: Int) -> Int {
    let strides = Thoroughness.count(
      little: [1, 1, 1, 7, 53, 419], usual: [1, 1, 1, 7, 53, 419], share: [1, 1, 1, 1, 1, 7], whole: [1])
    return strides[min(count, strides.count - 1)]
  }

  @Test("keeps to the design whatever one callback does, in every tree of up to five nodes", arguments: shapes)
  func oneAction(in shape: Shape) async {
    let stride = Self.stride(shape.count)
    let actions = Action.all(nodes: shape.count + 1)
    let (number, failures) = await Stage().run { stage in
      var number = 0
      var failures: [String] = []
      for trial in Trial.all(shape) {
        // Without a reaction, the transcript has so many lines.
        for line in 0..<trial.model(on: stage).lines.count where failures.count < 3 {
          for action in actions {
            number += 1
            guard number.isMultiple(of: stride) else { continue }
            var trial = trial
            trial.reaction = (line, action)
            if let failure = trial.failure(on: stage) { failures.append(failure) }
          }
        }
      }
      return (number, failures)
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
    #expect(number >= stride)
  }
}
