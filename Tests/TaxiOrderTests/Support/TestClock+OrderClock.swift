// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
public import RIBsTesting

@testable public import TaxiOrder

extension TestClock: OrderClock {
  public var time: OrderTime { OrderTime(now.sinceBeginning) }

  public func wallTime(of time: OrderTime) -> WallTime { wallTime + (time - self.time) }
}
