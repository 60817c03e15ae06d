import RIBs

/// What __RIB__ asks of its router.
#if __View__
protocol __RIB__Routing: ViewableRouting {}
#else
protocol __RIB__Routing: Routing {}
#endif

#if __View__
/// What __RIB__ has shown.
protocol __RIB__Presentable: Presentable {
  var listener: (any __RIB__PresentableListener)? { get set }
}

#elseif __Presenter__
/// What __RIB__ has shown.
protocol __RIB__Presentable: Presentable {}

#endif
#if !__Root__
/// What __RIB__ tells its parent.
protocol __RIB__Listener: AnyObject {
  func __rib__DidFinish()
}

#endif
/// Holds the logic of __RIB__.
#if __View__
final class __RIB__Interactor: PresentableInteractor<any __RIB__Presentable>, __RIB__Interactable, __RIB__PresentableListener, Connectable {
#elseif __Root__ && __Presenter__
final class __RIB__Interactor: PresentableInteractor<any __RIB__Presentable>, __RIB__Interactable {
#elseif __Root__
final class __RIB__Interactor: Interactor, __RIB__Interactable {
#elseif __Presenter__
final class __RIB__Interactor: PresentableInteractor<any __RIB__Presentable>, __RIB__Interactable, Connectable {
#else
final class __RIB__Interactor: Interactor, __RIB__Interactable, Connectable {
#endif
  weak var router: (any __RIB__Routing)?
#if __Root__

  override func didBecomeActive() {
    super.didBecomeActive()
    // The tree runs: attach its first RIB here, with a method of the router.
  }
#else
  weak var listener: (any __RIB__Listener)?

#if __View__
  override init(presenter: any __RIB__Presentable) {
    super.init(presenter: presenter)
    presenter.listener = self
  }

#endif
  /// Ends __RIB__: notifies its parent, which detaches it.
  func finish() { listener?.__rib__DidFinish() }
#endif
}
