// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A test of a restart")
struct RestartTests {
  /// What a RIB of these tests forgets.
  enum Mistake: CaseIterable {
    case none, state, route, routes, work, reset, request
  }

  final class TimerRouter: Router<TimerInteractor> {
    private let mistake: Mistake
    lazy var slot = ChildSlot<Int>(of: self) { _, _ in RingRouter() }
    lazy var other = ChildSlot<Int>(of: self) { _, _ in RingRouter() }

    override var savedChildren: [SavedChildren] {
      switch mistake {
      case .routes: []
      case .route: [other.saved(as: "other")]
      default: [other.saved(as: "other"), slot.saved(as: "slot")]
      }
    }

    init(_ mistake: Mistake, clock: TestClock) {
      self.mistake = mistake
      super.init(interactor: TimerInteractor(mistake, clock: clock))
    }
  }

  final class RingInteractor: Interactor {}

  private final class RingRouter: Router<RingInteractor> {
    init() { super.init(interactor: RingInteractor()) }
  }

  final class TimerInteractor: Interactor, Saving {
    struct SavedState: Codable, Sendable {
      var rings = 0
      var isRunning = false
      var activations = 0
    }

    private let mistake: Mistake
    private let clock: TestClock
    private var rings = 0
    private var isRunning = false
    private var activations = 0

    var savedState: SavedState {
      get { SavedState(rings: mistake == .state ? 0 : rings, isRunning: isRunning, activations: activations) }
      set { (rings, isRunning, activations) = (newValue.rings, newValue.isRunning, newValue.activations) }
    }

    init(_ mistake: Mistake, clock: TestClock) {
      self.mistake = mistake
      self.clock = clock
    }

    override var treeSummary: String? { "\(rings) rings" }

    override func didBecomeActive() {
      super.didBecomeActive()
      if mistake == .reset { activations += 1 }
      if isRunning, mistake != .work { run() }
    }

    func start() {
      isRunning = true
      rings = 3
      run()
    }

    func ring() {
      rings -= 1
      if mistake != .request { setNeedsSave() }
    }

    private func run() {
      task("ring", overlap: .ignoreWhileRunning) { try await self.clock.sleep(for: .seconds(60)) }
    }
  }

  private func findings(_ mistake: Mistake) -> [String] {
    failures {
      let test = TestTree(recording: [])
      let root = test.launch(building: { TimerRouter(mistake, clock: test.clock) })
      root.interactor.start()
      root.slot.route = 1
      test.settle()
      root.interactor.ring()
      test.finish()
    }
  }

