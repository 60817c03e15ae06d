#if __View__
import RIBs

/// What the view of __RIB__ tells its interactor.
protocol __RIB__PresentableListener: AnyObject {
  func finish()
}

/// Shows __RIB__, and passes on what is done with it.
#if __Presenter__
final class __RIB__ViewController: __RIB__ViewControllable {
#else
final class __RIB__ViewController: __RIB__Presentable, __RIB__ViewControllable {
#endif
  weak var listener: (any __RIB__PresentableListener)?

  func close() { listener?.finish() }
}
#endif
