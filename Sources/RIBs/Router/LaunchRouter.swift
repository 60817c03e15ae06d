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
