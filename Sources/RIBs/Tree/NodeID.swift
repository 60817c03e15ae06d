/// Tells a RIB from all others of its tree, also from those that are gone. A RIB that is attached again gets another.
public struct NodeID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Counts the attachments in the tree, from 1, in the order in which the RIBs became active.
  public let rawValue: UInt64

  init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(UInt64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  public var description: String { "#\(rawValue)" }
}
