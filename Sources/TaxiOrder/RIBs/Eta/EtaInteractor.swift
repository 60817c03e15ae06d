// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol EtaRouting: Routing {}

protocol EtaPresentable: Presentable {
  func showPickup(in time: Duration)
  func showDestination(in time: Duration)
}

/// Shows the time until pickup, then until arrival at the destination.
final class EtaInteractor: PresentableInteractor<any EtaPresentable>, EtaInteractable {
  private let taxiStateStream: any TaxiStateStream
  private let clock: any OrderClock
  /// When the taxi is at the pickup, then when it is at the destination.
  private var arrival: OrderTime?
  private let token: RIBCounter.Token

  init(
    presenter: any EtaPresentable, taxiStateStream: any TaxiStateStream, clock: any OrderClock, ribCounter: RIBCounter
  ) {
    self.taxiStateStream = taxiStateStream
    self.clock = clock
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { arrival.map { "in \(time(until: $0).clockText)" } }

  override func didBecomeActive() {
    super.didBecomeActive()
    taxiStateStream.state
      .subscribe(onNext: { state in self.follow(state) })
      .disposeOnDeactivate(interactor: self)
  }

  private func follow(_ state: TaxiState) {
    switch state {
    case .assigned(let assignment): showPickup(at: assignment.arrival)
    case .approaching(let arrival): showPickup(at: arrival)
    case .riding(let end):
      arrival = end
      presenter.showDestination(in: time(until: end))
    case .arrived, .ended: arrival = nil
    }
  }

  private func showPickup(at arrival: OrderTime) {
    self.arrival = arrival
    presenter.showPickup(in: time(until: arrival))
  }

  private func time(until time: OrderTime) -> Duration { max(.zero, time - clock.time) }
}
