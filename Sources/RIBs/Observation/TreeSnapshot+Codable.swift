// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The format in which snapshots are stored and sent: `{"version": 1, "name": "order-17", "nodes": […]}`.
///
/// The RIBs are in pre-order, each with the index of its parent and its age in nanoseconds. Nil values and empty lists
/// are omitted. `wakes` and `wallTime` are in microseconds since 1970. Fields may be added without a new version, so
/// readers must ignore unknown ones.
extension TreeSnapshot {
  /// The version of the format. It changes when readers of the old version would misread the new one.
  public static let version = 1

  private enum Key: String, CodingKey {
    case version, name, labels, nodes, wallTime
  }

  /// Decodes a snapshot.
  ///
  /// - Throws: a `DecodingError` if the version is later than this one, or if the nodes are not a tree in pre-order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == TreeSnapshot.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "The snapshot has version \(version), and version \(TreeSnapshot.version) is known here.")
    }
    let nodes = try container.decode([Node].self, forKey: .nodes)
    if let index = TreeSnapshot.firstMisplaced(in: nodes) {
      throw DecodingError.dataCorruptedError(
        forKey: .nodes, in: container,
        debugDescription: "RIB number \(index) is not where it belongs: RIBs are in pre-order, below one root.")
    }
    self.init(
      nodes: nodes, name: try container.decodeIfPresent(String.self, forKey: .name),
      labels: try container.decodeIfPresent([String: String].self, forKey: .labels) ?? [:],
      wallTime: try container.decodeIfPresent(WallTime.self, forKey: .wallTime))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(TreeSnapshot.version, forKey: .version)
    try container.encodeIfPresent(name, forKey: .name)
    if !labels.isEmpty { try container.encode(labels, forKey: .labels) }
    try container.encode(nodes, forKey: .nodes)
    try container.encodeIfPresent(wallTime, forKey: .wallTime)
  }

  /// The index of the first RIB that is not in pre-order.
  private static func firstMisplaced(in nodes: [Node]) -> Int? {
    // The path from the root to the previous RIB.
    var line: [Int] = []
    for (index, node) in nodes.enumerated() {
      while let last = line.last, last != node.parent { line.removeLast() }
      if line.isEmpty, index > 0 || node.parent != nil { return index }
      line.append(index)
    }
    return nil
  }
}

extension TreeSnapshot.Node: Codable {
  private enum Key: String, CodingKey {
    case id, parent, name, label, router, interactor, state, ageNanoseconds, hasView, tasks, workers, subscriptions,
      summary
    case restarts, wakes
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let parent = try container.decodeIfPresent(Int.self, forKey: .parent)
    guard parent ?? 0 >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .parent, in: container,
        debugDescription: "The parent is not where it belongs: there is no RIB number \(parent ?? 0).")
    }
    let kind = SnapshotKind(
      name: try container.decode(String.self, forKey: .name),
      router: try container.decode(String.self, forKey: .router),
      interactor: try container.decode(String.self, forKey: .interactor),
      hasView: try container.decode(Bool.self, forKey: .hasView))
    self.init(
      kind: kind, id: try container.decodeIfPresent(NodeID.self, forKey: .id), parent: parent,
      state: try container.decode(TreeSnapshot.State.self, forKey: .state),
      age: try container.decodeIfPresent(Int64.self, forKey: .ageNanoseconds).map { .nanoseconds($0) },
      tasks: try container.decodeIfPresent([String].self, forKey: .tasks) ?? [],
      workers: try container.decodeIfPresent([String].self, forKey: .workers) ?? [],
      subscriptions: try container.decode(Int.self, forKey: .subscriptions),
      label: try container.decodeIfPresent(String.self, forKey: .label),
      summary: try container.decodeIfPresent(String.self, forKey: .summary),
      restarts: try container.decodeIfPresent(Restarts.Count.self, forKey: .restarts),
      wakes: try container.decodeIfPresent(WallTime.self, forKey: .wakes))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encodeIfPresent(parent, forKey: .parent)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(label, forKey: .label)
    try container.encode(router, forKey: .router)
    try container.encode(interactor, forKey: .interactor)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(age?.wholeNanoseconds, forKey: .ageNanoseconds)
    try container.encode(hasView, forKey: .hasView)
    if !tasks.isEmpty { try container.encode(tasks, forKey: .tasks) }
    if !workers.isEmpty { try container.encode(workers, forKey: .workers) }
    try container.encode(subscriptions, forKey: .subscriptions)
    try container.encodeIfPresent(summary, forKey: .summary)
    try container.encodeIfPresent(restarts, forKey: .restarts)
    try container.encodeIfPresent(wakes, forKey: .wakes)
  }
}
