// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class LoggedOutPresenter: Presenter<Narrator>, LoggedOutPresentable {
  func showGreeting() {
    viewController.show(.heading(Stage.loggedOut.title))
    viewController.line("Welcome: please log in")
    viewController.show(.stage(.loggedOut))
  }
}
