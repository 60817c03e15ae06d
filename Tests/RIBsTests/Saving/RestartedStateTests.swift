// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

/// A room with a state, and a slot whose child is a room too.
private final class RoomRouter: Router<RoomInteractor>, ModelRouting {
  private(set) lazy var next = ChildSlot<String>(of: self) { _, name in RoomRouter(name) }

  override var savedChildren: [SavedChildren] { [next.saved(as: "next")] }

  init(_ name: String) { super.init(interactor: RoomInteractor(name)) }

  func didUpdate(to model: Room, from previous: Room) {}
}

private final class RoomInteractor: Interactor, Saving {
  let name: String
  var savedState = 0 {
    didSet {
      setNeedsSave()
      onSet(savedState)
    }
  }
  var onSet: (Int) -> Void = { _ in }
  var onResign: () -> Void = {}
  private(set) var stateAtActivation: Int?

  init(_ name: String) { self.name = name }

  override func didBecomeActive() {
    super.didBecomeActive()
    stateAtActivation = savedState
    if savedState == 13 { fail(Failure()) }
  }

  override func willResignActive() {
    super.willResignActive()
    onResign()
  }
}

private struct Room: Identifiable, Equatable, Codable { let id: String }

private final class HouseInteractor: Interactor {
  var failures: [String] = []

  override func childDidFail(_ failure: ChildFailure) { failures.append("\(failure)") }
}

/// A house with a container of each kind.
private final class HouseRouter: Router<HouseInteractor> {
  private let restarts: Restarts

  private(set) lazy var slot = ChildSlot<String>(of: self, restarts: restarts) { $0.build($1) }
  private(set) lazy var stack = ChildStack<String>(of: self, covered: .kept, restarts: restarts) { $0.build($1) }
  private(set) lazy var list = ChildList<Room>(of: self, restarts: restarts) { _, room in RoomRouter(room.id) }
  /// Not saved by name.
  private(set) lazy var other = ChildSlot<String>(of: self, restarts: restarts) { _, name in RoomRouter(name) }

  override var savedChildren: [SavedChildren] {
    [slot.saved(as: "slot"), stack.saved(as: "stack"), list.saved(as: "list")]
  }

  /// Builds a room, or what a test says.
  var build: (String) -> any RouterNode & Routing = { RoomRouter($0) }

  init(_ restarts: Restarts) {
    self.restarts = restarts
    super.init(interactor: HouseInteractor())
  }

  /// One room in each container.
  func furnish() throws {
    slot.route = "slot"
    stack.push("stack")
    try list.update([Room(id: "list")])
  }

  override func didLoad() {
    super.didLoad()
    other.route = "other"
  }

  func router(_ name: String) -> RoomRouter? {
    children.lazy.compactMap { $0 as? RoomRouter }.first { $0.interactor.name == name }
  }

  func room(_ name: String) -> RoomInteractor? { router(name)?.interactor }
}

@Suite("A restarted RIB of a tree that is saved", .folded)
struct RestartedStateTests {
  private static let restarts = Restarts.upTo(
    2, within: .seconds(60), after: .exponential(from: .seconds(1), jitter: 0))
  private let test = TestTree(recording: [.failures])

  private func launch(_ restarts: Restarts = Self.restarts) throws -> HouseRouter {
    let house = test.launch(building: { HouseRouter(restarts) })
    try house.furnish()
    test.settle()
    return house
  }

  private func document(_ saved: SavedTree? = nil) throws -> String {
    let saved = try saved ?? #require(test.tree).save()
    return String(decoding: try saved.encoded(by: JSONStateCoder()), as: UTF8.self)
  }

  /// Ends the tree, whose records of code-attached children are not of interest here.
  private func finish() {
    test.skip()
    test.finish()
  }

  @Test("has the state and the routes of the last save", arguments: ["slot", "stack", "list", "other"])
  func restored(_ name: String) throws {
    let house = try launch()
    house.room(name)?.savedState = 7
    house.router(name)?.next.route = "below"
    (house.router(name)?.next.child as? RoomRouter)?.interactor.savedState = 8
    test.settle()
    let saved = try document()
    // Not saved before the failure.
    house.room(name)?.savedState = 9
    house.room(name)?.fail(Failure())
    #expect(house.room(name) == nil)
    test.settle()
    test.advance(by: .seconds(1))
    #expect(house.room(name)?.stateAtActivation == 7)
    #expect(house.router(name)?.next.route == "below")
    #expect((house.router(name)?.next.child as? RoomRouter)?.interactor.stateAtActivation == 8)
    test.expect("House/Room failed: Failure", "House/Room restarted 1 of 2 with its saved state")
    test.settle()
    // The restarted child may be at another position.
    let lines = { (text: String) in
      text.replacing(/"in":[0-9]+,/, with: "").replacing(",\n", with: "\n").split(separator: "\n").sorted()
    }
    #expect(try lines(document()) == lines(saved))
    finish()
  }

