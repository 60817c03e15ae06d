// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// RIBs whose callbacks are closures.
enum Scripted {
  final class Interactor: RIBs.Interactor {
    var onActive: ((Interactor) -> Void)?
    var onResign: ((Interactor) -> Void)?

    override func didBecomeActive() {
      super.didBecomeActive()
      onActive?(self)
    }

    override func willResignActive() {
      super.willResignActive()
      onResign?(self)
    }
  }

  class Router: RIBs.Router<Interactor> {
    init() { super.init(interactor: Interactor()) }
  }

  final class RootRouter: Router {}
  final class ChildRouter: Router {}
  final class LeafRouter: Router {}
}

struct Refusal: Error, CustomStringConvertible {
  var description = "refused"
}
