// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting

/// A tree of one shape, whose containers restart children at some places, and in which user code does one thing at one
/// moment.
struct PlaceTrial {
  /// What user code does.
  enum Action {
    case fail(Int)
    /// Another route or model takes the place of a child that a container has.
    case reroute(Int)
    case empty(Int)
    case detach(Int)
    /// The pauses of a RIB's children are cancelled by name.
    case cancelPauses(Int)
    case end

    var isFailure: Bool { if case .fail = self { true } else { false } }
  }

  /// The tree; a place is a node of it.
  let shape: Shape
  /// The bit set of the places whose child is restarted. The others are attached by code.
  let restarted: Int
  /// Whether the children of a RIB are in a list, and share its limit, or in slots.
  let usesLists: Bool
  /// Whether a RIB's children are attached by its builder, or when it has become active.
  let buildsWhole: Bool
  /// Whether each event is a moment of user code.
  let isObserved: Bool
  /// The place that fails first, from outside; 0 for none.
  let first: Int
  /// What user code does when it is called for the time `at`.
  var reaction: (at: Int, does: Action)?

  /// All trials of a shape without a reaction.
  static func all(_ shape: Shape) -> [PlaceTrial] {
    let flags = [false, true]
    return (0..<1 << (shape.count - 1)).flatMap { mask in
      flags.flatMap { usesLists in
        flags.flatMap { buildsWhole in
          flags.flatMap { isObserved in
            (0..<shape.count).map { first in
              PlaceTrial(
                shape: shape, restarted: mask << 1, usesLists: usesLists, buildsWhole: buildsWhole,
                isObserved: isObserved, first: first)
            }
          }
        }
      }
    }
  }

  var actions: [Action] {
    let places = Array(0..<shape.count)
    return places.map { .fail($0) } + [.end] + places.map { .cancelPauses($0) }
      + places.dropFirst().flatMap { [.reroute($0), .empty($0), .detach($0)] }
  }

  func restarts(_ place: Int) -> Bool { restarted & 1 << place != 0 }

  /// Whether a failure at a place is answered by a restart, as long as no limit is reached.
  func isSupervised(_ place: Int) -> Bool {
    var place = place
    while place > 0 {
      if restarts(place) { return true }
      place = shape.parents[place - 1]
    }
    return false
  }

  /// Plays the trial.
  ///
  /// - Returns: what is wrong, or nil; and the number of moments.
  func play() -> (wrong: String?, moments: Int) {
    let world = PlaceWorld(self)
    let wrong = world.play()
    return (wrong.map { "\(self)\n  \($0)" }, world.momentCount)
  }
}

/// The RIBs of a trial, and what has happened to them.
final class PlaceWorld {
  static let pause = Duration.seconds(1)

  let trial: PlaceTrial
  private let test = TestTree(recording: [])
  private let root: PlaceRouter
  private(set) var momentCount = 0
  private(set) var instanceCount = 0
  fileprivate var liveCount = 0
  /// What instances received, for the invariants of the lifecycle.
  private var lines: [Line] = []
  private var problem: String?
  /// The instances that have become active and not resigned, by number.
  private var active: [Int: WeakRouter] = [:]
  /// When the last instance of a place has resigned.
  private var resignTimes: [Duration?]
  /// The last instance that was built for each place.
  private var latest: [WeakRouter]
  private var failures: [Int] = []
  private var isOver = false

  private struct WeakRouter { weak var router: PlaceRouter? }

  init(_ trial: PlaceTrial) {
    self.trial = trial
    resignTimes = Array(repeating: nil, count: trial.shape.count)
    latest = Array(repeating: WeakRouter(), count: trial.shape.count)
    root = PlaceRouter(0, 0, trial)
    root.join(self)
    add(root)
  }

  private var now: Duration { test.clock.now.sinceBeginning }

  // MARK: Called by the RIBs

  func build(_ place: Int) -> PlaceRouter {
    record(nil)
    if let time = resignTimes[place], now < time + Self.pause, trial.reaction?.does.isFailure ?? true {
      problem = problem ?? "\(place) was built \(now - time) after it had resigned"
    }
    let router = PlaceRouter(place, instanceCount, trial)
    router.join(self)
    add(router)
    return router
  }

  private func add(_ router: PlaceRouter) {
    instanceCount += 1
    liveCount += 1
    latest[router.place] = WeakRouter(router: router)
    if trial.buildsWhole { router.fill() }
  }

  /// - Parameter router: nil if it is gone.
  fileprivate func record(_ moment: Moment?, _ number: Int = -1, _ router: PlaceRouter? = nil) {
    if let router {
      switch moment {
      case .didBecomeActive: didBecomeActive(router)
      case .willResignActive:
        active[number] = nil
        resignTimes[router.place] = now
      default: break
      }
    }
    if let moment { lines.append(Line(moment: moment, node: number)) }
    guard !isOver else { return }
    momentCount += 1
    if let reaction = trial.reaction, reaction.at == momentCount - 1 { perform(reaction.does) }
  }

