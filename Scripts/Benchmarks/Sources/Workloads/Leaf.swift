// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

// A typical RIB without logic, to attach and detach.

package protocol LeafDependency: Dependency {}
package protocol LeafListener: AnyObject {}
package protocol LeafRouting: Routing {}
package protocol LeafInteractable: Interactable {
  var router: (any LeafRouting)? { get set }
  var listener: (any LeafListener)? { get set }
}

package final class LeafComponent: Component<any LeafDependency> {}

package final class LeafInteractor: Interactor, LeafInteractable {
  package weak var router: (any LeafRouting)?
  package weak var listener: (any LeafListener)?
}

package final class LeafRouter: Router<any LeafInteractable>, LeafRouting {
  package let component: LeafComponent

  init(interactor: any LeafInteractable, component: LeafComponent) {
    self.component = component
    super.init(interactor: interactor)
    interactor.router = self
  }
}

package final class LeafBuilder: Builder<any LeafDependency> {
  @inline(never)
  package func build(withListener listener: any LeafListener) -> LeafRouter {
    let component = LeafComponent(dependency: dependency)
    let interactor = LeafInteractor()
    interactor.listener = listener
    return LeafRouter(interactor: interactor, component: component)
  }
}

package final class RootComponent: Component<any EmptyDependency>, LeafDependency {}

package final class RootInteractor: Interactor, LeafListener {}

package final class RootRouter: Router<RootInteractor> {
  package let leafBuilder: LeafBuilder

  package init() {
    leafBuilder = LeafBuilder(dependency: RootComponent(dependency: EmptyComponent()))
    super.init(interactor: RootInteractor())
  }

  package func attach(_ count: Int) {
    for _ in 0..<count { attachChild(leafBuilder.build(withListener: interactor)) }
  }

  @inline(never)
  package func attachAndDetach(_ count: Int) {
    for _ in 0..<count {
      let leaf = leafBuilder.build(withListener: interactor)
      attachChild(leaf)
      detachChild(leaf)
    }
  }
}

extension RootRouter {
  /// Builds a tree in which each RIB has up to `width` children, attached from the top down.
  package func buildTree(_ size: Int, width: Int = 3) -> LeafRouter {
    let routers = (0..<size).map { _ in leafBuilder.build(withListener: interactor) }
    for index in 1..<size { routers[(index - 1) / width].attachChild(routers[index]) }
    return routers[0]
  }
}
