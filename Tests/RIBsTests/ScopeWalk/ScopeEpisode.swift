// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting

/// One walk, from its beginning until everything has ended.
struct ScopeEpisode {
  let seed: UInt64
  var course = ScopeCourse.everything
  var isTracing = false

  /// What happened how often.
  struct Result: Sendable {
    var moments = [Int](repeating: 0, count: ScopeMoment.allCases.count)
    var actions = [Int](repeating: 0, count: ScopeAction.allCases.count)
    var faults: [String] = []
    var lines: [String] = []

    mutating func add(_ other: Result) {
      for index in moments.indices { moments[index] += other.moments[index] }
      for index in actions.indices { actions[index] += other.actions[index] }
      faults += other.faults
    }

    /// Those of the moments that did not come.
    func missing(of moments: [ScopeMoment]) -> [ScopeMoment] { moments.filter { self.moments[$0.rawValue] == 0 } }
  }

  /// Walks on an actor whose jobs run in an order that the seed decides.
  func runDriven() -> Result {
    let ledger = ScopeLedger(seed: seed, isTracing: isTracing)
    var result = Result()
    let stage = DrivenStage(seed: seed)
    stage.assumeIsolated { stage in
      let world = ScopeWorld(
        ledger, on: course, home: stage, door: stage.door, executors: stage.executors,
        isOnActor: { [weak stage] in stage?.isHome ?? true })
      stage.world = world
      withMisuseHandler({ _ in }) { drive(world, on: stage) }
      result.moments = world.moments
      result.actions = world.actions
      stage.world = nil
    }
    while stage.runOne() {}
    ledger.expect(ledger.living == 0, "\(ledger.living) objects are not released: \(ledger.livingKinds)")
    result.faults = ledger.faults
    result.lines = ledger.lines
    return result
  }

  private func drive(_ world: ScopeWorld, on stage: isolated DrivenStage) {
    world.begin()
    var turns = 0
    while world.budget > 0, turns < 400 {
      turns += 1
      world.act(.outside)
      for _ in 0..<world.random.below(6) where stage.runOne() {}
    }
    // A tree that takes no part in the walk shuts the others down.
    var configuration = TreeConfiguration(leakDetection: .off)
    configuration.executors = stage.executors
    let interactor = Interactor()
    let keeper = Tree(root: Router(interactor: interactor), configuration: configuration)
    world.ledger.expect(keeper.launch(on: stage), "the tree that shuts the others down was not launched")
    var remaining = world.stop()
    for tree in remaining {
      interactor.task {
        await world.shutDown(tree)
        remaining.removeAll { $0 === tree }
      }
    }
    finish(world, on: stage)
    for tree in remaining { world.ledger.fail("\(tree.name) was not shut down: \(tree.tree.unfinishedWork)") }
    remaining = []
    world.check()
    world.clear()
    keeper.end()
    finish(world, on: stage)
  }

  /// Runs everything until nothing is left to run.
  private func finish(_ world: ScopeWorld, on stage: isolated DrivenStage) {
    while true {
      while stage.runOne() {}
      world.clock.advance(by: .seconds(60))
      if !world.resumeOne(), !stage.runOne() { return }
    }
  }
}
