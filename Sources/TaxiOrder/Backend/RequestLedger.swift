internal import RIBs
internal import Synchronization

/// Knows which RIBs of a tree are active, from the tree's events and nothing else, and counts the requests they send.
final class RequestLedger: Sendable {
  private let activeNodes = ActiveNodes()
  private let count = Atomic(0)
  private let countFromInactive = Atomic(0)

  /// How many requests were sent.
  var requests: Int { count.load(ordering: .relaxed) }

  /// How many of them by a RIB that was not active.
  var requestsFromInactive: Int { countFromInactive.load(ordering: .relaxed) }

  /// The kinds of events that are taken down.
  static let recorded: Set<TreeEvent.Kind> = [.activated, .resigned]

  /// Takes down who becomes active and who resigns.
  func record(_ event: TreeEvent) {
    guard let node = event.node else { return }
    switch event.kind {
    case .activated: activeNodes.insert(node)
    case .resigned: activeNodes.remove(node)
    default: break
    }
  }

  /// Called when a request is about to be sent: checks its sender, and counts it.
  ///
  /// A RIB's work is cancelled before its resignation is told, so what a cancelled task finds here is never held against
  /// it: it sends nothing. Work that is not bound to its RIB is found out.
  func send(from sender: NodeID?) throws {
    let isActive = sender.map(activeNodes.contains) ?? false
    try Task.checkCancellation()
    count.add(1, ordering: .relaxed)
    if !isActive { countFromInactive.add(1, ordering: .relaxed) }
  }
}
