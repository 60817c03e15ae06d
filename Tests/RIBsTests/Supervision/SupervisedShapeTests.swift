// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

/// Every tree of up to four RIBs (five if `RIBS_THOROUGH` is `share` or more), with restarts at every set of places, in
/// which one RIB fails or none, and user code does one more thing, in each of its callbacks.
@Suite("A tree whose RIBs fail in their callbacks", .folded(oneIn: 16))
struct SupervisedShapeTests {
  static let shapes = (1...(Thoroughness.isExhaustive ? 5 : 4)).flatMap(Shape.all)

  /// One in so many trials is played, others each time.
  private static func stride(_ count: Int) -> Int {
    switch count {
    case ...2: 1
    case 3: Thoroughness.count(usual: 199, share: 7, whole: 1)
    case 4: Thoroughness.count(usual: 4_999, share: 151, whole: 5)
    default: Thoroughness.count(usual: 0, share: 10_007, whole: 499)
    }
  }

  @Test("is made whole by restarts, never early, and with nothing active of what has failed", arguments: shapes)
  func oneReaction(in shape: Shape) {
    let stride = Self.stride(shape.count)
    var number = Int.random(in: 0..<stride)
    var failures: [String] = []
    var count = 0
    for trial in PlaceTrial.all(shape) where failures.count < 3 {
      // Without a reaction, the trial has so many moments.
      let (wrong, moments) = trial.play()
      if let wrong { failures.append(wrong) }

      for at in 0..<moments where failures.count < 3 {
        for action in trial.actions {
          number += 1
          guard number % stride == 0 else { continue }
          count += 1
          var trial = trial
          trial.reaction = (at, action)
          if let wrong = trial.play().wrong { failures.append(wrong) }
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.prefix(3).joined(separator: "\n\n"))")
    #expect(count > 0)
  }

  @Test("is made whole if a RIB fails in a deinit, while a failure from below is passed on to it")
  func failureInDeinit() throws {
    let shape = try #require(Shape.all(size: 5).first { $0.parents == [0, 1, 2, 2] })
    var trial = PlaceTrial(
      shape: shape, restarted: 1 << 1 | 1 << 3, usesLists: false, buildsWhole: true, isObserved: false, first: 4)
    for at in 0..<trial.play().moments {
      trial.reaction = (at, .fail(1))
      #expect(trial.play().wrong == nil)
    }
  }
}
