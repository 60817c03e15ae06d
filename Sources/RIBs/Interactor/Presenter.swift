// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The interface of a presenter: the base of the protocol by which an interactor knows its presenter.
public protocol Presentable: AnyObject {}

/// Translates between business logic and its output: a terminal, a log, or a reply to a client.
open class Presenter<ViewControllerType>: Presentable {
  /// The view or other output of the presenter.
  public final let viewController: ViewControllerType

  /// Creates a presenter.
  ///
  /// - Parameter viewController: the view or other output of the presenter.
  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}

/// An interactor that has a presenter.
open class PresentableInteractor<PresenterType>: Interactor {
  /// The presenter, which the interactor owns.
  public final let presenter: PresenterType

  /// Creates an inactive interactor.
  ///
  /// - Parameter presenter: the interactor's presenter.
  public init(presenter: PresenterType) {
    self.presenter = presenter
    super.init()
  }
}
