// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol PickupSelectionRouting: Routing {}

protocol PickupSelectionPresentable: Presentable {
  func show(_ place: Place)
}

protocol PickupSelectionListener: AnyObject {
  func pickupSelectionDidSelect(_ place: Place)
}

/// Selects the rider's zone, or the rider's position if there is none. A rider who chooses is waited for.
final class PickupSelectionInteractor: PresentableInteractor<any PickupSelectionPresentable>,
  PickupSelectionInteractable
{
  weak var listener: (any PickupSelectionListener)?

  private let rider: Rider
  private let choosingRider: RemoteRider?
  private let token: RIBCounter.Token

  init(presenter: any PickupSelectionPresentable, rider: Rider, choosingRider: RemoteRider?, ribCounter: RIBCounter) {
    self.rider = rider
    self.choosingRider = choosingRider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    guard let place = choice else { return }
    presenter.show(place)
    listener?.pickupSelectionDidSelect(place)
  }

  /// Nil until it is made.
  private var choice: Place? {
    if let choosingRider { return choosingRider.choices.value.pickup }
    return rider.pickupZone.map(Place.zone) ?? .riderPosition
  }
}
