internal import RIBs

protocol MapRouting: ViewableRouting {
  /// - Throws: an error if two taxis have the same number.
  func route(to taxis: [NearbyTaxi]) throws
}

protocol MapPresentable: Presentable {
  func showCount(_ count: Int)
  func showFailure(_ reason: String)
}

/// Shows the taxis nearby, until the search for a taxi starts.
final class MapInteractor: PresentableInteractor<any MapPresentable>, MapInteractable {
  weak var router: (any MapRouting)?

  private let nearbyTaxisWorker: any Working
  private let nearbyTaxisStream: any NearbyTaxisStream
  private let nearbyTaxisMode: any NearbyTaxisModeStream
  private var count = 0
  private let token: RIBCounter.Token

  init(
    presenter: any MapPresentable, nearbyTaxisWorker: any Working, nearbyTaxisStream: any NearbyTaxisStream,
    nearbyTaxisMode: any NearbyTaxisModeStream, ribCounter: RIBCounter
  ) {
    self.nearbyTaxisWorker = nearbyTaxisWorker
    self.nearbyTaxisStream = nearbyTaxisStream
    self.nearbyTaxisMode = nearbyTaxisMode
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { count == 1 ? "1 taxi" : "\(count) taxis" }

  override func didBecomeActive() {
    super.didBecomeActive()
    nearbyTaxisStream.taxis
      .distinctUntilChanged()
      .subscribe(onNext: { taxis in self.show(taxis) })
      .disposeOnDeactivate(interactor: self)
    nearbyTaxisMode.mode
      .subscribe(onNext: { mode in self.follow(mode) })
      .disposeOnDeactivate(interactor: self)
  }

  private func show(_ taxis: [NearbyTaxi]) {
    do {
      try router?.route(to: taxis)
    } catch {
      return presenter.showFailure("\(error)")
    }
    guard taxis.count != count else { return }
    count = taxis.count
    presenter.showCount(count)
  }

  private func follow(_ mode: NearbyTaxisMode) {
    switch mode {
    case .shown: nearbyTaxisWorker.start(self)
    case .hidden: nearbyTaxisWorker.stop()
    }
  }
}
