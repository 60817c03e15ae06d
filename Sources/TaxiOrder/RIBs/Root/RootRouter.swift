internal import RIBs

protocol RootInteractable: Interactable, LoggedInListener {
  var router: (any RootRouting)? { get set }
}

final class RootRouter: Router<any RootInteractable>, RootRouting {
  private let loggedInBuilder: any LoggedInBuildable

  init(interactor: any RootInteractable, loggedInBuilder: any LoggedInBuildable) {
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor)
  }

  override func didLoad() {
    super.didLoad()
    attachChild(loggedInBuilder.build(withListener: interactor))
  }
}
