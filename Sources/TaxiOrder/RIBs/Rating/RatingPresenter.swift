internal import RIBs

final class RatingPresenter: Presenter<Narrator>, RatingPresentable {
  func show(_ rating: Rating) { viewController.line("Rated: \(rating)") }
}
