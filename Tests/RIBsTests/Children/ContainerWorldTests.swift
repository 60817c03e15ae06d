// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
internal import Foundation
import RIBs
import Testing

@Suite("Slots, stacks and lists", .folded(oneIn: 16))
struct ContainerWorldTests {
  typealias Action = ContainerWorld.Action

  /// Courses in which each operation of each container happens.
  static let courses: [[Action]] = [
    [.showA, .pushX, .listForward, .listBackward, .showB, .pushY, .listOther, .pop, .showNothing, .listEmpty],
    [.listForward, .windowAtHead, .listBackward, .windowFurther, .listChanged, .listOther, .windowNowhere, .newList],
    [.pushX, .pushY, .replaceWithZ, .bringXToFront, .pushY, .popToX, .newStack, .showA, .newSlot, .clear],
    [.showA, .pushX, .pushY, .listForward, .deactivate, .listBackward, .pop, .showB, .activate, .leave, .enter],
    [.leave, .showA, .pushX, .listForward, .enter, .listChanged, .detachFirst, .detachLast, .pushY, .end, .listOther],
    [
      .showA, .listForward, .pushX, .failFirst, .failLast, .listBackward, .failFirst, .pushY, .failLast, .showB, .leave,
    ],
  ]

  @Test("keep the tree whole, and themselves, whatever one callback does", arguments: courses.indices, [true, false])
  func oneReaction(course: Int, isObserved: Bool) async {
    let actions = Self.courses[course]
    // A share of them in debug builds, another one each time.
    let step = Thoroughness.count(little: 263, usual: 157, share: 1, whole: 1)
    let failures = await Stage().run { stage in
      var failures: [String] = []
      var number = Int.random(in: 0..<step)
      var at = 0
      while true {
        var moments = 0
        for reaction in Action.allCases {
          number += 1
          if number % step != 0, reaction != .showA { continue }
          for restarts in [false, true] {
            let (wrong, count) = play(actions, isObserved, restarts, on: stage) { $0 == at ? reaction : nil }
            moments = max(moments, count)
            if let wrong { failures.append("\(reaction) at \(at)\(restarts ? ", with restarts" : ""): \(wrong)") }
          }
        }
        at += 1
        if at >= moments || failures.count > 3 { return failures }
      }
    }
    #expect(failures.isEmpty, "\(actions)\n\(failures.joined(separator: "\n"))")
  }

  @Test("keep the tree whole, and themselves, on random walks with actions nested in callbacks")
  func walk() async {
    let first = ProcessInfo.processInfo.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
    let walks: UInt64 = Thoroughness.count(usual: 30, share: 1_000, whole: 20_000)
    print("Walks through containers: seed \(first), \(walks) walks")
    let failures = await Stage().run { stage in
      var failures: [String] = []
      for seed in first..<first + walks where failures.count < 3 {
        var random = SplitMix(seed)
        let actions = (0..<30).map { _ in Action.allCases[random.below(Action.allCases.count)] }
        var budget = 200
        let (wrong, _) = play(actions, seed % 2 == 0, seed % 3 == 0, on: stage) { _ in
          guard budget > 0, random.below(5) == 0 else { return nil }
          budget -= 1
          return Action.allCases[random.below(Action.allCases.count)]
        }
        if let wrong { failures.append("seed \(seed): \(wrong)") }
      }
      return failures
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  /// - Returns: what is wrong, and how many moments there were.
  private func play(
    _ actions: [Action], _ isObserved: Bool, _ restarts: Bool, on stage: isolated Stage,
    reaction: @escaping (Int) -> Action?
  ) -> (String?, Int) {
    let world = ContainerWorld(isObserved: isObserved, restarts: restarts)
    world.reaction = reaction
    return withMisuseHandler({ _ in }) {
      world.launch(on: stage)
      for (number, action) in actions.enumerated() {
        world.perform(action)
        if let wrong = world.wrong { return ("after \(number), \(action): \(wrong)", world.moments) }
      }
      let moments = world.moments
      return (world.finish(), moments)
    }
  }
}
