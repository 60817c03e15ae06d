// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A failed child of a container that restarts it", .folded)
struct RestartTests {
  private let test = TestTree(recording: [.failures, .time, .tasks])
  private let world = SupervisedWorld()

  /// Two restarts in a minute, after a second and after two.
  private func launch(
    _ restarts: Restarts = .upTo(2, within: .seconds(60), after: .exponential(from: .seconds(1), jitter: 0))
  ) -> SupervisedRouter {
    world.write = { [transcript = test.transcript] in transcript.write($0) }
    let root = test.launch(SupervisedRouter("root", restarts, world))
    test.expect("root active")
    return root
  }

  /// Ends the tree, of which nothing may stay.
  private func finish() {
    test.skip()
    world.write = nil
    test.finish()
    #expect(world.activeCount == 0)
  }

  @Test(
    "resigns with all below it, and is built anew after the pause from its route, which may be set again, or to none"
  )
  func slot() throws {
    let root = launch()
    root.slot.route = "a"
    root.child("a")?.slot.route = "b"
    test.expect("build a", "a active", "build b", "b active")
    weak let child = root.child("a")
    root.child("a")?.interactor.fail(Failure())
    #expect(child == nil)
    #expect(root.slot.route == "a" && root.slot.child == nil && root.childNames.isEmpty)
    test.expect(
      "Supervised/Supervised failed: Failure", "b resigns", "a resigns", "Supervised task restart Supervised started")
    root.slot.route = "a"
    #expect(root.slot.child == nil && root.slot.route == "a")
    #expect(try #require(test.tree).snapshot().nodes.map(\.tasks.count) == [1])
    test.advance(by: .milliseconds(999))
    #expect(root.slot.child == nil)
    test.advance(by: .milliseconds(1))
    #expect(root.slot.child != nil && root.child("a")?.slot.route == nil)
    test.expect(
      "1.0 seconds later", "build a", "a active", "Supervised/Supervised restarted 1 of 2",
      "Supervised task restart Supervised ended")
    #expect(try #require(test.tree).snapshot().nodes.map { $0.restarts?.description } == [nil, "1 of 2"])
    root.child("a")?.interactor.fail(Failure())
    root.slot.route = nil
    test.advance(by: .seconds(100))
    #expect(root.slot.route == nil && root.slot.child == nil)
    finish()
  }

  @Test("is restarted after pauses that grow, and when its container has reached its limit, its parent decides")
  func exhausted() throws {
    let root = launch()
    root.interactor.answer = { [test] failure in
      test.transcript.write("childDidFail \(failure), \(failure.restarts), \(failure.lifetime)")
    }
    root.slot.route = "a"
    for _ in 0..<3 {
      root.child("a")?.interactor.fail(Failure())
      test.advance(by: .seconds(5))
    }
    test.expect(
      """
      build a
      a active
      Supervised/Supervised failed: Failure
      a resigns
      Supervised task restart Supervised started
      1.0 seconds later
      build a
      a active
      Supervised/Supervised restarted 1 of 2
      Supervised task restart Supervised ended
      4.0 seconds later
      Supervised/Supervised failed: Failure
      a resigns
      Supervised task restart Supervised started
      2.0 seconds later
      build a
      a active
      Supervised/Supervised restarted 2 of 2
      Supervised task restart Supervised ended
      3.0 seconds later
      Supervised/Supervised failed: Failure
      Supervised/Supervised restartsExhausted 2 of 2: Failure
      a resigns
      childDidFail Supervised/Supervised failed: Failure, 2, 3.0 seconds
      """)
    #expect(root.slot.route == nil && root.interactor.isActive)
    // The route that the parent sets next has a count of its own.
    root.slot.route = "a"
    root.child("a")?.interactor.fail(Failure())
    test.advance(by: .seconds(1))
    #expect(root.slot.child != nil)
    finish()
  }

