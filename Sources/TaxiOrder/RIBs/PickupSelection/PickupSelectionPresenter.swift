internal import RIBs

final class PickupSelectionPresenter: Presenter<Narrator>, PickupSelectionPresentable {
  func show(_ place: Place) { viewController.line("Pickup at \(place)") }
}
