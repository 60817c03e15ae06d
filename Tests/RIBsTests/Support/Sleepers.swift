// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsTesting

extension TestClock {
  /// Waits until several tasks sleep: each tree with a clock of its own has its own timers.
  func waitForSleepers(_ count: Int) async {
    while deadlines.count < count { await Task.yield() }
  }
}
