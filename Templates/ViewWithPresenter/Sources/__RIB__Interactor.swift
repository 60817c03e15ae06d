import RIBs

/// What __RIB__ asks of its router.
protocol __RIB__Routing: ViewableRouting {}

/// What __RIB__ has shown.
protocol __RIB__Presentable: Presentable {
  var listener: (any __RIB__PresentableListener)? { get set }
}

/// What __RIB__ tells its parent.
protocol __RIB__Listener: AnyObject {
  func __rib__DidFinish()
}

/// Holds the logic of __RIB__.
final class __RIB__Interactor: PresentableInteractor<any __RIB__Presentable>, __RIB__Interactable, __RIB__PresentableListener {
  weak var router: (any __RIB__Routing)?
  weak var listener: (any __RIB__Listener)?

  override init(presenter: any __RIB__Presentable) {
    super.init(presenter: presenter)
    presenter.listener = self
  }

  /// Ends __RIB__: notifies its parent, which detaches it.
  func finish() { listener?.__rib__DidFinish() }
}
