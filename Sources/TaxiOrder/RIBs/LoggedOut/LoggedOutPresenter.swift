internal import RIBs

final class LoggedOutPresenter: Presenter<Narrator>, LoggedOutPresentable {
  func showGreeting() {
    viewController.tell(.heading(Stage.loggedOut.title))
    viewController.line("Welcome: please log in")
    viewController.tell(.stage(.loggedOut))
  }
}
