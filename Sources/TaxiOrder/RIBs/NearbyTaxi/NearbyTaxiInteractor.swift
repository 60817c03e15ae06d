// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsLists

protocol NearbyTaxiRouting: ModelRouting where Model == NearbyTaxi {}

protocol NearbyTaxiPresentable: Presentable {
  func show(_ taxi: NearbyTaxi)
  func hide(_ taxi: NearbyTaxi)
}

/// A free taxi, shown at its last known position while it is active.
final class NearbyTaxiInteractor: PresentableInteractor<any NearbyTaxiPresentable>, NearbyTaxiInteractable, Saving {
  struct SavedState: Codable, Sendable {
    /// How far the taxi has moved, in meters.
    var distance = 0
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  private var taxi: NearbyTaxi
  private let token: RIBCounter.Token

  init(presenter: any NearbyTaxiPresentable, taxi: NearbyTaxi, ribCounter: RIBCounter) {
    self.taxi = taxi
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var ribLabel: String? { "\(taxi.id)" }
  override var treeSummary: String? { "\(savedState.distance) m so far" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(taxi)
  }

  override func willResignActive() {
    presenter.hide(taxi)
    super.willResignActive()
  }

  func move(to taxi: NearbyTaxi) {
    savedState.distance += Movement(from: self.taxi.position, to: taxi.position).distance
    self.taxi = taxi
    if isActive { presenter.show(taxi) }
  }
}
