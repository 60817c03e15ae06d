// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting

/// Everything a walk acts on: the trees of one actor, their RIBs, and what has been started there.
final class ScopeWorld {
  /// Calls a closure with the world, on its actor.
  typealias Door = @Sendable (_ body: @Sendable (ScopeWorld) -> Void) -> Void

  static let deepest = 4
  static let mostRouters = 20

  let ledger: ScopeLedger
  var random: SplitMix
  let clock: TestClock
  let door: Door?
  let executors: DrivenExecutors?
  /// Where trees are launched; nil if that is known in tasks only.
  let home: (any Actor)?
  /// Whether the calling code runs on the actor, as far as that can be determined.
  private let isOnActor: () -> Bool
  /// The root of the tree of the host that the world is in.
  weak var hostRoot: ScopeRouter?
  /// Whether nothing waits for the walk any more.
  private var isOver = false
  /// Called by the walk now and then, in any callback.
  var outside: (() -> Void)?

  let course: ScopeCourse
  private let choices: [ScopeAction]
  /// Whether RIBs are activated by hand, which are active outside trees then.
  let activatesByHand: Bool
  /// How many actions are left.
  var budget: Int
  private var depth = 0
  private(set) var moments = [Int](repeating: 0, count: ScopeMoment.allCases.count)
  private(set) var actions = [Int](repeating: 0, count: ScopeAction.allCases.count)

  var trees: [ScopeTree] = []
  /// The observers of all trees that were launched.
  var observers: [(handled: ScopeEvents?, subscribed: ScopeEvents?)] = []
  /// How many tasks of trees wait for the shutdown of one.
  var insideShutdowns = 0
  /// The routers that the walk holds itself, attached or not.
  var held: [ScopeRouter] = []
  private var places: [WeakRouter] = []
  private var freePlaces: [Int] = []
  private(set) var routerCount = 0

  let relay = PublishRelay<Int>()
  let state = BehaviorRelay(value: 0)
  var disposables: [any Disposable] = []
  var workers: [ScopeWorker] = []
  /// The handles of some of the work.
  var handles: [(handle: BoundWork.Handle, cancellation: ScopeCancellation)] = []
  var workflows: [(disposable: any Disposable, run: ScopeWorkflow.Run)] = []
  /// Chains of steps that are committed later.
  var laterCommits: [() -> Void] = []
  private var stubborn: [CheckedContinuation<Void, Never>] = []
  private var signals: [AsyncStream<Void>.Continuation] = []

  private struct WeakRouter { weak var router: ScopeRouter? }

  init(
    _ ledger: ScopeLedger, on course: ScopeCourse = .everything, home: (any Actor)?, door: Door?,
    executors: DrivenExecutors? = nil, isOnActor: @escaping () -> Bool = { true }
  ) {
    self.ledger = ledger
    self.course = course
    choices = ScopeAction.allCases.flatMap { Array(repeating: $0, count: course.weight(of: $0)) }
    self.home = home
    self.door = door
    self.executors = executors
    self.isOnActor = isOnActor
    clock = TestClock()
    random = SplitMix(ledger.seed)
    activatesByHand = random.below(2) == 0 || course == .workers
    budget = 20 + random.below(180)
  }

  var isHome: Bool { isOnActor() }

  // MARK: Acting

  /// Does something now and then, in a callback.
  func act(_ moment: ScopeMoment, _ subject: ScopeInteractor? = nil) {
    moments[moment.rawValue] += 1
    if moment == .outside {
      for worker in workers { worker.check() }
    } else if course == .correct {
      return
    }
    guard budget > 0, depth < ScopeWorld.deepest, random.below(moment == .outside ? 1 : 3) == 0 else { return }
    depth += 1
    withMisuseHandler({ [ledger, course] in if course == .correct { ledger.fail("refused: \($0)") } }) {
      repeat {
        budget -= 1
        perform(subject, in: moment)
      } while budget > 0 && random.below(3) == 0
    }
    depth -= 1
  }

