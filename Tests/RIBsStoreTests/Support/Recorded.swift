// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Values that are recorded on any thread.
final class Recorded<Value: Sendable>: Sendable {
  private let state = Locked<[Value]>([])

  var values: [Value] { state.withLock { $0 } }

  func append(_ value: Value) { state.withLock { $0.append(value) } }
}
