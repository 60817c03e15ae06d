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
  /// What is encoded of a RIB, and compared.
  struct Fields: Codable, Hashable {
    let id: NodeID?
    let parent: Int?
    let name: String
    let label: String?
    let router: String
    let interactor: String
    let state: TreeSnapshot.State
    let ageNanoseconds: Int64?
    let hasView: Bool
    let tasks: [String]?
    let workers: [String]?
    let subscriptions: Int
    let summary: String?
    let restarts: Restarts.Count?
    let wakes: WallTime?
  }

  public init(from decoder: any Decoder) throws {
    let fields = try Fields(from: decoder)
    guard fields.parent ?? 0 >= 0 else {
      let problem = "The parent is not where it belongs: there is no RIB number \(fields.parent ?? 0)."
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
    }
    self.init(
      kind: SnapshotKind(
        name: fields.name, router: fields.router, interactor: fields.interactor, hasView: fields.hasView),
      id: fields.id, parent: fields.parent, state: fields.state,
      age: fields.ageNanoseconds.map { .nanoseconds($0) }, tasks: fields.tasks ?? [], workers: fields.workers ?? [],
      subscriptions: fields.subscriptions, label: fields.label, summary: fields.summary, restarts: fields.restarts,
      wakes: fields.wakes)
  }

  var fields: Fields {
    Fields(
      id: id, parent: parent, name: name, label: label, router: router, interactor: interactor, state: state,
      ageNanoseconds: age?.wholeNanoseconds, hasView: hasView, tasks: tasks.isEmpty ? nil : tasks,
      workers: workers.isEmpty ? nil : workers, subscriptions: subscriptions, summary: summary, restarts: restarts,
      wakes: wakes)
  }

  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
