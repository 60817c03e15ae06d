/// What every presenter is: the base of the protocol by which an interactor knows its presenter.
public protocol Presentable: AnyObject {}

/// Translates between business logic and whatever shows it: a terminal, a log, a reply to a client.
open class Presenter<ViewControllerType>: Presentable {
  /// What the presenter shows things on.
  public final let viewController: ViewControllerType

  /// Creates a presenter.
  ///
  /// - Parameter viewController: what the presenter shows things on.
  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}
