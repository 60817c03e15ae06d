internal import RIBs

final class DestinationSelectionPresenter: Presenter<Narrator>, DestinationSelectionPresentable {
  func show(_ place: Place?) {
    viewController.line(place.map { "To \($0)" } ?? "No destination: the rider tells the driver on the way")
  }
}
