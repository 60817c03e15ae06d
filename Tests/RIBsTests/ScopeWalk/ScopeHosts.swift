// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Hosts of trees that the walks on all of them may drop and shut down.
final class ScopeHosts: Sendable {
  let count: Int
  private let hosts: Locked<[TreeHost<ScopeRouter>?]>

  init(count: Int) {
    self.count = count
    hosts = Locked(Array(repeating: nil, count: count))
  }

  func put(_ host: TreeHost<ScopeRouter>, at index: Int) { hosts.withLock { $0[index] = host } }

  /// Drops a host, or starts to shut it down.
  func end(_ number: Int) {
    let host = hosts.withLock { hosts in
      let index = number % hosts.count
      defer { hosts[index] = nil }
      return hosts[index]
    }
    guard let host, number.isMultiple(of: 2) else { return }
    Task.detached { await host.shutdown() }
  }
}
