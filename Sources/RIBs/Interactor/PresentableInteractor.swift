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
