public import RIBsTesting

@testable public import TaxiOrder

extension TestClock: OrderClock {
  public var time: OrderTime { OrderTime(now.sinceBeginning) }
}
