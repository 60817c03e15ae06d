// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

/// Encodes the states and routes of a saved tree as JSON, with sorted keys.
///
/// `JSONEncoder` writes dates as seconds since 2001, and data as Base64.
///
/// Equal states must be encoded as equal bytes, because otherwise a tree would count as changed although it is not. The
/// order in which a `Set`, or a dictionary whose keys are neither strings nor integers, is encoded differs between equal
/// values. So debug builds decode what they have encoded, encode it again, and throw `UnstableEncoding` if the bytes
/// differ.
public struct JSONStateCoder: SavedTree.Coder {
  /// True: the document is JSON throughout.
  public var writesJSON: Bool { true }

  /// Creates a coder.
  public init() {}

  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = Array(try encoder.encode(value))
    #if DEBUG
      if let type = Value.self as? any Codable.Type { try check(type, bytes, encoder) }
    #endif
    return bytes
  }

  #if DEBUG
    private func check<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8], _ encoder: JSONEncoder) throws {
      let again = Array(try encoder.encode(try decode(type, from: bytes)))
      guard again == bytes else { throw UnstableEncoding(type: "\(type)") }
    }
  #endif

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}

/// A state or a route is encoded as other bytes after it was decoded. `JSONStateCoder` throws it in debug builds.
public struct UnstableEncoding: Error, Hashable, CustomStringConvertible {
  /// The type of the state, or of the routes.
  public let type: String

  public var description: String {
    "\(type) is encoded differently after it was decoded. Save a Set as a sorted array, and a dictionary whose keys are not "
      + "strings as a sorted array of its elements; encode each property that is decoded."
  }
}
