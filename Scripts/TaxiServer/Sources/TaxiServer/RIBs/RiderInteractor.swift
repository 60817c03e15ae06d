// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import TaxiOrder

/// Carries out the requests of a rider, each once for each idempotency key.
final class RiderInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    var answers = RecentAnswers<RiderRequest, RiderView>()
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  private let session: RiderSessionInteractor
  private let speed: Int

  init(session: RiderSessionInteractor, speed: Int) {
    self.session = session
    self.speed = speed
    super.init()
  }

  override var treeSummary: String? { view.status }

  /// What the client sees now.
  var view: RiderView { RiderView(session.currentStatus, session.savedState, speed: speed) }

  /// What the client sees, now and after each change.
  var views: Observable<RiderView> {
    session.status.map { [session, speed] status in RiderView(status, session.savedState, speed: speed) }
      .distinctUntilChanged()
  }

  var pastOrders: [PastOrderView] { session.pastOrders.map(PastOrderView.init) }

  /// Carries out a request, or returns the answer that it got before.
  ///
  /// - Parameter key: the idempotency key; nil for none.
  /// - Throws: `Refusal`, or `KeyReused`.
  func answer(_ request: RiderRequest, key: String?) throws -> RiderView {
    if let key, let answer = try savedState.answers.answer(to: request, key: key) { return answer }
    guard perform(request) else { throw Refusal(request: request, rider: view) }
    let view = view
    if let key { savedState.answers.append(view, to: request, key: key) }
    return view
  }

  private func perform(_ request: RiderRequest) -> Bool {
    switch request {
    case .open(let choices):
      _ = session.signIn()
      return session.openOrder(choices)
    case .choose(let choices): return session.choose(choices)
    case .confirm: return session.confirm()
    case .cancel: return session.cancel()
    case .pay(let payment): return session.pay(by: payment)
    }
  }
}
