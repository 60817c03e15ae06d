import RIBs

/// What the router of __RIB__ knows of its interactor.
protocol __RIB__Interactable: Interactable {
  var router: (any __RIB__Routing)? { get set }
  var listener: (any __RIB__Listener)? { get set }
}

/// Attaches and detaches the children of __RIB__.
final class __RIB__Router: Router<any __RIB__Interactable>, __RIB__Routing {}
