internal import RIBs

protocol DestinationSelectionRouting: Routing {}

protocol DestinationSelectionPresentable: Presentable {
  func show(_ place: Place?)
}

protocol DestinationSelectionListener: AnyObject {
  /// - Parameter place: the destination; nil if the rider skips the choice.
  func destinationSelectionDidSelect(_ place: Place?)
}

/// Selects the rider's destination, if there is one.
final class DestinationSelectionInteractor: PresentableInteractor<any DestinationSelectionPresentable>,
  DestinationSelectionInteractable
{
  weak var listener: (any DestinationSelectionListener)?

  private let rider: Rider
  private let token: RIBCounter.Token

  init(presenter: any DestinationSelectionPresentable, rider: Rider, ribCounter: RIBCounter) {
    self.rider = rider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    let place = rider.dropoffZone.map(Place.zone)
    presenter.show(place)
    listener?.destinationSelectionDidSelect(place)
  }
}
