// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A RIB that reports its callbacks, its streams, and the end of what is bound to it.
class MomentRouter: Router<MomentInteractor> {
  init() { super.init(interactor: MomentInteractor()) }

  final func report(to record: @escaping (Moment) -> Void) {
    interactor.record = record
    _ = interactor.isActiveStream.subscribe { isActive in record(isActive ? .streamTrue : .streamFalse) }
    _ = lifecycle.subscribe { _ in record(.lifecycle) }
  }

  override func didLoad() {
    super.didLoad()
    interactor.record(.didLoad)
  }
}

class MomentInteractor: Interactor {
  var record: (Moment) -> Void = { _ in }

  override func didBecomeActive() {
    super.didBecomeActive()
    Disposables.create { [record] in record(.disposed) }.disposeOnDeactivate(interactor: self)
    record(.didBecomeActive)
  }

  override func willResignActive() {
    super.willResignActive()
    record(.willResignActive)
  }
}

/// Lets the handlers of a configuration, which may not capture anything of a tree, reach a world on the same actor.
final class WorldReference<World: AnyObject>: @unchecked Sendable {
  weak var world: World?
}
