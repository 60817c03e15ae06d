// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A tree of a process that shows its trees.
public struct InspectedTree: Sendable, Hashable, Codable, Identifiable {
  /// Identifies the tree in its process. Ids are not reused.
  public let id: Int
  /// The name of its root RIB, after the name of the tree, if it has one: `order-17:Root`.
  public let name: String
  /// The labels of the tree, from `TreeConfiguration.labels`.
  public let labels: [String: String]
  /// The time since its launch, in seconds.
  public let age: Double

  /// What the tree has run for a second or longer without a pause, such as
  /// `order-17:Root runs perform (Order.swift:12), for 3.2 seconds at least`. Nil if it does not, or has no
  /// `TreeConfiguration.watchdog`.
  public let busy: String?

  private enum CodingKeys: CodingKey { case id, name, labels, age, busy }

  init(id: Int, name: String, labels: [String: String], age: Double, busy: String? = nil) {
    self.busy = busy
    self.id = id
    self.name = name
    self.labels = labels
    self.age = age
  }

  /// Decodes a tree; without labels if there are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(Int.self, forKey: .id), name: try container.decode(String.self, forKey: .name),
      labels: try container.decodeIfPresent([String: String].self, forKey: .labels) ?? [:],
      age: try container.decode(Double.self, forKey: .age),
      busy: try container.decodeIfPresent(String.self, forKey: .busy))
  }

  /// Encodes the tree; without labels if there are none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    if !labels.isEmpty { try container.encode(labels, forKey: .labels) }
    try container.encode(age, forKey: .age)
    try container.encodeIfPresent(busy, forKey: .busy)
  }

  /// The labels in one line, in order: `plan=free zone=north`.
  public var labelText: String { labels.lines.joined(separator: " ") }
}
