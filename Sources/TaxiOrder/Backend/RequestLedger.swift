internal import RIBs
internal import Synchronization

/// Counts the requests of a tree's RIBs, and those sent by inactive ones. It learns from the tree's events which RIBs
/// are active.
final class RequestLedger: Sendable {
  private let activeNodes = ActiveNodes()
  private let count = Atomic(0)
  private let countFromInactive = Atomic(0)

  /// The number of requests sent.
  var requests: Int { count.load(ordering: .relaxed) }

  /// The number of requests sent by inactive RIBs.
  var requestsFromInactive: Int { countFromInactive.load(ordering: .relaxed) }

  /// The kinds of events that `record(_:)` needs.
  static let recorded: Set<TreeEvent.Kind> = [.activated, .resigned]

  /// Records activations and resignations.
  func record(_ event: TreeEvent) {
    guard let node = event.node else { return }
    switch event.kind {
    case .activated: activeNodes.insert(node)
    case .resigned: activeNodes.remove(node)
    default: break
    }
  }

  /// Checks the sender of a request that is about to be sent, and counts it.
  ///
  /// A RIB's work is cancelled before its resignation is reported. A cancelled task therefore throws here instead of
  /// being counted; work that is not bound to its RIB is counted.
  func send(from sender: NodeID?) throws {
    let isActive = sender.map(activeNodes.contains) ?? false
    try Task.checkCancellation()
    count.add(1, ordering: .relaxed)
    if !isActive { countFromInactive.add(1, ordering: .relaxed) }
  }
}
