import RIBs

/// What __RIB__ asks of its router.
protocol __RIB__Routing: Routing {}

/// Holds the logic of __RIB__.
final class __RIB__Interactor: Interactor, __RIB__Interactable {
  weak var router: (any __RIB__Routing)?

  override func didBecomeActive() {
    super.didBecomeActive()
    // The tree runs: attach its first RIB here, with a method of the router.
  }
}