  @Test(
    "passes if the tree is the same, and names what was forgotten, or that a state is changed by the restart")
  func forgotten() {
    let expected: [Mistake: [String]] = [
      .state: ["does not survive a restart", "- Timer: 2 rings", "+ Timer: 0 rings"],
      .route: ["does not survive a restart", "-   Ring"],
      .routes: ["does not survive a restart", "-   Ring"],
      .work: ["does not survive a restart", "-   work ring"],
      .reset: ["saves something else after a restart", "\"activations\":2"],
      .request: ["has changed and was not saved", "\"rib\":\"Timer\"", "\"rings\":2"],
    ]
    #expect(findings(.none).isEmpty)
    for (mistake, texts) in expected {
      let found = findings(mistake)
      #expect(found.count == 1, "\(mistake): \(found)")
      for text in texts { #expect(found.first?.contains(text) == true, "\(mistake): \(found)") }
    }
  }

  /// A RIB without a state, whose child has one.
  private final class UnlistedRouter: Router<RingInteractor> {
    let clock: TestClock
    lazy var slot = ChildSlot<Int>(of: self) { router, _ in TimerRouter(.none, clock: router.clock) }

    init(clock: TestClock) {
      self.clock = clock
      super.init(interactor: RingInteractor())
    }
  }

  @Test("is made if only a RIB below the root has something to save")
  func below() {
    let found = failures {
      let test = TestTree(recording: [])
      test.launch(building: { UnlistedRouter(clock: test.clock) }).slot.route = 1
      test.finish()
    }
    #expect(found.map { $0.contains("-   Timer: 0 rings") } == [true])
  }

  /// A RIB whose children are restarted.
  private final class Supervising: Router<RingInteractor> {
    private static let restarts = Restarts.upTo(
      3, within: .seconds(60), after: .exponential(from: .seconds(1), jitter: 0))

    lazy var slot = ChildSlot<Int>(of: self, restarts: Supervising.restarts) { _, _ in RingRouter() }
    lazy var stack = ChildStack<Int>(of: self, covered: .kept, restarts: Supervising.restarts) { _, _ in RingRouter() }
    lazy var list = ChildList<RingModel>(of: self, restarts: Supervising.restarts) { _, _ in
      RingRow(interactor: RingInteractor())
    }

    override var savedChildren: [SavedChildren] {
      [slot.saved(as: "slot"), stack.saved(as: "stack"), list.saved(as: "list")]
    }

    /// Whether the child of each container exists: of the slot, on top of the stack, and the rows.
    var hasChildren: [Bool] { [slot.child != nil, stack.child != nil] + list.models.map { list[id: $0.id] != nil } }
  }

  private struct RingModel: Codable, Identifiable, Equatable, Sendable { let id: Int }

  private final class RingRow: Router<RingInteractor>, ModelRouting {
    func didUpdate(to model: RingModel, from previous: RingModel) {}
  }

  private func fail(_ child: (any Routing)?) {
    struct Broken: Error {}
    ((child as? RouterNode)?.interactable as? RingInteractor)?.fail(Broken())
  }

  @Test("is the same in the pause before a restart: the children come back after it, and not before")
  func pause() throws {
    let test = TestTree(recording: [])
    let root = test.launch(building: { Supervising(interactor: RingInteractor()) })
    root.slot.route = 1
    root.stack.push(1)
    root.stack.push(2)
    try root.list.update([1, 2, 3].map(RingModel.init))
    fail(root.slot.child)
    fail(root.stack.child)
    for id in 1...2 { fail(root.list[id: id]) }
    #expect(root.hasChildren == [false, false, false, false, true])
    test.expectSurvivesRestart()

    let other = TestTree(restoring: test.tree?.save(), recording: [])
    let copy = other.launch(Supervising(interactor: RingInteractor()))
    #expect(copy.slot.route == 1 && copy.stack.routes == [1, 2] && copy.list.models.map(\.id) == [1, 2, 3])
    #expect(copy.hasChildren == root.hasChildren)
    other.advance(by: .milliseconds(999))
    #expect(copy.hasChildren == root.hasChildren)
    other.advance(by: .seconds(4))
    #expect((copy.hasChildren, copy.list.children.count) == ([true, true, true, true, true], 3))
    other.finish()
    root.slot.route = nil
    test.finish()
  }

  @Test("saves that a route was removed in the pause before a restart")
  func removal() {
    let test = TestTree(recording: [])
    let root = test.launch(building: { Supervising(interactor: RingInteractor()) })
    root.slot.route = 1
    test.settle()
    fail(root.slot.child)
    test.settle()
    root.slot.route = nil
    test.finish()
  }

  @Test("restores no child on top of a stack that has lost it")
  func lost() {
    let test = TestTree(recording: [])
    let root = test.launch(building: { StackRouter(interactor: RingInteractor()) })
    root.stack.push(1)
    for child in root.children { root.detachChild(child) }
    #expect(root.stack.routes == [1] && root.stack.child == nil)
    test.expectSurvivesRestart()
    test.finish()
  }

  private final class StackRouter: Router<RingInteractor> {
    lazy var stack = ChildStack<Int>(of: self, covered: .kept) { _, _ in RingRouter() }

    override var savedChildren: [SavedChildren] { [stack.saved(as: "stack")] }
  }

  @Test("is part of finish() only if the root lists saved children and can be built again")
  func onlyListed() {
    let test = TestTree(recording: [])
    var built = 0
    test.launch(building: { () -> RingRouter in
      built += 1
      return RingRouter()
    })
    test.finish()
    #expect(built == 1)
    let found = failures {
      let test = TestTree(recording: [])
      test.launch(TimerRouter(.none, clock: test.clock))
      test.expectSurvivesRestart()
      test.finish()
    }
    #expect(found.map { $0.contains("nothing builds its root again") } == [true])
  }

  @Test("can begin with a saved tree, and fails if that can't be restored")
  func restoring() throws {
    let first = TestTree(recording: [])
    let root = first.launch(TimerRouter(.none, clock: first.clock))
    root.interactor.start()
    root.slot.route = 1
    let saved = try #require(first.tree?.save())
    first.finish()

    let test = TestTree(restoring: saved, recording: .essentials)
    let restored = test.launch(TimerRouter(.none, clock: test.clock))
    test.expect("Timer attached", "Timer task ring started", "Timer restored")
    #expect((restored.interactor.savedState.rings, restored.slot.route) == (3, 1))
    test.finish()

    let found = failures {
      let test = TestTree(restoring: saved, recording: [])
      test.launch(RingRouter())
      test.finish()
    }
    #expect(found.first?.contains("was not restored: Timer: The saved root is Timer") == true)
  }
}
