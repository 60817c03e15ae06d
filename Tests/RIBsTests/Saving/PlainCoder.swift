// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore

/// The coder of these tests: JSON.
typealias PlainCoder = JSONStateCoder

/// A coder whose bytes are no JSON: JSON text, reversed and with each bit flipped.
struct OddCoder: SavedTree.Coder {
  var writesJSON: Bool { false }

  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    try PlainCoder().encode(value).reversed().map { ~$0 }
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try PlainCoder().decode(type, from: bytes.reversed().map { ~$0 })
  }
}
