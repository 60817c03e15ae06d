// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DestinationSelectionRouting: Routing {}

protocol DestinationSelectionPresentable: Presentable {
  func show(_ place: Place?)
}

protocol DestinationSelectionListener: AnyObject {
  /// - Parameter place: the destination; nil if the rider skips the choice.
  func destinationSelectionDidSelect(_ place: Place?)
}

/// Selects the rider's destination, if there is one. A rider who chooses is waited for.
final class DestinationSelectionInteractor: PresentableInteractor<any DestinationSelectionPresentable>,
  DestinationSelectionInteractable
{
  weak var listener: (any DestinationSelectionListener)?

  private let rider: Rider
  private let choosingRider: RemoteRider?
  private let token: RIBCounter.Token

  init(
    presenter: any DestinationSelectionPresentable, rider: Rider, choosingRider: RemoteRider?, ribCounter: RIBCounter
  ) {
    self.rider = rider
    self.choosingRider = choosingRider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    guard let choice else { return }
    let place = choice.place
    presenter.show(place)
    listener?.destinationSelectionDidSelect(place)
  }

  /// Nil until it is made.
  private var choice: OrderChoices.Destination? {
    if let choosingRider { return choosingRider.choices.value.destination }
    return rider.dropoffZone.map { .to(place: .zone(name: $0)) } ?? .unknown
  }
}
