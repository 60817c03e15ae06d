import RIBsTesting

@testable import TaxiOrder

extension TestClock: OrderClock {
  var time: OrderTime { OrderTime(now.sinceBeginning) }
}
