#if __View__ && __Presenter__
import RIBs

/// Translates what __RIB__ has to show for its view.
final class __RIB__Presenter: Presenter<any __RIB__ViewControllable>, __RIB__Presentable {
  var listener: (any __RIB__PresentableListener)? {
    get { viewController.listener }
    set { viewController.listener = newValue }
  }
}
#elseif __Presenter__
import RIBs

/// Translates what __RIB__ has to show.
final class __RIB__Presenter: __RIB__Presentable {}
#endif
