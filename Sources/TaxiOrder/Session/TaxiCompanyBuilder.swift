// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// What a server provides for the simulated backend of one rider.
public protocol TaxiCompanyDependency: Dependency {
  /// The clock of the taxis, which is that of the rider's session.
  var orderClock: any OrderClock { get }
  /// Determines fares, drivers and rides. Use another one for each rider.
  var companySeed: UInt64 { get }
  /// After how many orders a credit card is declined once; nil for never.
  var ordersUntilDecline: Int? { get }
}

/// Builds the backend of one rider: the taxi company and the bank, simulated in the rider's tree.
///
/// In a real server they are other systems, with stores of their own. Here they are a RIB, so that a demonstration is one
/// process: what they remember is saved with the session that uses them, in the same record.
///
/// ```swift
/// let (company, services) = TaxiCompanyBuilder(dependency: component).build()
/// let session = RiderSessionBuilder(dependency: SessionComponent(services)).build()
/// ```
///
/// Attach the company before the session, which sends requests as soon as it is active.
public final class TaxiCompanyBuilder: Builder<any TaxiCompanyDependency> {
  /// Builds a company, and the services that send requests to it.
  public func build() -> (router: any Routing, services: OrderServices) {
    let company = TaxiCompany(
      seed: dependency.companySeed, ordersUntilDecline: dependency.ordersUntilDecline, clock: dependency.orderClock)
    let router = TaxiCompanyRouter(interactor: TaxiCompanyInteractor(company: company))
    return (router, OrderServices(company))
  }
}
