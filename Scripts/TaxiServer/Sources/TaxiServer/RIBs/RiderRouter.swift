// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TaxiOrder

/// The root of a rider's tree: the simulated company, and the session that sends requests to it.
final class RiderRouter: Router<RiderInteractor> {
  private let company: any Routing
  private let session: RiderSessionRouter

  init(interactor: RiderInteractor, company: any Routing, session: RiderSessionRouter) {
    self.company = company
    self.session = session
    super.init(interactor: interactor)
  }

  override func didLoad() {
    super.didLoad()
    attachChild(company)
    attachChild(session)
  }
}
