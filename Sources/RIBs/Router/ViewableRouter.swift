/// The router of a RIB with a view.
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>, ViewableRouting {
  /// The view of this RIB, which the router owns.
  public final let viewController: ViewControllerType

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - interactor: the RIB's interactor, as for `Router`.
  ///   - viewController: the RIB's view, known by the protocol that the router uses.
  public init(interactor: InteractorType, viewController: ViewControllerType) {
    self.viewController = viewController
    super.init(interactor: interactor)
  }

  /// The view of this RIB, for the parent to show.
  ///
  /// A view that does not conform to `ViewControllable` is reported, and a view that shows nothing stands in for it.
  public final var viewControllable: any ViewControllable {
    if let view = viewController as? any ViewControllable { return view }
    report(.noView(String(describing: type(of: viewController as Any))))
    return NoView()
  }

  override final var hasView: Bool { true }
}

/// Stands in for a view that is none.
private final class NoView: ViewControllable {}
