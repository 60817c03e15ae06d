import RIBs

/// What __RIB__ asks of its router.
protocol __RIB__Routing: Routing {}

/// What __RIB__ has shown.
protocol __RIB__Presentable: Presentable {}

/// What __RIB__ tells its parent.
protocol __RIB__Listener: AnyObject {
  func __rib__DidFinish()
}

/// Holds the logic of __RIB__.
final class __RIB__Interactor: PresentableInteractor<any __RIB__Presentable>, __RIB__Interactable {
  weak var router: (any __RIB__Routing)?
  weak var listener: (any __RIB__Listener)?

  /// Ends __RIB__: notifies its parent, which detaches it.
  func finish() { listener?.__rib__DidFinish() }
}
