import RIBs

// MARK: The RIB that is attached and detached, as a team writes one

protocol LeafDependency: Dependency {}
protocol LeafListener: AnyObject {}
protocol LeafRouting: Routing {}
protocol LeafInteractable: Interactable {
  var router: (any LeafRouting)? { get set }
  var listener: (any LeafListener)? { get set }
}

final class LeafComponent: Component<any LeafDependency> {}

final class LeafInteractor: Interactor, LeafInteractable {
  weak var router: (any LeafRouting)?
  weak var listener: (any LeafListener)?
}

final class LeafRouter: Router<any LeafInteractable>, LeafRouting {
  let component: LeafComponent

  init(interactor: any LeafInteractable, component: LeafComponent) {
    self.component = component
    super.init(interactor: interactor)
    interactor.router = self
  }
}

final class LeafBuilder: Builder<any LeafDependency> {
  @inline(never)
  func build(withListener listener: any LeafListener) -> LeafRouter {
    let component = LeafComponent(dependency: dependency)
    let interactor = LeafInteractor()
    interactor.listener = listener
    return LeafRouter(interactor: interactor, component: component)
  }
}

final class RootComponent: Component<any EmptyDependency>, LeafDependency {}

final class RootInteractor: Interactor, LeafListener {}

final class RootRouter: Router<RootInteractor> {
  let leafBuilder: LeafBuilder

  init() {
    leafBuilder = LeafBuilder(dependency: RootComponent(dependency: EmptyComponent()))
    super.init(interactor: RootInteractor())
  }

  func attach(_ count: Int) {
    for _ in 0..<count { attachChild(leafBuilder.build(withListener: interactor)) }
  }

  @inline(never)
  func attachAndDetach(_ count: Int) {
    for _ in 0..<count {
      let leaf = leafBuilder.build(withListener: interactor)
      attachChild(leaf)
      detachChild(leaf)
    }
  }
}

// MARK: The bare loop: the same four objects and the same references, linked by hand

protocol BareListener: AnyObject {}

final class BareParent: BareListener {
  var first: BareRouter?
  var last: BareRouter?
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

func bareLoop(_ parent: BareParent, _ count: Int) {
  for _ in 0..<count {
    let router = buildBare(parent)
    router.previous = parent.last
    parent.last = router
    parent.first = router
    router.interactor.isActive = true
    router.interactor.didBecomeActive()
    router.interactor.willResignActive()
    router.interactor.isActive = false
    parent.first = nil
    parent.last = nil
  }
}

@MainActor
func attachCase() {
  let count = 200_000
  let root = RootRouter()
  let tree = Tree(root: root)
  tree.launch()
  let parent = BareParent()
  let bare = best(operations: count) { bareLoop(parent, count) }
  let ours = best(operations: count) { root.attachAndDetach(count) }
  report("attach, detach, free", ours, bare)
  tree.end()
}
