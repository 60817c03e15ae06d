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

  @Test("has one order in every tree of up to five nodes", arguments: shapes)
  func order(in shape: Shape) async {
    await Stage().run { stage in
      for top in 1..<max(shape.count, 2) where top < shape.count {
        let course: [Action] = [.detach(top, from: shape.parents[top - 1]), .attach(top, to: shape.parents[top - 1])]
        let world = RealWorld(shape, count: shape.count, isObserved: false, script: Script())
        world.launch(on: stage)
        for action in course { world.perform(action) }
        world.perform(.end)
        #expect(
          world.script.lines
            == Transcript.activation(shape.preOrder(from: 0), isFirst: true)
            + Transcript.resignation(shape.resignOrder(from: top, lastAttached: top))
            + Transcript.activation(shape.preOrder(from: top), isFirst: false)
            + Transcript.resignation(shape.resignOrder(from: 0, lastAttached: top)))
      }
    }
  }

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

/// The callbacks of nodes that become active or resign, in the given order.
private enum Transcript {
  static func activation(_ nodes: [Int], isFirst: Bool) -> [Line] {
    let moments: [Moment] = [.streamTrue, .didBecomeActive] + (isFirst ? [.lifecycle, .didLoad] : [])
    return nodes.flatMap { node in moments.map { Line(moment: $0, node: node) } }
  }

  static func resignation(_ nodes: [Int]) -> [Line] {
    let moments: [Moment] = [.willResignActive, .disposed, .streamFalse]
    return nodes.flatMap { node in moments.map { Line(moment: $0, node: node) } }
  }
}
