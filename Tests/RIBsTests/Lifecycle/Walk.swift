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
  func failure(on stage: isolated Stage) -> (String?, actionCount: Int) {
    var random = SplitMix(seed)
    let size = 1 + random.below(nodeCount - 2)
    let shape = Shape(parents: (1..<max(size, 1)).map { random.below($0) })
    let isObserved = random.below(2) == 0
    let model = ModelWorld(shape, count: nodeCount, isObserved: isObserved, script: Script())
    let expected = play(in: model, random, on: stage)
    let real = RealWorld(shape, count: nodeCount, isObserved: isObserved, script: Script())
    let reports = real.reports
    let outcome = withMisuseHandler({ reports.record($0) }) { play(in: real, random, on: stage) }
    var wrong = difference(outcome.lines, expected.lines)
    if wrong == nil, outcome.pictures != expected.pictures { wrong = "children or activity differ" }
    if wrong == nil { wrong = Invariants.check(outcome.lines, nodeCount: nodeCount) }
    if wrong == nil { wrong = outcome.pictures.lazy.compactMap(Invariants.check).first }
    let same = zip(outcome.lines, expected.lines).prefix { $0 == $1 }.count
    return (wrong.map { "\(self) in \(shape): \($0)\n\(outcome.steps(before: same))" }, outcome.actions.count)
  }

  private func play<W: World>(in world: W, _ seeded: SplitMix, on stage: isolated Stage) -> Outcome {
    var random = seeded
    var depth = 0
    var outcome = Outcome()
    func perform() {
      let action = action(&random)
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
    world.launch(on: stage)
    for _ in 0..<actionCount {
      perform()
      outcome.pictures.append(world.picture)
    }
    world.script.reaction = { _, _ in nil }
    world.perform(.end)
    for node in 0..<nodeCount { world.perform(.deactivate(node)) }
    outcome.pictures.append(world.picture)
    outcome.lines = world.script.lines
    return outcome
  }

  private func action(_ random: inout SplitMix) -> Action {
    let node = random.below(nodeCount)
    let other = random.below(nodeCount)
    switch random.below(256) {
    case 0: return .end
    case 1...12: return .deactivate(node)
    case 13...24: return .activate(node)
    case 25...30: return .load(node)
    case 31...140: return .attach(node, to: other)
    default: return .detach(node, from: other)
    }
  }
}
