// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A value that a test shares with what it tests.
package final class Shared<Value: Sendable>: Sendable {
  private let state: Locked<Value>

  package init(_ value: Value) { state = Locked(value) }

  /// What depends on the value that it replaces is set by `change`.
  package var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
}
