import RIBs

/// What __RIB__ asks of its router.
protocol __RIB__Routing: Routing {}

/// What __RIB__ has shown.
protocol __RIB__Presentable: Presentable {}

/// Holds the logic of __RIB__.
final class __RIB__Interactor: PresentableInteractor<any __RIB__Presentable>, __RIB__Interactable {
  weak var router: (any __RIB__Routing)?

  override func didBecomeActive() {
    super.didBecomeActive()
    // The tree runs: attach its first RIB here, with a method of the router.
  }
}
