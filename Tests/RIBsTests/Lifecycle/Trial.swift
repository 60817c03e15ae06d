// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Plays one course of events in the world as it is and in the world as it is designed, and reports how they differ.
struct Trial {
  /// What is done from outside, one after the other, after the launch.
  var course: [Action]
  var shape: Shape
  var nodeCount: Int
  var isObserved: Bool
  /// What user code does when line `at` of the transcript is written.
  var reaction: (at: Int, does: Action)?

  /// All trials of a shape without a reaction: each RIB is detached and attached, and a single one attaches another.
  static func all(_ shape: Shape) -> [Trial] {
    let moves: [[Action]] = shape.parents.enumerated().map { index, parent in
      [.detach(index + 1, from: parent), .attach(index + 1, to: parent)]
    }
    return [false, true].flatMap { isObserved in
      (moves.isEmpty ? [[.attach(1, to: 0)]] : moves).map { course in
        Trial(course: course, shape: shape, nodeCount: shape.count + 1, isObserved: isObserved)
      }
    }
  }

  /// Launches, takes the course, ends the tree, and ends what is active outside it.
  private func play<W: World>(in world: W, on stage: isolated Stage) -> [Line] {
    if let reaction {
      world.script.reaction = { number, _ in number == reaction.at ? reaction.does : nil }
    }
    world.launch(on: stage)
    for action in course { world.perform(action) }
    world.perform(.end)
    for node in 0..<nodeCount { world.perform(.deactivate(node)) }
    return world.script.lines
  }

  func model(on stage: isolated Stage) -> (lines: [Line], picture: [Picture]) {
    let model = ModelWorld(shape, count: nodeCount, isObserved: isObserved, script: Script())
    return (play(in: model, on: stage), model.picture)
  }

  /// What is wrong, or nil.
  func failure(on stage: isolated Stage) -> String? {
    let expected = model(on: stage)
    let real = RealWorld(shape, count: nodeCount, isObserved: isObserved, script: Script())
    let lines = play(in: real, on: stage)
    if let difference = difference(lines, expected.lines) { return "\(self)\n\(difference)" }
    if real.picture != expected.picture { return "\(self)\nleaves \(real.picture), not \(expected.picture)" }
    if let broken = Invariants.check(lines, nodeCount: nodeCount) { return "\(self)\n\(broken)\n\(lines)" }
    return nil
  }
}

/// Where two transcripts part.
func difference(_ lines: [Line], _ expected: [Line]) -> String? {
  guard lines != expected else { return nil }
  let same = zip(lines, expected).prefix { $0 == $1 }.count
  func tail(_ lines: [Line]) -> String {
    same < lines.count ? lines[same...].prefix(6).map(\.description).joined(separator: ", ") : "the end"
  }
  let before = lines[..<same].suffix(12).map(\.description).joined(separator: ", ")
  return "after \(same) lines (\(before))\n  came   \(tail(lines))\n  not    \(tail(expected))"
}
