// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A dispatch queue that knows whether it runs the calling code.
final class KnownQueue: Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "ribs.tests.known")

  init() { queue.setSpecific(key: KnownQueue.key, value: ObjectIdentifier(self)) }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: KnownQueue.key) == ObjectIdentifier(self) }

  func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
