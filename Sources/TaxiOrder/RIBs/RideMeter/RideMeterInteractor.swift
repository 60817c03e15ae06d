// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RideMeterRouting: Routing {}

protocol RideMeterPresentable: Presentable {
  func showStart()
  func show(_ ride: Ride)
}

/// Runs during the ride.
final class RideMeterInteractor: PresentableInteractor<any RideMeterPresentable>, RideMeterInteractable {
  private enum Meter: String {
    case off, running, stopped
  }

  private let taxiStateStream: any TaxiStateStream
  private var meter = Meter.off
  private let token: RIBCounter.Token

  init(presenter: any RideMeterPresentable, taxiStateStream: any TaxiStateStream, ribCounter: RIBCounter) {
    self.taxiStateStream = taxiStateStream
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { meter.rawValue }

  override func didBecomeActive() {
    super.didBecomeActive()
    taxiStateStream.state
      .subscribe(onNext: { state in self.follow(state) })
      .disposeOnDeactivate(interactor: self)
  }

  private func follow(_ state: TaxiState) {
    switch state {
    case .assigned, .approaching, .arrived: break
    case .riding:
      meter = .running
      presenter.showStart()
    case .ended(let ride):
      meter = .stopped
      presenter.show(ride)
    }
  }
}
