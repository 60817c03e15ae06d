// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

// A session of seven RIBs, as a server holds one for each user: two features of two parts each. Each part counts; the
// session publishes the sum.

package protocol SessionDependency: Dependency {}
package protocol CounterListener: AnyObject { func didCount(_ amount: Int) }

final class SessionComponent: Component<any SessionDependency>, SessionDependency {}

final class SessionRootComponent: Component<any EmptyDependency>, SessionDependency {}

/// A RIB that checks a command, changes its state, and notifies its parent.
package final class CounterInteractor: Interactor, CounterListener {
  private var count = 0
  weak var listener: (any CounterListener)?

  /// Accepts amounts from one to a thousand.
  package func add(_ amount: Int) throws {
    guard amount > 0, amount <= 1_000 else { throw CommandRefused() }
    count &+= amount
    listener?.didCount(amount)
  }

  package func didCount(_ amount: Int) {
    count &+= amount
    listener?.didCount(amount)
  }
}

package struct CommandRefused: Error {
  package init() {}
}

package final class CounterRouter: Router<CounterInteractor> {
  let component: SessionComponent

  init(interactor: CounterInteractor, component: SessionComponent) {
    self.component = component
    super.init(interactor: interactor)
  }
}

final class CounterBuilder: Builder<any SessionDependency> {
  func build(withListener listener: any CounterListener) -> CounterRouter {
    let interactor = CounterInteractor()
    interactor.listener = listener
    return CounterRouter(interactor: interactor, component: SessionComponent(dependency: dependency))
  }
}

package final class SessionInteractor: Interactor, CounterListener {
  package let total = BehaviorRelay(value: 0)

  package func didCount(_ amount: Int) { total.accept(total.value &+ amount) }
}

package final class SessionRouter: Router<SessionInteractor> {
  private let component: SessionRootComponent
  /// The parts that receive commands.
  package private(set) var parts: [CounterRouter] = []

  package init() {
    component = SessionRootComponent(dependency: EmptyComponent())
    super.init(interactor: SessionInteractor())
  }

  package override func didLoad() {
    super.didLoad()
    for _ in 0..<2 {
      let feature = CounterBuilder(dependency: component).build(withListener: interactor)
      attachChild(feature)
      for _ in 0..<2 {
        let part = CounterBuilder(dependency: feature.component).build(withListener: feature.interactor)
        feature.attachChild(part)
        parts.append(part)
      }
    }
  }
}
