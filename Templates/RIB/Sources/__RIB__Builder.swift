import RIBs

#if __Root__
/// What __RIB__ needs from the code that launches the tree.
#else
/// What __RIB__ needs from its parent.
#endif
protocol __RIB__Dependency: Dependency {}

/// What __RIB__ adds for its children, and passes on to them.
final class __RIB__Component: Component<any __RIB__Dependency> {}

protocol __RIB__Buildable: Buildable {
#if __Root__
  func build() -> __RIB__Router
#else
  func build(withListener listener: any __RIB__Listener) -> any __RIB__Routing
#endif
}

/// Builds __RIB__.
final class __RIB__Builder: Builder<any __RIB__Dependency>, __RIB__Buildable {
#if __Root__
  func build() -> __RIB__Router {
#else
  func build(withListener listener: any __RIB__Listener) -> any __RIB__Routing {
#endif
#if __View__
    let viewController = __RIB__ViewController()
#endif
#if __View__ && __Presenter__
    let interactor = __RIB__Interactor(presenter: __RIB__Presenter(viewController: viewController))
#elseif __View__
    let interactor = __RIB__Interactor(presenter: viewController)
#elseif __Presenter__
    let interactor = __RIB__Interactor(presenter: __RIB__Presenter())
#else
    let interactor = __RIB__Interactor()
#endif
#if __View__
    let router = __RIB__Router(interactor: interactor, viewController: viewController)
#else
    let router = __RIB__Router(interactor: interactor)
#endif
#if __Root__
    interactor.router = router
    return router
#else
    return interactor.connect(to: router, listener: listener)
#endif
  }
}
