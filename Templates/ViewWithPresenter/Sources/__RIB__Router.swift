import RIBs

/// What the router of __RIB__ knows of its interactor.
protocol __RIB__Interactable: Interactable {
  var router: (any __RIB__Routing)? { get set }
  var listener: (any __RIB__Listener)? { get set }
}

/// What the router of __RIB__ does with its view.
protocol __RIB__ViewControllable: ViewControllable {
  var listener: (any __RIB__PresentableListener)? { get set }
}

/// Attaches and detaches the children of __RIB__.
final class __RIB__Router: ViewableRouter<any __RIB__Interactable, any __RIB__ViewControllable>, __RIB__Routing {}
