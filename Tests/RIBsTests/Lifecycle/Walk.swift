// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// A random course of actions, from outside and nested in callbacks, which is the same for the same seed.
struct Walk {
  static let deepest = 6

  var seed: UInt64
  var nodeCount = 12
  var actionCount = 60

  struct Outcome {
    var lines: [Line] = []
    /// What the world looked like after each action from outside.
    var pictures: [[Picture]] = []
    var work: [[WorkPhase]] = []
    /// What was done, with the number of lines there were before it and how deep in callbacks it was done.
    var actions: [(line: Int, depth: Int, action: Action)] = []

    /// The last steps up to the given line.
    func steps(before line: Int) -> String {
      var steps: [String] = []
      for (number, received) in lines.enumerated() {
        steps += actions.filter { $0.line == number }.map { "\(String(repeating: ">", count: $0.depth))\($0.action)" }
        if number == line { break }
        steps.append("\(received)")
      }
      return steps.suffix(50).joined(separator: ", ")
    }
  }

  /// What is wrong, or nil, and how many actions were done.
  func failure(on stage: isolated DrivenStage) -> (String?, actionCount: Int) {
    var random = SplitMix(seed)
    let size = 1 + random.below(nodeCount - 2)
    let shape = Shape(parents: (1..<max(size, 1)).map { random.below($0) })
    let isObserved = random.below(2) == 0
    let model = ModelWorld(shape, count: nodeCount, isObserved: isObserved, script: Script())
    let expected = play(in: model, random, on: stage) { model.settle() }
    let real = RealWorld(
      shape, count: nodeCount, isObserved: isObserved, script: Script(), executors: stage.executors)
    let outcome = play(in: real, random, on: stage) { while stage.runOne() {} }
    let wrong =
      difference(outcome.lines, expected.lines) ?? pictureDifference(outcome.pictures, expected.pictures)
      ?? workDifference(outcome.work, expected.work) ?? Invariants.check(outcome.lines, nodeCount: real.count)
      ?? outcome.pictures.lazy.compactMap(Invariants.check).first
    let same = zip(outcome.lines, expected.lines).prefix { $0 == $1 }.count
    return (wrong.map { "\(self) in \(shape): \($0)\n\(outcome.steps(before: same))" }, outcome.actions.count)
  }

  private func workDifference(_ work: [[WorkPhase]], _ expected: [[WorkPhase]]) -> String? {
    guard work != expected else { return nil }
    let number = zip(work, expected).prefix { $0 == $1 }.count
    return "after \(number) actions from outside, work is \(work[number]), not \(expected[number])"
  }

  private func pictureDifference(_ pictures: [[Picture]], _ expected: [[Picture]]) -> String? {
    guard pictures != expected else { return nil }
    for (number, (picture, expected)) in zip(pictures, expected).enumerated() {
      for (node, (seen, wanted)) in zip(picture, expected).enumerated() where seen != wanted {
        return "after \(number) actions from outside, \(node) is \(seen), not \(wanted)"
      }
    }
    return "the number of nodes differs"
  }

  /// - Parameter settle: runs what is to run after a turn.
  private func play<W: World>(
    in world: W, _ seeded: SplitMix, on stage: isolated DrivenStage, settle: () -> Void
  ) -> Outcome {
    var random = seeded
    var depth = 0
    var outcome = Outcome()
    func perform() {
      let action = action(&random, in: world, isOutside: depth == 0)
      outcome.actions.append((world.script.lines.count, depth, action))
      world.perform(action)
    }
    // Actions in callbacks are done here and not by the script, so that their depth is known.
    world.script.reaction = { _, _ in
      guard depth < Walk.deepest, outcome.actions.count < actionCount * 10, random.below(4) == 0 else { return nil }
      depth += 1
      perform()
      depth -= 1
      return nil
    }
    func settleAndLook() {
      settle()
      outcome.pictures.append(world.picture)
      outcome.work.append(world.work)
    }
    world.launch(on: stage)
    for _ in 0..<actionCount {
      perform()
      settleAndLook()
    }
    world.script.reaction = { _, _ in nil }
    world.perform(.end)
    for node in 0..<world.count { world.perform(.deactivate(node)) }
    settleAndLook()
    for number in world.work.indices {
      world.perform(.finish(number))
      settleAndLook()
    }
    outcome.lines = world.script.lines
    return outcome
  }

  private func action(_ random: inout SplitMix, in world: some World, isOutside: Bool) -> Action {
    // The first nodes more often, so that those that are built do not hide them.
    func anyNode() -> Int { random.below(random.below(4) > 0 ? nodeCount : world.count) }
    let (node, other) = (anyNode(), anyNode())
    let work = world.work.count
    // One piece of work continues at a time, and no code of the tree runs.
    if isOutside, work > 0, random.below(3) == 0 { return .finish(max(work - 1 - random.below(4), 0)) }
    let route = random.below(3)
    switch random.below(256) {
    case 0: return .end
    case 1...12: return .deactivate(node)
    case 13...24: return .activate(node)
    case 25...30: return .load(node)
    case 31...90: return .attach(node, to: other)
    case 91...150: return .detach(node, from: other)
    case 151...162: return .route(route, in: node)
    case 163...168: return .route(nil, in: node)
    case 169...180: return .push(route, on: node)
    case 181...186: return .pop(node)
    case 187...190: return .bringToFront(route, on: node)
    case 191...192: return .clear(node)
    case 193...208: return .update(rows(&random), in: node)
    case 209...220: return .startWorker(node, on: other)
    case 221...228: return .stopWorker(node)
    case 229...236: return .prepare(in: node)
    case 237...246: return .workflow(node, other)
    default: return work > 0 ? .dispose(random.below(work)) : .detach(node, from: other)
    }
  }

  private func rows(_ random: inout SplitMix) -> [Row] {
    var ids = [1, 2, 3, 4]
    return (0..<random.below(5)).map { _ in
      Row(ids.remove(at: random.below(ids.count)), random.below(2) == 0 ? "" : "changed")
    }
  }
}