  /// Nothing of an earlier child is active when the next one becomes active.
  private func didBecomeActive(_ router: PlaceRouter) {
    for case let other? in active.values.map(\.router) where isBelow(other.place, router.place) {
      var ancestor: RouterNode? = other
      while let node = ancestor, node !== router { ancestor = node.parentNode }
      guard ancestor == nil, !allowsOverlap(router.place) else { continue }
      problem = problem ?? "\(router.place) becomes active while another \(other.place) is"
    }
    active[router.number] = WeakRouter(router: router)
  }

  /// Whether a place is given another child in a callback of a RIB that resigns below the old one. That one resigns
  /// after the callback.
  private func allowsOverlap(_ place: Int) -> Bool {
    guard case .reroute(let rerouted)? = trial.reaction?.does else { return false }
    return isBelow(place, rerouted) && trial.first != rerouted && isBelow(trial.first, rerouted)
  }

  private func isBelow(_ place: Int, _ ancestor: Int) -> Bool {
    var place = place
    while place > ancestor { place = trial.shape.parents[place - 1] }
    return place == ancestor
  }

  // MARK: Actions

  private func perform(_ action: PlaceTrial.Action) {
    switch action {
    case .fail(let place):
      failures.append(place)
      latest[place].router?.interactor.fail(Failure())
    case .reroute(let place): parent(of: place)?.reroute(place)
    case .empty(let place): parent(of: place)?.empty(place)
    case .detach(let place):
      guard let router = latest[place].router, let parent = parent(of: place) else { return }
      if parent.children.contains(where: { $0 === router }) { parent.detachChild(router) }
    case .cancelPauses(let place): latest[place].router?.interactor.cancel("restart Place")
    case .end: test.tree?.end()
    }
  }

  private func parent(of place: Int) -> PlaceRouter? { latest[trial.shape.parents[place - 1]].router }

  // MARK: The course

  /// Launches the tree, lets a place fail, waits for all restarts, and ends the tree.
  ///
  /// - Returns: what is wrong, or nil.
  func play() -> String? {
    root.interactor.onFirstActivation = { [unowned self] in
      guard trial.isObserved else { return }
      _ = test.tree?.events.subscribe(onNext: { [unowned self] _ in record(nil) }, onCompleted: nil)
    }
    test.launch(root)
    if trial.first > 0 { perform(.fail(trial.first)) }
    for step in [Duration.zero, .milliseconds(500), .seconds(1), .seconds(100)] {
      // Between turns, too, code outside may do something.
      record(nil)
      test.advance(by: step)
      if let wrong = problem ?? wrongAtRest { return finish() ?? "at \(now): \(wrong)" }
    }
    let wrong = wrongAtLast
    return finish() ?? wrong
  }

  /// What is wrong while no code of the tree runs, or nil.
  private var wrongAtRest: String? {
    var routers = [root]
    while let router = routers.popLast() {
      let children = router.children.compactMap { $0 as? PlaceRouter }
      if let wrong = router.wrong(children) { return "\(router.place): \(wrong)" }
      for child in children where child.interactor.isActive != router.interactor.isActive {
        return "\(child.place) is \(child.interactor.isActive ? "active" : "inactive"), and its parent is not"
      }
      routers += children
    }
    return nil
  }

  /// What is wrong when all restarts are over, after failures only: the tree is whole, or has ended because a failure
  /// had no container above it that restarts.
  private var wrongAtLast: String? {
    guard trial.reaction?.does.isFailure ?? true else { return nil }
    guard root.interactor.isActive else {
      return failures.contains { !trial.isSupervised($0) } ? nil : "the tree has ended after failures at \(failures)"
    }
    var counts = Array(repeating: 0, count: trial.shape.count)
    for case let router? in active.values.map(\.router) { counts[router.place] += 1 }
    return counts.allSatisfy { $0 == 1 } ? nil : "the places have \(counts) active RIBs after failures at \(failures)"
  }

  /// Ends all.
  ///
  /// - Returns: what is wrong, or nil.
  private func finish() -> String? {
    isOver = true
    test.tree?.end()
    test.settle()
    _ = test.takeMisuses()
    let unfinished = test.runningWork
    test.finish()
    if !unfinished.isEmpty { return "work outlives the tree: \(unfinished)" }
    if let problem { return problem }
    if !active.isEmpty { return "\(active.count) RIBs are active after the end" }
    root.clear()
    // The root is held here.
    if liveCount != 1 { return "\(liveCount - 1) RIBs are still alive" }
    return Invariants.check(lines, nodeCount: instanceCount)
  }
}

/// A model of a child in a list.
struct PlaceModel: Identifiable, Equatable {
  let place: Int
  var generation = 0
  var id: [Int] { [place, generation] }
}

