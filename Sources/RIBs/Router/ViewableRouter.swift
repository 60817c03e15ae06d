/// Something that a RIB shows things on. Without a screen that is a terminal, a log, or a recorder in a test; the base
/// of the protocol by which a router knows its view.
public protocol ViewControllable: AnyObject {}

/// What the router of a RIB with a view is.
public protocol ViewableRouting: Routing {
  /// The view of the RIB, for the parent to show.
  var viewControllable: any ViewControllable { get }
}

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

/// What the router at the root of a program is.
public protocol LaunchRouting: ViewableRouting {
  /// Starts the RIB by hand, without a tree.
  func launch()
}

/// The router of the RIB at the root of a program.
///
/// `Tree` and `TreeHost` launch any router; this one can also be launched by hand.
open class LaunchRouter<InteractorType, ViewControllerType>:
  ViewableRouter<InteractorType, ViewControllerType>, LaunchRouting
{
  /// Starts the RIB by hand, without a tree: activates the interactor, then loads the router. For unit tests.
  ///
  /// Without a tree, all bound work (`task`, `run`, workers' work) is refused. So this reports a warning that says what a
  /// program does instead: `Tree(root: router).launch()`, or a `TreeHost`.
  public final func launch() {
    report(.launchedWithoutTree)
    interactable.activate()
    load()
  }
}
