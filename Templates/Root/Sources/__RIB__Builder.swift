import RIBs

/// What __RIB__ needs from the code that launches the tree.
protocol __RIB__Dependency: Dependency {}

/// What __RIB__ adds for its children, and passes on to them.
final class __RIB__Component: Component<any __RIB__Dependency> {}

protocol __RIB__Buildable: Buildable {
  func build() -> any __RIB__Routing
}

/// Builds __RIB__.
final class __RIB__Builder: Builder<any __RIB__Dependency>, __RIB__Buildable {
  func build() -> any __RIB__Routing {
    let interactor = __RIB__Interactor()
    let router = __RIB__Router(interactor: interactor)
    interactor.router = router
    return router
  }
}
