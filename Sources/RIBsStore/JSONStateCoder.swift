internal import Foundation
public import RIBs

/// Encodes the states and routes of a saved tree as JSON, with sorted keys.
///
/// Dates are numbers of seconds since 2001 and data is Base64, as `JSONEncoder` encodes them by default.
public struct JSONStateCoder: SavedTree.Coder {
  /// True: the document is JSON throughout.
  public var writesJSON: Bool { true }

  /// Creates a coder.
  public init() {}

  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
