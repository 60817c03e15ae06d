// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
internal import Synchronization

/// Counts the requests of a tree's RIBs, and those sent by inactive ones. It learns from the tree's events which RIBs
/// are active.
package final class RequestCounter: Sendable {
  private let activeNodes = ActiveNodes()
  private let count: Atomic<Int>
  private let countFromInactive: Atomic<Int>

  /// - Parameters:
  ///   - requests: the number of requests sent before.
  ///   - requestsFromInactive: the number of those sent by inactive RIBs.
  package init(requests: Int = 0, requestsFromInactive: Int = 0) {
    count = Atomic(requests)
    countFromInactive = Atomic(requestsFromInactive)
  }

  /// The number of requests sent.
  package var requests: Int { count.load(ordering: .relaxed) }

  /// The number of requests sent by inactive RIBs.
  package var requestsFromInactive: Int { countFromInactive.load(ordering: .relaxed) }

  /// The kinds of events that `record(_:)` needs.
  package static let recorded: Set<TreeEvent.Kind> = [.activated, .resigned]

  /// Records activations and resignations.
  package func record(_ event: TreeEvent) {
    guard let node = event.node else { return }
    switch event.kind {
    case .activated: activeNodes.insert(node)
    case .resigned: activeNodes.remove(node)
    default: break
    }
  }

  /// Checks the sender of a request, sends it, and counts it.
  ///
  /// A RIB's work is cancelled before its resignation is reported. A cancelled task therefore throws here before it sends;
  /// work that is not bound to its RIB is counted. A request that was sent is counted even if it is cancelled meanwhile.
  ///
  /// - Parameters:
  ///   - sender: the RIB that sends the request.
  ///   - send: sends it, and calls the closure to count it. A restored tree repeats requests, which are not counted again.
  func countRequest(from sender: NodeID?, _ send: (_ count: () -> Void) throws -> Void = { count in count() }) throws {
    let isActive = sender.map(activeNodes.contains) ?? false
    try Task.checkCancellation()
    try send { count.add(1, ordering: .relaxed) }
    if !isActive { countFromInactive.add(1, ordering: .relaxed) }
  }
}

/// The ids of the active RIBs of one tree, as a lock-free bit set. Written by the tree, read from any thread.
///
/// Ids count up from 1. A page holds 64 bits; pages form a linked list.
final class ActiveNodes: Sendable {
  private let bits = Atomic<UInt64>(0)
  private let nextPage = AtomicLazyReference<ActiveNodes>()

  func insert(_ id: NodeID) { change(id) { $0 | $1 } }

  func remove(_ id: NodeID) { change(id) { $0 & ~$1 } }

  func contains(_ id: NodeID) -> Bool {
    var page: ActiveNodes? = self
    for _ in 0..<id.page {
      guard let next = page?.nextPage.load() else { return false }
      page = next
    }
    return page.map { $0.bits.load(ordering: .acquiring) & id.bit != 0 } ?? false
  }

  private func change(_ id: NodeID, _ combine: (_ bits: UInt64, _ bit: UInt64) -> UInt64) {
    // Fast path: most trees need only one page.
    if id.page == 0 { return set(combine(bits.load(ordering: .relaxed), id.bit)) }
    var page = self
    for _ in 0..<id.page { page = page.nextPage.load() ?? page.nextPage.storeIfNil(ActiveNodes()) }
    page.set(combine(page.bits.load(ordering: .relaxed), id.bit))
  }

  /// Not atomic with the load: only the tree writes.
  private func set(_ new: UInt64) { bits.store(new, ordering: .releasing) }
}

extension NodeID {
  fileprivate var page: UInt64 { rawValue / 64 }
  fileprivate var bit: UInt64 { 1 << (rawValue % 64) }
}