  @Test("is restarted again when its earlier restarts lie further back than the period")
  func window() throws {
    let root = launch()
    root.slot.route = "a"
    for _ in 0..<10 {
      #expect(root.slot.child != nil)
      root.child("a")?.interactor.fail(Failure())
      test.advance(by: .seconds(31))
    }
    #expect(root.slot.child != nil)
    let restarts = test.transcript.lines.filter { $0.contains("restarted") }
    #expect(
      restarts.prefix(3) == [
        "Supervised/Supervised restarted 1 of 2", "Supervised/Supervised restarted 2 of 2",
        "Supervised/Supervised restarted 2 of 2",
      ])
    finish()
  }

  @Test("has resigned, with all below it, before what its callbacks set becomes active", arguments: [0, 1, 2])
  func replacedWhileItResigns(limit: Int) throws {
    let isExhausted = limit == 1
    let root = launch(.upTo(limit, within: .seconds(60), after: .exponential(from: .seconds(1))))
    root.interactor.answer = { _ in }
    func expectOrder(_ parent: SupervisedRouter?, _ set: @escaping () throws -> Void) throws {
      parent?.slot.route = "below"
      test.skip()
      world.onResign = { [world] interactor in
        guard interactor.name == "below" else { return }
        world.onResign = nil
        do { try set() } catch { Issue.record(error) }
      }
      parent?.interactor.fail(Failure())
      let lines = test.transcript.lines.filter { $0.hasSuffix("active") || $0.hasSuffix("resigns") }
      #expect(lines == ["below resigns", "old resigns", "new active"])
      test.skip()
    }
    func exhaust(_ child: () -> SupervisedRouter?) {
      guard isExhausted else { return }
      child()?.interactor.fail(Failure())
      test.advance(by: .seconds(2))
    }
    root.slot.route = "old"
    exhaust { root.child("old") }
    try expectOrder(root.child("old")) { root.slot.route = "new" }
    root.slot.route = nil
    root.stack.push("old")
    exhaust { root.child("old") }
    try expectOrder(root.child("old")) { root.stack.push("new") }
    root.stack.removeAll()
    try root.list.update([SupervisedModel(id: "old")])
    exhaust { root.child("old") }
    try expectOrder(root.child("old")) { try root.list.update([SupervisedModel(id: "new")]) }
    #expect(root.childNames == ["new"])
    finish()
  }

  @Test("in a stack keeps its route and its covered siblings, and is uncovered as usual when it is popped")
  func stack() throws {
    let root = launch()
    root.stack.push("a")
    root.stack.push("b")
    root.child("b")?.interactor.fail(Failure())
    #expect(root.stack.routes == ["a", "b"] && root.stack.child == nil && root.childNames.isEmpty)
    root.stack.push("b")
    #expect(root.stack.routes == ["a", "b"])
    test.advance(by: .seconds(1))
    #expect(root.childNames == ["b"])
    root.child("b")?.interactor.fail(Failure())
    root.stack.pop()
    #expect(root.childNames == ["a"])
    test.advance(by: .seconds(100))
    #expect(root.childNames == ["a"] && root.stack.routes == ["a"])
    finish()
  }

  @Test("in a list comes back at its position with its current model, and each child has its own count")
  func list() throws {
    let root = launch()
    root.interactor.answer = { _ in }
    try root.list.update(["a", "b", "c"].map { SupervisedModel(id: $0) })
    root.child("b")?.interactor.fail(Failure())
    #expect(root.childNames == ["a", "c"] && root.list.models.map(\.id) == ["a", "b", "c"] && root.list.count == 3)
    try root.list.update([SupervisedModel(id: "c"), SupervisedModel(id: "b", value: 1), SupervisedModel(id: "a")])
    test.advance(by: .seconds(1))
    #expect(root.childNames == ["c", "b", "a"])
    #expect(try #require(test.tree).snapshot().nodes.map { $0.restarts?.made } == [nil, nil, 1, nil])
    for name in ["a", "c", "b"] {
      root.child(name)?.interactor.fail(Failure())
      test.advance(by: .seconds(2))
    }
    #expect(root.childNames == ["c", "b", "a"])
    #expect(try #require(test.tree).snapshot().nodes.map { $0.restarts?.made } == [nil, 1, 2, 1])
    // A third failure within the period is one too many for "b", and not for the others.
    var failed: [String?] = []
    root.interactor.answer = { failed.append(root.list.model(of: $0)?.id) }
    for name in ["b", "a", "c"] { root.child(name)?.interactor.fail(Failure()) }
    #expect(failed == ["b"])
    test.advance(by: .seconds(2))
    #expect(root.list.models.map(\.id) == ["c", "a"] && root.childNames == ["c", "a"])
    finish()
  }

  @Test("in a list has no model if its place was given to another one, or if its builder has ended its pause")
  func places() throws {
    let root = launch(.upTo(1, within: .seconds(60), after: .exponential(from: .seconds(1), jitter: 0)))
    try root.list.update(["a", "b"].map { SupervisedModel(id: $0) })
    world.onActive = { interactor in
      if interactor.name == "a" { root.interactor.cancel("restart Supervised") }
    }
    root.child("a")?.interactor.fail(Failure())
    test.advance(by: .seconds(1))
    #expect(root.list.count == root.list.models.count)
    world.onActive = nil
    var failed: [String?] = []
    root.interactor.answer = { failed.append(root.list.model(of: $0)?.id) }
    world.onResign = { interactor in
      if interactor.name == "b" { root.list.updateOrAppend(SupervisedModel(id: "c")) }
    }
    for _ in 1...2 {
      root.child("b")?.interactor.fail(Failure())
      test.advance(by: .seconds(2))
    }
    #expect(failed == [nil] && root.list.models.map(\.id).contains("c"))
    world.onResign = nil
    finish()
  }

  @Test("is detached at its first failure, also of its work, where the limit is zero, and names its route or model")
  func noRestarts() throws {
    let root = launch(.upTo(0, within: .seconds(60)))
    var failed: [[String?]] = []
    root.interactor.answer = {
      failed.append([root.slot.route(of: $0), root.stack.route(of: $0), root.list.model(of: $0)?.id])
    }
    root.slot.route = "a"
    root.stack.push("b")
    try root.list.update(["c", "d"].map { SupervisedModel(id: $0) })
    for name in ["a", "b", "d"] {
      root.child(name)?.interactor.task { throw Failure() }
      test.settle()
    }
    #expect(failed == [["a", nil, nil], [nil, "b", nil], [nil, nil, "d"]])
    #expect(root.childNames == ["c"])
    finish()
  }

  @Test("that fails while it becomes active counts, and is restarted until the limit")
  func atOnce() {
    let root = launch()
    root.interactor.answer = { [test] in test.transcript.write("childDidFail \($0.restarts), \($0.lifetime)") }
    world.onActive = { interactor in if interactor.name == "a" { interactor.fail(Failure()) } }
    root.slot.route = "a"
    test.advance(by: .seconds(100))
    #expect(test.transcript.lines.count { $0 == "a active" } == 3)
    #expect(test.transcript.lines.count { $0 == "a resigns" } == 3)
    #expect(test.transcript.lines.contains("childDidFail 2, 0.0 seconds"))
    #expect(root.slot.route == nil)
    finish()
  }

  @Test(
    "that was replaced before it failed is detached, and its parent is not asked, also where nothing is restarted",
    arguments: [Restarts.never, .upTo(2, within: .seconds(60))])
  func replaced(_ restarts: Restarts) {
    let root = launch(restarts)
    root.interactor.answer = { _ in Issue.record("The parent was asked.") }
    world.onActive = { interactor in
      guard interactor.name == "a" else { return }
      root.slot.route = "b"
      interactor.fail(Failure())
    }
    root.slot.route = "a"
    test.expect(
      "build a", "a active", "build b", "Supervised/Supervised failed: Failure", "a resigns", "b active")
    #expect(root.childNames == ["b"])
    finish()
  }

  @Test("never comes back if its pause is cancelled by name, and its container is then empty and works as before")
  func cancelledPause() throws {
    let root = launch()
    root.slot.route = "a"
    root.stack.push("b")
    try root.list.update(["c", "d"].map { SupervisedModel(id: $0) })
    for name in ["a", "b", "c"] { root.child(name)?.interactor.fail(Failure()) }
    #expect(root.childNames == ["d"])
    root.interactor.cancel("restart Supervised")
    #expect(root.slot.route == nil && root.stack.child == nil && root.list.models.map(\.id) == ["d"])
    test.advance(by: .seconds(100))
    #expect(root.childNames == ["d"])
    #expect(try #require(test.tree).snapshot().nodes.flatMap(\.tasks).isEmpty)
    root.slot.route = "a"
    root.stack.push("b")
    try root.list.update(["d", "c"].map { SupervisedModel(id: $0) })
    #expect(root.childNames.sorted() == ["a", "b", "c", "d"])
    root.child("a")?.interactor.fail(Failure())
    // Work of the same name in its place ends the pause too.
    root.interactor.task("restart Supervised", overlap: .cancelPrevious) {}
    #expect(root.slot.route == nil)
    test.advance(by: .seconds(100))
    root.slot.route = "a"
    #expect(root.child("a") != nil)
    finish()
  }

  @Test("is not replaced by itself: a builder that returns it is reported")
  func sameChild() throws {
    let root = launch()
    root.slot.route = "a"
    world.cached = root.child("a")
    world.cached?.expectsReattachment = true
    root.child("a")?.interactor.fail(Failure())
    test.advance(by: .seconds(1))
    #expect(root.slot.route == nil && root.childNames.isEmpty)
    #expect(test.transcript.lines.contains("Supervised misuse: failedChildReturned"))
    test.skip()
    #expect(test.takeMisuses().map(\.kind) == [.failedChildReturned])
    world.cached = nil
    finish()
  }

  @Test("pauses for longer with jitter, the same with each run of one seed")
  func jitter() {
    func pauses(seed: UInt64) -> [Duration] {
      let test = TestTree(recording: [])
      let world = SupervisedWorld()
      test.randomSeed = seed
      let restarts = Restarts.upTo(3, within: .seconds(60), after: .exponential(from: .seconds(1), to: .seconds(3)))
      let root = test.launch(SupervisedRouter("root", restarts, world))
      root.slot.route = "a"
      let pauses = (0..<3).map { _ -> Duration in
        root.child("a")?.interactor.fail(Failure())
        let start = test.clock.now
        while root.slot.child == nil { test.advance(by: .milliseconds(1)) }
        return start.duration(to: test.clock.now)
      }
      test.finish()
      return pauses
    }
    let one = pauses(seed: 1)
    #expect(one == pauses(seed: 1))
    #expect(one != pauses(seed: 2))
    for (pause, least) in zip(one, [1, 2, 3]) {
      #expect(pause >= .seconds(least) && pause <= .seconds(least) * 1.2 + .milliseconds(1))
    }
  }

  @Test("that an observer of its cancellation replaces has the route that was set last", arguments: [false, true])
  func cancellationObserver(isInStack: Bool) {
    let root = launch()
    let set: (String) -> Void = { if isInStack { root.stack.push($0) } else { root.slot.route = $0 } }
    set("a")
    root.child("a")?.interactor.fail(Failure())
    #expect(root.childNames.isEmpty)
    var isObserved = false
    let subscription = test.tree?.events.subscribe(onNext: { event in
      guard event.kind == .taskEnded, !isObserved else { return }
      isObserved = true
      set("c")
    })
    set("b")
    #expect(isObserved)
    #expect(isInStack ? root.stack.routes == ["a", "b", "c"] : root.slot.route == "c")
    #expect(root.childNames == ["c"])
    test.advance(by: .seconds(100))
    #expect(root.childNames == ["c"])
    subscription?.dispose()
    finish()
  }
}
