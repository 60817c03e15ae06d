// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
internal import Foundation
import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A random walk over a tree whose RIBs fail", .folded)
struct SupervisionWalkTests {
  static let count = Thoroughness.count(usual: 6_000, share: 150_000, whole: 1_000_000)
  /// Among how many walks the steps are divided: in a short one too little would fail.
  static let walks = Thoroughness.count(usual: 1, share: 3, whole: 3)

  /// `RIBS_SEED` repeats a walk.
  static let seeds: [UInt64] = {
    let first = ProcessInfo.processInfo.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
    print("Walks over trees whose RIBs fail: seed \(first)")
    return Array(first..<first + UInt64(walks))
  }()

  @Test("keeps the containers as they were set, and leaves nothing behind", arguments: seeds)
  func walk(seed: UInt64) {
    var walk = SupervisionWalk(seed: seed)
    for number in 0..<(Self.count / Self.walks) {
      walk.step()
      if number.isMultiple(of: 50) { walk.check() }
    }
    walk.finish()
    #expect(walk.failures > Self.count / 600)
    #expect(walk.restarts > Self.count / 1_000)
    #expect(walk.largest > 15)
  }
}

/// Does something at random, again and again, with trees of which the next begins when one has ended.
private struct SupervisionWalk {
  private var random: SplitMix
  private var test = TestTree(recording: [.failures])
  private var world = SupervisedWorld()
  private var root: SupervisedRouter
  private(set) var failures = 0
  private(set) var restarts = 0
  private(set) var largest = 0

  init(seed: UInt64) {
    random = SplitMix(seed)
    root = SupervisionWalk.launch(test, world)
  }

  private static func launch(_ test: TestTree, _ world: SupervisedWorld) -> SupervisedRouter {
    test.launch(
      SupervisedRouter("r", .upTo(2, within: .seconds(5), after: .exponential(from: .milliseconds(50))), world))
  }

  mutating func step() {
    guard root.interactor.isActive else { return startAgain() }
    let subject = anyRouter()
    let name = "abcd".map { String($0) }[random.below(4)]
    // The tree stays small enough to be checked often.
    let isDeep = random.below(3) > 0
    switch random.below(100) {
    case 0: fail(subject)
    case 1..<15: if isDeep { subject.slot.route = name }
    case 15..<20: subject.slot.route = nil
    case 20..<32: if isDeep { subject.stack.push(name) }
    case 32..<38: subject.stack.pop()
    case 38..<50: updateList(of: subject)
    case 50..<80: startWork(of: subject)
    case 80..<90: test.advance(by: .milliseconds(random.below(400)))
    default: test.settle()
    }
    count()
  }

  private mutating func fail(_ subject: SupervisedRouter) {
    guard subject !== root else { return }
    failures += 1
    subject.interactor.fail(Failure())
  }

  /// Of all work, one in a hundred fails.
  private mutating func startWork(of subject: SupervisedRouter) {
    let fails = random.below(100) == 0 && subject !== root
    if fails { failures += 1 }
    let clock = test.clock
    let time = Duration.milliseconds(random.below(100))
    subject.interactor.task {
      try await clock.sleep(for: time)
      if fails { throw Failure() }
    }
  }

  private mutating func updateList(of subject: SupervisedRouter) {
    let size = random.below(4)
    let models = ["e", "f", "g", "h"].shuffled(using: &random).prefix(size).map {
      SupervisedModel(id: $0, value: random.below(2))
    }
    do { try subject.list.update(models) } catch { Issue.record(error) }
  }

  private mutating func anyRouter() -> SupervisedRouter {
    var router = root
    for _ in 0..<random.below(4) {
      let children = router.children.compactMap { $0 as? SupervisedRouter }
      guard !children.isEmpty else { break }
      router = children[random.below(children.count)]
    }
    return router
  }

  private mutating func count() {
    restarts += test.transcript.lines.count { $0.contains(" restarted ") }
    test.skip()
  }

  /// What is set is attached, or about to be restarted.
  mutating func check() {
    // Cancelled pauses end.
    test.settle()
    guard let tree = test.tree, root.interactor.isActive else { return }
    let nodes = tree.snapshot().nodes
    #expect(nodes.count == world.activeCount && nodes.allSatisfy { $0.state == .active })
    largest = max(largest, nodes.count)
    var pending = 0
    var uncertain = 0
    var routers = [root]
    while let router = routers.popLast() {
      expectAttached(router)
      if router.slot.route != nil, router.slot.child == nil { pending += 1 }
      pending += router.list.models.count - router.list.children.count
      // Waits for its restart, or has lost its child when the RIB resigned in the pause.
      if router.stack.top != nil, router.stack.child == nil { uncertain += 1 }
      routers += router.children.compactMap { $0 as? SupervisedRouter }
    }
    let pauses = nodes.reduce(0) { $0 + $1.tasks.count { $0.hasPrefix("restart ") } }
    #expect(pauses >= pending && pauses <= pending + uncertain)
  }

  private func expectAttached(_ router: SupervisedRouter) {
    var names: [String] = []
    for (child, route) in [(router.slot.child, router.slot.route), (router.stack.child, router.stack.top)] {
      guard let child = child as? SupervisedRouter else { continue }
      #expect(child.name == route)
      names.append(child.name)
    }
    let rows = router.list.children.compactMap { ($0 as? SupervisedRouter)?.name }
    #expect(rows == router.list.models.map(\.id).filter { rows.contains($0) })
    #expect(router.childNames.sorted() == (names + rows).sorted())
  }

  private mutating func startAgain() {
    finish()
    test = TestTree(recording: [.failures])
    world = SupervisedWorld()
    root = SupervisionWalk.launch(test, world)
  }

  mutating func finish() {
    test.skip()
    root = SupervisedRouter("none", .never, SupervisedWorld())
    test.finish()
    #expect(world.activeCount == 0)
  }

}
