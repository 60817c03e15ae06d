// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol MapRouting: ViewableRouting {
  /// The taxis that have a RIB.
  var taxis: [NearbyTaxi] { get }
  /// - Throws: an error if two taxis have the same number.
  func route(to taxis: [NearbyTaxi]) throws
}

protocol MapPresentable: Presentable {
  func showCount(_ count: Int)
  func showFailure(_ reason: String)
}

/// Shows the taxis nearby, until the search for a taxi starts.
final class MapInteractor: PresentableInteractor<any MapPresentable>, MapInteractable, Saving {
  struct SavedState: Codable, Sendable {
    /// When the taxis are polled next; nil while they are not.
    var nextPoll: OrderTime?
  }

  var savedState: SavedState {
    get { SavedState(nextPoll: nearbyTaxisWorker.nextPoll) }
    set { nearbyTaxisWorker.nextPoll = newValue.nextPoll }
  }

  weak var router: (any MapRouting)?

  private let nearbyTaxisWorker: any NearbyTaxisWorking
  private let nearbyTaxisStream: any NearbyTaxisStream
  private let nearbyTaxisMode: any NearbyTaxisModeStream
  private let token: RIBCounter.Token

  init(
    presenter: any MapPresentable, nearbyTaxisWorker: any NearbyTaxisWorking, nearbyTaxisStream: any NearbyTaxisStream,
    nearbyTaxisMode: any NearbyTaxisModeStream, ribCounter: RIBCounter
  ) {
    self.nearbyTaxisWorker = nearbyTaxisWorker
    self.nearbyTaxisStream = nearbyTaxisStream
    self.nearbyTaxisMode = nearbyTaxisMode
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { count == 1 ? "1 taxi" : "\(count) taxis" }

  private var count: Int { router?.taxis.count ?? 0 }

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
    let last = count
    do {
      try router?.route(to: taxis)
    } catch {
      return presenter.showFailure("\(error)")
    }
    setNeedsSave()
    guard count != last else { return }
    presenter.showCount(count)
  }

  private func follow(_ mode: NearbyTaxisMode) {
    switch mode {
    case .shown: nearbyTaxisWorker.start(self)
    case .hidden: nearbyTaxisWorker.stop()
    }
  }
}
