// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RatingRouting: Routing {}

protocol RatingPresentable: Presentable {
  func show(_ rating: Rating)
}

protocol RatingListener: AnyObject {
  func ratingDidRate(_ rating: Rating)
}

/// Rates the ride for the rider, by the tip.
final class RatingInteractor: PresentableInteractor<any RatingPresentable>, RatingInteractable, Saving {
  struct SavedState: Codable, Sendable {
    /// When the rider rates; nil until this is active.
    var ratingTime: OrderTime?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var listener: (any RatingListener)?

  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let bill: Bill
  private let token: RIBCounter.Token

  init(
    presenter: any RatingPresentable, clock: any OrderClock, remoteRider: RemoteRider?, bill: Bill,
    ribCounter: RIBCounter
  ) {
    self.clock = clock
    self.remoteRider = remoteRider
    self.bill = bill
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    let ratingTime = savedState.ratingTime ?? clock.time + remoteRider.time(.seconds(3))
    savedState.ratingTime = ratingTime
    run({ [clock] in try await clock.sleep(until: ratingTime) }) { _ in
      self.rate()
    }
  }

  private func rate() {
    let rating = Rating(tip: bill.tip, fare: bill.fare)
    presenter.show(rating)
    listener?.ratingDidRate(rating)
  }
}
