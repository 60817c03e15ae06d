import RIBs

/// What the router of __RIB__ knows of its interactor.
protocol __RIB__Interactable: Interactable {}

#if __View__ && __Presenter__
/// What the router of __RIB__ does with its view.
protocol __RIB__ViewControllable: ViewControllable {
  var listener: (any __RIB__PresentableListener)? { get set }
}

#elseif __View__
/// What the router of __RIB__ does with its view.
protocol __RIB__ViewControllable: ViewControllable {}

#endif
/// Attaches and detaches the children of __RIB__.
#if __View__
final class __RIB__Router: ViewableRouter<any __RIB__Interactable, any __RIB__ViewControllable>, __RIB__Routing {}
#else
final class __RIB__Router: Router<any __RIB__Interactable>, __RIB__Routing {}
#endif