final class PlaceRouter: Router<PlaceInteractor>, ModelRouting {
  let place: Int
  let number: Int
  private let trial: PlaceTrial
  private unowned(unsafe) var world: PlaceWorld?
  private var slots: [Int: ChildSlot<Int>] = [:]
  private var list: ChildList<PlaceModel>?
  /// The places of the children that are restarted, and of the others.
  private let restarted: [Int]
  private let plain: [Int]

  init(_ place: Int, _ number: Int, _ trial: PlaceTrial) {
    self.place = place
    self.number = number
    self.trial = trial
    let places = trial.shape.children(of: place)
    restarted = places.filter { trial.restarts($0) }
    plain = places.filter { !trial.restarts($0) }
    super.init(interactor: PlaceInteractor())
    // More than a trial has failures: no limit is reached.
    let restarts = Restarts.upTo(
      3, within: .seconds(3600), after: .exponential(from: PlaceWorld.pause, to: .seconds(10), jitter: 0))
    if trial.usesLists {
      list = ChildList(of: self, restarts: restarts) { router, model in router.build(model.place) }
    } else {
      for child in restarted {
        slots[child] = ChildSlot(of: self, restarts: restarts) { router, _ in router.build(child) }
      }
    }
  }

  deinit {
    world?.liveCount -= 1
    world?.record(nil)
  }

  fileprivate func join(_ world: PlaceWorld) {
    self.world = world
    interactor.record = { [number, weak self, unowned(unsafe) world] moment in world.record(moment, number, self) }
    interactor.onChildFailure = { [unowned(unsafe) world] in world.record(nil) }
  }

  private func build(_ place: Int) -> PlaceRouter {
    guard let world else { preconditionFailure("There is no world.") }
    return world.build(place)
  }

  override func didLoad() {
    super.didLoad()
    interactor.record(.didLoad)
    if !trial.buildsWhole { fill() }
  }

  func didUpdate(to model: PlaceModel, from previous: PlaceModel) {}

  /// Attaches the children.
  func fill() {
    if !restarted.isEmpty, list != nil { update { _ in restarted.map { PlaceModel(place: $0) } } }
    for child in restarted { slots[child]?.route = 0 }
    for child in plain { attachChild(build(child)) }
  }

  private func update(_ change: ([PlaceModel]) -> [PlaceModel]) {
    guard let list else { return }
    do { try list.update(change(list.models)) } catch { preconditionFailure("\(error)") }
  }

  func reroute(_ child: Int) {
    if let slot = slots[child] { slot.route = (slot.route ?? 0) + 1 }
    guard restarted.contains(child) else { return }
    update { models in
      models.filter { $0.place != child }
        + [PlaceModel(place: child, generation: (models.first { $0.place == child }?.generation ?? 0) + 1)]
    }
  }

  func empty(_ child: Int) {
    slots[child]?.route = nil
    if restarted.contains(child) { update { models in models.filter { $0.place != child } } }
  }

  /// Releases what is below.
  func clear() {
    for slot in slots.values { slot.route = nil }
    update { _ in [] }
    for child in children { detachChild(child) }
  }

  /// What is wrong with the containers while no code of the tree runs, or nil.
  func wrong(_ children: [PlaceRouter]) -> String? {
    var missing = 0
    var expected: [PlaceRouter] = []
    for (place, slot) in slots {
      let child = slot.child as? PlaceRouter
      if let child { expected.append(child) }
      if let child, child.place != place || slot.route == nil { return "the slot of \(place) has \(child.place)" }
      if slot.route != nil, child == nil { missing += 1 }
    }
    if let list {
      for model in list.models {
        guard let child = list[id: model.id] as? PlaceRouter else {
          missing += 1
          continue
        }
        if child.place != model.place { return "the model of \(model.place) has \(child.place)" }
        expected.append(child)
      }
    }
    if let lost = expected.first(where: { child in !children.contains { $0 === child } }) {
      return "\(lost.place) is not attached"
    }
    if let other = children.first(where: { child in
      !plain.contains(child.place) && !expected.contains { $0 === child }
    }) {
      return "\(other.place) is attached, and in no container"
    }
    if Set(children.map(\.place)).count != children.count { return "two children of one place" }
    if (missing > 0) != interactor.isRunning("restart Place") {
      return "\(missing) children are to be restarted, and there are \(missing > 0 ? "no pauses" : "pauses")"
    }
    return nil
  }
}

final class PlaceInteractor: MomentInteractor {
  fileprivate var onFirstActivation: (() -> Void)?
  fileprivate var onChildFailure: () -> Void = {}

  override func didBecomeActive() {
    onFirstActivation?()
    onFirstActivation = nil
    super.didBecomeActive()
  }

  override func childDidFail(_ failure: ChildFailure) {
    onChildFailure()
    super.childDidFail(failure)
  }
}
