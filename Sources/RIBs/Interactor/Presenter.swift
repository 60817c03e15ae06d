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

/// An interactor that shows something, through a presenter.
open class PresentableInteractor<PresenterType>: Interactor {
  /// What this interactor shows things with. The interactor owns it.
  public final let presenter: PresenterType

  /// Creates an inactive interactor.
  ///
  /// - Parameter presenter: what the interactor shows things with.
  public init(presenter: PresenterType) {
    self.presenter = presenter
    super.init()
  }
}
