internal import RIBs

protocol PickupSelectionRouting: Routing {}

protocol PickupSelectionPresentable: Presentable {
  func show(_ place: Place)
}

protocol PickupSelectionListener: AnyObject {
  func pickupSelectionDidSelect(_ place: Place)
}

/// Selects the rider's zone, or the rider's position if there is none.
final class PickupSelectionInteractor: PresentableInteractor<any PickupSelectionPresentable>,
  PickupSelectionInteractable
{
  weak var listener: (any PickupSelectionListener)?

  private let rider: Rider
  private let token: RIBCounter.Token

  init(presenter: any PickupSelectionPresentable, rider: Rider, ribCounter: RIBCounter) {
    self.rider = rider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    let place = rider.pickupZone.map(Place.zone) ?? .riderPosition
    presenter.show(place)
    listener?.pickupSelectionDidSelect(place)
  }
}
