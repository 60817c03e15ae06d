// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

private final class Client {}

private final class SharingComponent: Component<any EmptyDependency> {
  var client: Client { shared { Client() } }
}

private final class LazyComponent {
  lazy var client = Client()
}

/// Reading a component's shared instance, compared with a lazy property.
@MainActor
func sharedCase() -> [Measurement] {
  let sharing = SharingComponent(dependency: EmptyComponent())
  let lazy = LazyComponent()
  let count = 20_000
  let comparison = Comparison(runs: 300, operations: count) {
    for _ in 0..<count { read(lazy) }
  } _: {
    for _ in 0..<count { read(sharing) }
  }
  return [Measurement("shared instance", comparison, .atMost(3))]
}

@inline(never)
private func read(_ component: LazyComponent) { keep(component.client) }

@inline(never)
private func read(_ component: SharingComponent) { keep(component.client) }
