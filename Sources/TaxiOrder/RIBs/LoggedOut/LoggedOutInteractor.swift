internal import RIBs

protocol LoggedOutRouting: Routing {}

protocol LoggedOutPresentable: Presentable {
  func showGreeting()
}

protocol LoggedOutListener: AnyObject {
  func loggedOutDidLogIn()
}

/// Waits until the rider has logged in.
final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>, LoggedOutInteractable {
  private static let timeToLogIn = Duration.seconds(4)

  weak var listener: (any LoggedOutListener)?

  private let clock: any Clock<Duration>
  private let token: RIBCounter.Token

  init(presenter: any LoggedOutPresentable, clock: any Clock<Duration>, ribCounter: RIBCounter) {
    self.clock = clock
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.showGreeting()
    run({ [clock] in try await clock.sleep(for: LoggedOutInteractor.timeToLogIn) }) { _ in
      self.listener?.loggedOutDidLogIn()
    }
  }
}
