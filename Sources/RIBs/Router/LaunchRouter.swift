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
  /// Starts the RIB by hand, without a tree: activates the interactor, then loads the router.
  ///
  /// Without a tree, bound work (`task`, `run`) is refused. Programs launch a `Tree`.
  public final func launch() {
    interactable.activate()
    load()
  }
}
