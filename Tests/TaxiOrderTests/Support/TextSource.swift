// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

@testable import TaxiSimulation

/// Delivers a text in chunks of a given size.
final class TextSource: ByteSource {
  private var bytes: ArraySlice<UInt8>
  private let size: Int

  init(_ bytes: [UInt8], size: Int = 1 << 16) {
    self.bytes = bytes[...]
    self.size = size
  }

  convenience init(_ text: String, size: Int = 1 << 16) { self.init(Array(text.utf8), size: size) }

  func read() -> [UInt8] {
    let piece = bytes.prefix(size)
    bytes = bytes.dropFirst(size)
    return Array(piece)
  }
}
