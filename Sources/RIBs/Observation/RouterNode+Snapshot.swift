// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What a snapshot shows of a RIB.
extension RouterNode {
  /// The number of this RIB's restarts within the period of its container, if there were any.
  private final func restarts(at time: Duration) -> Restarts.Count? {
    guard let container, let supervisor = container.supervisor else { return nil }
    return container.place(of: self).flatMap { supervisor.count(at: $0, time) }
  }

  /// The types that a snapshot names.
  package final var snapshotTypes: SnapshotKind.Types {
    let interactor: any AnyObject = interactorCore ?? interactable
    return SnapshotKind.Types(router: namingType, interactor: type(of: interactor))
  }

  final func snapshot(
    parent: Int?, at time: Duration, kinds: inout SiblingCache<SnapshotKind.Types, SnapshotKind>
  ) -> TreeSnapshot.Node {
    let phase: TreeSnapshot.State =
      switch state.phase {
      case .inactive: .inactive
      case .active: .active
      case .resigning: .resigning
      }
    let types = snapshotTypes
    var node = TreeSnapshot.Node(
      kind: kinds.value(of: types) { SnapshotKind(types, hasView: hasView) }, details: interactorCore?.snapshotDetails,
      id: id, parent: parent, state: phase, age: phase == .inactive || tree == nil ? nil : time - activeSince)
    if let restarts = restarts(at: time) { node.setDetails { $0.restarts = restarts } }
    return node
  }
}

extension Interactor {
  /// What a snapshot says of this beside what is known of its router; nil if that is nothing.
  fileprivate final var snapshotDetails: SnapshotDetails? {
    let workers = runningWorkers
    guard work != nil || !workers.isEmpty else { return nil }
    let scopes = ([self] + workers).compactMap(\.work)
    return SnapshotDetails(
      work: .met(tasks: scopes.flatMap(\.shownTasks).map(\.origin), workers: workers.map { type(of: $0) }),
      subscriptions: scopes.reduce(0) { $0 + $1.subscriptionCount })
  }
}
