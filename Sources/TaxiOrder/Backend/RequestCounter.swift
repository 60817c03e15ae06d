// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
internal import Synchronization

/// Counts the requests of a tree's RIBs, and those sent by inactive ones. It learns from the tree's events which RIBs
/// are active.
package final class RequestCounter: Sendable {
  private let activeNodes = Locked<Set<NodeID>>([])
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
    case .activated: activeNodes.withLock { _ = $0.insert(node) }
    case .resigned: activeNodes.withLock { _ = $0.remove(node) }
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
    let isActive = sender.map { sender in activeNodes.withLock { $0.contains(sender) } } ?? false
    try Task.checkCancellation()
    try send { count.add(1, ordering: .relaxed) }
    if !isActive { countFromInactive.add(1, ordering: .relaxed) }
  }
}
