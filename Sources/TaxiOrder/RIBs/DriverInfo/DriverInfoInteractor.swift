// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DriverInfoRouting: Routing {}

protocol DriverInfoPresentable: Presentable {
  func show(_ driver: Driver)
  func showWaiting(_ driver: Driver)
}

/// Shows the driver, and when the driver waits.
final class DriverInfoInteractor: PresentableInteractor<any DriverInfoPresentable>, DriverInfoInteractable, Saving {
  struct SavedState: Codable, Sendable { var driver: Driver? }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  private let taxiStateStream: any TaxiStateStream
  private let token: RIBCounter.Token

  init(presenter: any DriverInfoPresentable, taxiStateStream: any TaxiStateStream, ribCounter: RIBCounter) {
    self.taxiStateStream = taxiStateStream
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { savedState.driver?.description }

  override func didBecomeActive() {
    super.didBecomeActive()
    taxiStateStream.state
      .subscribe(onNext: { state in self.follow(state) })
      .disposeOnDeactivate(interactor: self)
  }

  private func follow(_ state: TaxiState) {
    switch state {
    case .assigned(let assignment):
      savedState.driver = assignment.driver
      presenter.show(assignment.driver)
    case .arrived:
      if let driver = savedState.driver { presenter.showWaiting(driver) }
    case .approaching, .riding, .ended: break
    }
  }
}
