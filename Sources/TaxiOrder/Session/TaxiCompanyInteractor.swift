// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Keeps what the simulated company of one rider remembers.
///
/// A change is saved with the next change of the session, which follows from the company's answer. A crash in between
/// loses both, so they always fit together.
final class TaxiCompanyInteractor: Interactor, Saving {
  private let company: TaxiCompany

  var savedState: TaxiCompany.State {
    get { company.state }
    set { company.restore(newValue) }
  }

  init(company: TaxiCompany) {
    self.company = company
    super.init()
  }

  override var treeSummary: String? {
    let orders = company.state.orders
    return orders == 1 ? "1 order" : "\(orders) orders"
  }
}

final class TaxiCompanyRouter: Router<TaxiCompanyInteractor> {}
