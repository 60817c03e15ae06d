internal import RIBs

protocol RatingRouting: Routing {}

protocol RatingPresentable: Presentable {
  func show(_ rating: Rating)
}

protocol RatingListener: AnyObject {
  func ratingDidRate(_ rating: Rating)
}

/// Rates the ride for the rider, by the tip.
final class RatingInteractor: PresentableInteractor<any RatingPresentable>, RatingInteractable {
  weak var listener: (any RatingListener)?

  private let clock: any Clock<Duration>
  private let bill: Bill
  private let token: RIBCounter.Token

  init(presenter: any RatingPresentable, clock: any Clock<Duration>, bill: Bill, ribCounter: RIBCounter) {
    self.clock = clock
    self.bill = bill
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    run({ [clock] in try await clock.sleep(for: .seconds(3)) }) { _ in
      self.rate()
    }
  }

  private func rate() {
    let rating = Rating(tip: bill.tip, fare: bill.fare)
    presenter.show(rating)
    listener?.ratingDidRate(rating)
  }
}
