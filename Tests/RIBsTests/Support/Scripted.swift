// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// RIBs whose callbacks are closures.
enum Scripted {
  final class Interactor: RIBs.Interactor {
    var onActive: ((Interactor) -> Void)?
    var onResign: ((Interactor) -> Void)?
    var onFail: ((any Error) -> Void)?
    var onDeinit: (() -> Void)?
    var summary: String?
    /// What a test reaches through the interactor.
    weak var attachment: AnyObject?

    override func didBecomeActive() {
      super.didBecomeActive()
      onActive?(self)
    }

    override func willResignActive() {
      super.willResignActive()
      onResign?(self)
    }

    override func didFail(_ error: any Error, of work: BoundWork) { onFail?(error) }
    override var treeSummary: String? { summary }

    deinit { onDeinit?() }
  }

  class Router: RIBs.Router<Interactor> {
    var onLoad: ((Router) -> Void)?
    /// What a test reaches through the router.
    var attachment: AnyObject?

    init() { super.init(interactor: Interactor()) }

    override func didLoad() {
      super.didLoad()
      onLoad?(self)
    }
  }

  final class RootRouter: Router {}
  final class ChildRouter: Router {}
  final class LeafRouter: Router {}
}

extension RouterNode {
  /// The first child, which is the only one.
  var onlyChild: Scripted.ChildRouter? { children.first as? Scripted.ChildRouter }
}

struct Failure: Error, Hashable, CustomStringConvertible {
  var description: String { "Failure" }
}
