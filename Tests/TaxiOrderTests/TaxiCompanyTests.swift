// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
// Without `@testable`, as in a server.
import TaxiOrder
import Testing

@Suite("The simulated company of a rider", .folded, .timeLimit(.minutes(15)))
struct TaxiCompanyTests {
  @Test("quotes the same fare for the same way, and another one for another way", .noTrees)
  func fares() async throws {
    let services = TaxiCompanyBuilder(dependency: Server()).build().services
    var fares: [Quote] = []
    for (from, to) in [("A", "B"), ("A", "B"), ("B", "A"), ("A", "C")] {
      fares.append(try await services.quote.quote(from: .zone(name: from), to: .zone(name: to), sender: nil))
    }
    #expect(fares[0] == fares[1])
    #expect(Set(fares).count > 1)
    #expect(try await services.quote.quote(from: .zone(name: "A"), to: nil, sender: nil) == .metered)
  }

  @Test("serves a session to the end of the ride, across a restart with what both have saved", arguments: [nil, 1, 2])
  func restart(ordersUntilDecline: Int?) async throws {
    let first = await TreeHost(configuration: .folded) { RootRouter(ordersUntilDecline) }
    var statuses = first.values(bufferingPolicy: .unbounded) { $0.session.interactor.status }.makeAsyncIterator()
    _ = await statuses.next()
    try await first.perform { root in
      _ = root.session.interactor.signIn()
      #expect(root.session.interactor.requestTaxi(from: "A", to: "B", payment: .card))
    }
    var assigned = await statuses.next()
    while let status = assigned, status.driver == nil { assigned = await statuses.next() }
    let driver = try #require(assigned?.driver)
    let saved = try await first.save()
    await first.shutdown()

    let second = try await TreeHost(restoring: saved, coder: JSONStateCoder(), configuration: .folded) {
      RootRouter(ordersUntilDecline)
    }
    var hasDeclined = false
    for await status in second.values(bufferingPolicy: .unbounded, { $0.session.interactor.status }) {
      if let known = status.driver { #expect(known == driver) }
      if case .choosingPayment = status {
        hasDeclined = true
        #expect(try await second.perform { root in root.session.interactor.pay(by: .otherCard) })
      }
      if case .ended(let outcome) = status {
        #expect(outcome.name == "completed")
        break
      }
    }
    #expect(hasDeclined == (ordersUntilDecline == 1))
    #expect(await second.snapshot().nodes.filter { $0.name == "TaxiCompany" }.map(\.summary) == ["1 order"])
    await second.shutdown()
  }
}

extension OrderStatus {
  fileprivate var driver: Driver? {
    if case .underWay(let assignment, _) = self { assignment.driver } else { nil }
  }
}

private final class Server: TaxiCompanyDependency {
  let orderClock: any OrderClock = WallClock(speed: 1_000)
  let companySeed: UInt64 = 7
  let ordersUntilDecline: Int?

  init(_ ordersUntilDecline: Int? = nil) { self.ordersUntilDecline = ordersUntilDecline }
}

/// The root of a server's tree.
private final class RootRouter: Router<Interactor> {
  let session: RiderSessionRouter
  private let company: any Routing

  init(_ ordersUntilDecline: Int?) {
    let server = Server(ordersUntilDecline)
    let (company, services) = TaxiCompanyBuilder(dependency: server).build()
    self.company = company
    session = RiderSessionBuilder(dependency: SessionDependency(services, server.orderClock)).build()
    super.init(interactor: Interactor())
  }

  override func didLoad() {
    super.didLoad()
    attachChild(company)
    attachChild(session)
  }
}