  private func perform(_ subject: ScopeInteractor?, in moment: ScopeMoment) {
    let action = choices[random.below(choices.count)]
    actions[action.rawValue] += 1
    ledger.trace("\(String(repeating: ">", count: depth)) \(action) of \(subject?.name ?? "-") in \(moment)")
    perform(action, subject)
    ledger.trace("\(String(repeating: "<", count: depth)) \(action)")
  }

  /// A piece of work, or what it captured, is released.
  func didRelease(_ mark: ScopeMark) {
    ledger.expect(isHome, "\(mark.kind) \(mark.number) is released off its tree")
    act(.captureDeinit)
  }

  // MARK: Choosing

  func add(_ router: ScopeRouter) {
    routerCount += 1
    if let place = freePlaces.popLast() {
      router.place = place
      places[place].router = router
    } else {
      router.place = places.count
      places.append(WeakRouter(router: router))
    }
  }

  func remove(_ router: ScopeRouter) {
    routerCount -= 1
    places[router.place].router = nil
    freePlaces.append(router.place)
  }

  /// All routers that are there.
  var routers: [ScopeRouter] { places.compactMap(\.router) }

  /// Any router; one in two times that of the callback.
  func router(_ subject: ScopeInteractor? = nil) -> ScopeRouter? {
    if let router = subject?.router, random.below(2) == 0 { return router }
    for _ in 0..<4 where !places.isEmpty {
      if let router = places[random.below(places.count)].router { return router }
    }
    return nil
  }

  /// An interactor, which is usually active, or always if nothing may be refused.
  func interactor(_ subject: ScopeInteractor? = nil) -> ScopeInteractor? {
    if let subject, random.below(2) == 0 { return subject }
    var last: ScopeInteractor?
    for _ in 0..<3 {
      last = router(subject)?.interactor ?? last
      if last?.isActive == true { return last }
    }
    return course == .correct ? nil : last
  }

  /// A router of its own, if there are not too many.
  func newRouter() -> ScopeRouter? {
    guard routerCount < ScopeWorld.mostRouters else { return nil }
    let router = ScopeRouter(ledger)
    router.join(self)
    return router
  }

  /// The parent of a router, as far as it is a router of the walk.
  func parent(of child: ScopeRouter) -> ScopeRouter? {
    routers.first { $0.children.contains { $0 === child } }
  }

  // MARK: Waiting

  func pause() -> ScopePlan.Pause { ScopePlan.Pause.allCases[random.below(ScopePlan.Pause.allCases.count)] }

  nonisolated(nonsending) func pause(_ pause: ScopePlan.Pause) async {
    switch isOver ? .yield : pause {
    case .yield: await Task.yield()
    case .leave: await ledger.leave()
    case .sleep: try? await clock.sleep(for: .seconds(1))
    case .stubborn:
      await withCheckedContinuation { continuation in
        // Checked here: the call may suspend before it runs this (Swift 6.3), and all that wait may be resumed meanwhile.
        if isOver { continuation.resume() } else { stubborn.append(continuation) }
      }
    case .signal:
      let (stream, signal) = AsyncStream<Void>.makeStream()
      signals.append(signal)
      for await _ in stream {}
    }
  }

  /// Resumes all that wait, now and from now on.
  func resumeAll() {
    isOver = true
    while resumeOne() {}
    clock.advance(by: .seconds(60))
  }

  /// Resumes one of those that wait.
  ///
  /// - Returns: whether any was waiting.
  @discardableResult
  func resumeOne() -> Bool {
    if !stubborn.isEmpty, random.below(2) == 0 || signals.isEmpty {
      stubborn.remove(at: random.below(stubborn.count)).resume()
      return true
    }
    guard !signals.isEmpty else { return false }
    signals.remove(at: random.below(signals.count)).finish()
    return true
  }
}
