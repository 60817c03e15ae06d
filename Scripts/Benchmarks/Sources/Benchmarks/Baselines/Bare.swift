// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// The objects of a leaf and their references, linked by hand.

protocol BareListener: AnyObject {}

final class BareParent: BareListener {
  var first: BareRouter?
  unowned(unsafe) var last: BareRouter?
}

final class BareComponent {
  let dependency: BareParent
  init(dependency: BareParent) { self.dependency = dependency }
}

class BareInteractor {
  var isActive = false
  weak var router: BareRouter?
  weak var listener: (any BareListener)?
  func didBecomeActive() {}
  func willResignActive() {}
}

final class BareRouter {
  let interactor: BareInteractor
  let component: BareComponent
  var next: BareRouter?
  unowned(unsafe) var previous: BareRouter?

  init(interactor: BareInteractor, component: BareComponent) {
    self.interactor = interactor
    self.component = component
  }
}

@inline(never)
func buildBare(_ parent: BareParent) -> BareRouter {
  let component = BareComponent(dependency: parent)
  let interactor = BareInteractor()
  interactor.listener = parent
  let router = BareRouter(interactor: interactor, component: component)
  interactor.router = router
  return router
}

extension BareParent {
  /// Appends a router.
  @inline(never)
  func attach(_ router: BareRouter) {
    router.previous = last
    if let last { last.next = router } else { first = router }
    last = router
    router.interactor.isActive = true
    router.interactor.didBecomeActive()
  }

  /// Removes a router from the list.
  @inline(never)
  func detach(_ router: BareRouter) {
    router.interactor.willResignActive()
    router.interactor.isActive = false
    let next = router.next
    next?.previous = router.previous
    if let previous = router.previous { previous.next = next } else { first = next }
    if next == nil { last = router.previous }
    router.next = nil
  }

  /// Removes all routers, last one first.
  func detachAll() {
    while let last { detach(last) }
  }
}

func bareLoop(_ parent: BareParent, _ count: Int) {
  for _ in 0..<count {
    let router = buildBare(parent)
    parent.attach(router)
    parent.detach(router)
  }
}
