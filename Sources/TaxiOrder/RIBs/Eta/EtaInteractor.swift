internal import RIBs

protocol EtaRouting: Routing {}

protocol EtaPresentable: Presentable {
  func showPickup(in time: Duration)
  func showDestination(in time: Duration)
}

/// Shows the time until pickup, then until arrival at the destination.
final class EtaInteractor: PresentableInteractor<any EtaPresentable>, EtaInteractable {
  private let taxiStateStream: any TaxiStateStream
  private var eta: Duration?
  private let token: RIBCounter.Token

  init(presenter: any EtaPresentable, taxiStateStream: any TaxiStateStream, ribCounter: RIBCounter) {
    self.taxiStateStream = taxiStateStream
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { eta.map { "in \($0.clockText)" } }

  override func didBecomeActive() {
    super.didBecomeActive()
    taxiStateStream.state
      .subscribe(onNext: { state in self.follow(state) })
      .disposeOnDeactivate(interactor: self)
  }

  private func follow(_ state: TaxiState) {
    switch state {
    case .assigned(let assignment): showPickup(in: assignment.eta)
    case .approaching(let eta): showPickup(in: eta)
    case .riding(let left):
      eta = left
      presenter.showDestination(in: left)
    case .arrived, .ended: eta = nil
    }
  }

  private func showPickup(in time: Duration) {
    eta = time
    presenter.showPickup(in: time)
  }
}