  @Test(
    "is saved during the pause with what it had, also if it was attached after the last save", arguments: [false, true])
  func pause(isNew: Bool) throws {
    let house = try launch()
    if isNew {
      house.slot.route = "new"
    } else {
      house.room("slot")?.savedState = 7
      test.settle()
    }
    house.room(isNew ? "new" : "slot")?.fail(Failure())
    test.settle()
    let saved = try #require(test.saves.last)
    let lines = try document(saved).replacing(",\n", with: "\n").split(separator: "\n").map(String.init)
    let line = lines.first { $0.contains("\"restarting\":true") }
    #expect(
      line
        == "{\"in\":0,\"at\":\"slot\",\"rib\":\"Room\",\"restarting\":true"
        + (isNew ? "}" : ",\"v\":1,\"state\":7,\"children\":{\"next\":[]}}"))
    // A process that reads this begins the pause again, and then restores the state.
    for copy in [saved, try SavedTree(saved.encoded(by: JSONStateCoder()))] {
      let restored = TestTree(restoring: copy, recording: [.failures])
      let second = restored.launch(HouseRouter(Self.restarts))
      restored.settle()
      #expect(second.room("slot") == nil && second.slot.route != nil && second.room("stack") != nil)
      #expect(restored.runningWork.contains { $0.contains("restart Room") })
      restored.advance(by: .seconds(1))
      #expect((second.slot.child as? RoomRouter)?.interactor.stateAtActivation == (isNew ? 0 : 7))
      restored.skip()
      restored.finish()
    }
    finish()
  }

  @Test(
    "whose saved state makes it fail again uses up its restarts, and the record keeps the state until its parent decides"
  )
  func poisoned() throws {
    let house = try launch()
    house.room("slot")?.savedState = 13
    test.settle()
    house.room("slot")?.fail(Failure())
    var states: [Bool] = []
    for _ in 0..<6 {
      test.settle()
      let saved = try #require(test.saves.last)
      states.append(try document(saved).contains("\"state\":13"))
      test.advance(by: .milliseconds(500))
    }
    // Pauses of one and two seconds; then the parent has given it up.
    #expect(states == [true, true, true, true, true, true])
    test.advance(by: .seconds(1))
    #expect(house.interactor.failures == ["House/Room failed: Failure"])
    test.expect(
      """
      House/Room failed: Failure
      House/Room failed: Failure
      House/Room failed: Failure
      House/Room restartsExhausted 2 of 2: Failure
      """)
    let last = try #require(test.saves.last)
    #expect(try !document(last).contains("13"))
    finish()
  }

  @Test("begins anew where its container says so, and in a tree that is not saved", arguments: [true, false])
  func fresh(isSaved: Bool) throws {
    let house: HouseRouter
    if isSaved {
      house = try launch(
        .upTo(2, within: .seconds(60), after: .exponential(from: .seconds(1), jitter: 0), with: .fresh))
    } else {
      house = test.launch(HouseRouter(Self.restarts))
      try house.furnish()
    }
    house.room("slot")?.savedState = 7
    test.settle()
    house.room("slot")?.fail(Failure())
    test.advance(by: .seconds(1))
    #expect(house.room("slot")?.stateAtActivation == 0)
    test.expect("House/Room failed: Failure", "House/Room restarted 1 of 2")
    finish()
  }

  @Test("is restored as it is in the save that is under way, whose calls are answered")
  func saveUnderWay() async throws {
    let gate = Gate()
    // That of the launch, which may be without this state, is not held.
    let store = CheckpointTests.Store(gate: gate, holding: "\"state\":1")
    let host = await TreeHost(
      configuration: TreeConfiguration(saving: store, onFailure: { _ in })
    ) {
      HouseRouter(.upTo(2, within: .seconds(60), after: .exponential(from: .milliseconds(1), jitter: 0)))
    }
    _ = try await host.unsaved { house in
      house.slot.route = "slot"
      house.room("slot")?.savedState = 1
    }
    await store.begins.wait(for: "save")
    // This is not captured while the first save is under way.
    let later = try await host.unsaved { $0.room("slot")?.savedState = 2 }
    try await host.perform { $0.room("slot")?.fail(Failure()) }
    let answer = try #require(later)
    let error = await #expect(throws: TreeFailure.self) { try await answer.result() }
    #expect(error?.outcome == .restarts)
    var state: Int?
    while state == nil {
      // A call of a tree that is free does not suspend, so that the pause of the restart could not end.
      await Task.yield()
      state = try await host.perform { $0.room("slot")?.stateAtActivation }
    }
    #expect(state == 1)
    gate.open()
    await host.shutdown()
  }

  @Test("fails a checkpoint of a call whose change it has lost, and of no other work")
  func checkpoint() async throws {
    let gate = Gate()
    let store = CheckpointTests.Store(gate: gate, holding: "\"state\":1")
    let host = await TreeHost(configuration: TreeConfiguration(saving: store, onFailure: { _ in })) {
      HouseRouter(.upTo(2, within: .seconds(60), after: .exponential(from: .seconds(60), jitter: 0)))
    }
    try await host.perform { house in
      house.slot.route = "slot"
      house.room("slot")?.savedState = 1
    }
    await store.begins.wait(for: "save")
    let journal = Journal()
    let error = await #expect(throws: TreeFailure.self) {
      try await host.perform { house in
        house.room("slot")?.savedState = 2
        house.interactor.task {
          try await house.interactor.checkpoint()
          journal.write("saved")
        }
        house.interactor.task { house.room("slot")?.fail(Failure()) }
        try await house.interactor.checkpoint()
      }
    }
    #expect(error?.outcome == .restarts)
    gate.open()
    await journal.wait(for: "saved")
    await host.shutdown()
  }

  @Test("is refused where its container builds another RIB, which would take its state")
  func other() throws {
    final class OtherRouter: Router<RoomInteractor> {}
    let house = try launch()
    house.room("slot")?.savedState = 7
    test.settle()
    house.build = { OtherRouter(interactor: RoomInteractor($0)) }
    house.room("slot")?.fail(Failure())
    test.settle()
    test.advance(by: .seconds(1))
    #expect(house.slot.child == nil)
    #expect(test.transcript.lines.contains { $0.contains("Room is saved in \"slot\"") }, "\(test.transcript.lines)")
    finish()
  }

  @Test("is released where its state, as it is restored, removes its route", arguments: ["slot", "stack"])
  func removed(_ name: String) throws {
    let house = try launch()
    house.room(name)?.savedState = 7
    test.settle()
    house.build = { [unowned house] route in
      let room = RoomRouter(route)
      guard route == name else { return room }
      room.interactor.onSet = { _ in
        house.slot.route = "next"
        house.stack.pop()
      }
      return room
    }
    house.room(name)?.fail(Failure())
    test.settle()
    test.advance(by: .seconds(1))
    #expect(house.room(name) == nil)
    #expect((house.slot.child as? RoomRouter)?.interactor.name == "next" && house.stack.child == nil)
    finish()
  }

  @Test("is restarted when it is uncovered, if its stack keeps covered children, also in a restored tree")
  func coveredItself() throws {
    let house = try launch()
    house.room("stack")?.savedState = 7
    test.settle()
    house.room("stack")?.fail(Failure())
    test.settle()
    house.stack.push("cover")
    test.advance(by: .seconds(100))
    #expect(house.room("stack") == nil && test.runningWork == [])
    let restored = TestTree(restoring: test.saves.last, recording: [.failures])
    for (tree, house) in [(test, house), (restored, restored.launch(HouseRouter(Self.restarts)))] {
      tree.settle()
      #expect(house.stack.routes == ["stack", "cover"] && house.room("cover") != nil)
      house.stack.pop()
      // The restored tree has built it as a covered child.
      #expect(house.room("stack")?.stateAtActivation == (tree === test ? nil : 7))
      tree.advance(by: .seconds(2))
      #expect(house.room("stack")?.stateAtActivation == 7)
    }
    restored.skip()
    restored.finish()
    finish()
  }

  @Test("is built anew when it is uncovered while its owner is inactive")
  func uncoveredInactive() throws {
    let house = try launch()
    house.room("stack")?.fail(Failure())
    test.settle()
    house.stack.push("cover")
    house.interactor.deactivate()
    house.stack.pop()
    #expect(house.stack.child != nil)
    house.interactor.activate()
    #expect(house.room("stack") != nil)
    finish()
  }

  @Test("ends its restart if its state, as it is restored, covers it, and is restarted again when it is uncovered")
  func coveringItself() throws {
    let house = try launch()
    house.room("stack")?.savedState = 7
    test.settle()
    house.build = { [unowned house] route in
      let room = RoomRouter(route)
      if route == "stack" { room.interactor.onSet = { _ in house.stack.push("cover") } }
      return room
    }
    house.room("stack")?.fail(Failure())
    test.advance(by: .seconds(1))
    #expect(house.room("cover") != nil && house.room("stack") == nil)
    house.build = { RoomRouter($0) }
    house.stack.pop()
    test.advance(by: .seconds(2))
    #expect(house.room("stack")?.stateAtActivation == 7)
    #expect(!test.runningWork.contains { $0.contains("restart") })
    finish()
  }

  @Test("is not saved in a stack from which it was removed, if it has ended its tree then")
  func endingStack() throws {
    let house = try launch()
    house.room("stack")?.onResign = { house.endTree() }
    house.stack.pop()
    test.settle()
    #expect(try !document(test.saves.last).contains("\"at\":\"stack\""))
    house.interactor.failures = []
    test.skip()
    test.finish()
  }

  @Test("is lost if its owner is covered when the tree is restored during the pause")
  func covered() throws {
    final class CoverRouter: Router<HouseInteractor> {
      lazy var stack = ChildStack<String>(of: self, covered: .kept) { _, name in
        name == "house" ? HouseRouter(RestartedStateTests.restarts) : RoomRouter(name)
      }
      var covers = false
      override var savedChildren: [SavedChildren] { [stack.saved(as: "stack")] }

      init() { super.init(interactor: HouseInteractor()) }

      override func didLoad() {
        super.didLoad()
        stack.begin(with: "house")
        if covers { stack.push("cover") }
      }
    }
    let saving = TestTree(recording: [.failures])
    let first = saving.launch(CoverRouter())
    let house = try #require(first.stack.child as? HouseRouter)
    house.slot.route = "slot"
    house.room("slot")?.fail(Failure())
    saving.settle()
    let restored = TestTree(restoring: saving.tree?.save(), recording: [.failures])
    let second = CoverRouter()
    second.covers = true
    restored.launch(second)
    second.stack.pop()
    let copy = try #require(second.stack.child as? HouseRouter)
    #expect(copy.slot.route == nil)
    copy.slot.route = "slot"
    #expect(copy.room("slot") != nil)
    for tree in [saving, restored] {
      tree.skip()
      tree.finish()
    }
  }

  @Test("is not answered as saved by the call in whose turn it is discarded", arguments: [false, true])
  func discardedInTurn(endsTree: Bool) async throws {
    let store = CheckpointTests.Store()
    let host = await TreeHost(configuration: TreeConfiguration(saving: store, onFailure: { _ in })) {
      HouseRouter(.upTo(2, within: .seconds(60), after: .exponential(from: .seconds(60), jitter: 0)))
    }
    let first = try await host.unsaved { house in
      house.slot.route = "slot"
      house.room("slot")?.savedState = 1
    }
    try await #require(first).result()
    let second = try await host.unsaved { house in
      house.room("slot")?.savedState = 2
      house.room("slot")?.fail(Failure())
      if endsTree { house.endTree() }
    }
    let answer = try #require(second)
    let error = await #expect(throws: TreeFailure.self) { try await answer.result() }
    #expect(error?.outcome == .restarts)
    // The next call has lost nothing.
    if !endsTree { try await #require(try await host.unsaved { $0.stack.push("stack") }).result() }
    await host.shutdown()
    let last = try #require(store.journal.lines.last)
    #expect(last.contains("\"state\":1") && !last.contains("\"state\":2"))
  }

  @Test("is not brought back by a restore where it was lost during the pause, in a stack")
  func lost() throws {
    let house = try launch()
    house.room("stack")?.fail(Failure())
    house.interactor.cancel("restart Room")
    test.settle()
    let saved = try document()
    #expect(saved.contains("\"lost\":{\"stack\":0}"))
    let restored = TestTree(restoring: try SavedTree(Array(saved.utf8)), recording: [.failures])
    let second = restored.launch(HouseRouter(Self.restarts))
    restored.advance(by: .seconds(100))
    #expect(second.stack.routes == ["stack"] && second.stack.child == nil && second.room("slot") != nil)
    #expect(try restored.tree?.save().encoded(by: JSONStateCoder()) == Array(saved.utf8))
    // Documents of earlier versions don't tell: there the child was about to be restarted.
    let old = TestTree(
      restoring: try SavedTree(Array(saved.replacing(",\"lost\":{\"stack\":0}", with: "").utf8)),
      recording: [.failures])
    let third = old.launch(HouseRouter(Self.restarts))
    old.advance(by: .seconds(100))
    #expect(third.stack.child != nil)
    for tree in [restored, old] {
      tree.skip()
      tree.finish()
    }
    finish()
  }
}
