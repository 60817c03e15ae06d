// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists

/// A RIB with a container of each kind, whose children are like it. Their routes are their names.
final class SupervisedRouter: Router<SupervisedInteractor>, ModelRouting {
  let name: String
  private let world: SupervisedWorld
  private let restarts: Restarts

  private(set) lazy var slot = ChildSlot<String>(of: self, restarts: restarts) { router, name in
    router.world.build(name, router.restarts)
  }
  private(set) lazy var stack = ChildStack<String>(of: self, covered: .kept, restarts: restarts) { router, name in
    router.world.build(name, router.restarts)
  }
  private(set) lazy var list = ChildList<SupervisedModel>(of: self, restarts: restarts) { router, model in
    router.world.build(model.id, router.restarts)
  }

  init(_ name: String, _ restarts: Restarts, _ world: SupervisedWorld) {
    self.name = name
    self.world = world
    self.restarts = restarts
    super.init(interactor: SupervisedInteractor(name, world))
  }

  func didUpdate(to model: SupervisedModel, from previous: SupervisedModel) {
    world.write?("\(name) updated to \(model.value)")
  }

  /// The children, by name.
  var childNames: [String] { children.map { ($0 as? SupervisedRouter)?.name ?? "?" } }

  /// The child with a name.
  func child(_ name: String) -> SupervisedRouter? {
    children.lazy.compactMap { $0 as? SupervisedRouter }.first { $0.name == name }
  }
}

struct SupervisedModel: Identifiable, Equatable {
  let id: String
  var value = 0
}

final class SupervisedInteractor: Interactor {
  let name: String
  private let world: SupervisedWorld
  var answer: ((Interactor.ChildFailure) -> Void)?
  /// Called with a closure that calls `super`.
  var onFail: ((_ pass: () -> Void) -> Void)?

  init(_ name: String, _ world: SupervisedWorld) {
    self.name = name
    self.world = world
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    world.write?("\(name) active")
    world.activeCount += 1
    world.onActive?(self)
  }

  override func willResignActive() {
    super.willResignActive()
    world.write?("\(name) resigns")
    world.activeCount -= 1
    world.onResign?(self)
  }

  override func childDidFail(_ failure: ChildFailure) {
    if let answer { answer(failure) } else { pass(failure) }
  }

  /// Passes a failure on to the parent.
  func pass(_ failure: ChildFailure) { super.childDidFail(failure) }

  override func didFail(_ error: any Error, of work: BoundWork) {
    let pass = { super.didFail(error, of: work) }
    if let onFail { onFail(pass) } else { pass() }
  }
}

/// What the RIBs of a test share.
final class SupervisedWorld {
  var write: ((String) -> Void)?
  var onActive: ((SupervisedInteractor) -> Void)?
  var onResign: ((SupervisedInteractor) -> Void)?
  var onBuild: ((SupervisedRouter) -> Void)?
  var activeCount = 0
  /// Returned in place of a new RIB.
  var cached: SupervisedRouter?

  func build(_ name: String, _ restarts: Restarts) -> SupervisedRouter {
    write?("build \(name)")
    let router = cached ?? SupervisedRouter(name, restarts, self)
    onBuild?(router)
    return router
  }
}
