// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol LoggedOutRouting: Routing {}

protocol LoggedOutPresentable: Presentable {
  func showGreeting()
}

protocol LoggedOutListener: AnyObject {
  func loggedOutDidLogIn()
}

/// Waits until the rider has logged in.
final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>, LoggedOutInteractable, Saving {
  struct SavedState: Codable, Sendable {
    /// When the rider logs in; nil until this is active.
    var loginTime: OrderTime?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  private static let timeToLogIn = Duration.seconds(4)

  weak var listener: (any LoggedOutListener)?

  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let token: RIBCounter.Token

  init(presenter: any LoggedOutPresentable, clock: any OrderClock, remoteRider: RemoteRider?, ribCounter: RIBCounter) {
    self.clock = clock
    self.remoteRider = remoteRider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.showGreeting()
    if let remoteRider {
      remoteRider.status.accept(.signedOut)
      remoteRider.logins
        .subscribe(onNext: { self.listener?.loggedOutDidLogIn() })
        .disposeOnDeactivate(interactor: self)
    } else {
      logInLater()
    }
  }

  private func logInLater() {
    let loginTime = savedState.loginTime ?? clock.time + LoggedOutInteractor.timeToLogIn
    savedState.loginTime = loginTime
    run({ [clock] in try await clock.sleep(until: loginTime) }) { _ in
      self.listener?.loggedOutDidLogIn()
    }
  }
}
