// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// The server-sent events in the parts of a body, each whole, with the empty line at its end.
///
/// The parts of a body begin and end anywhere. Comments and `retry` fields are left out: they are for one connection. The
/// sequence throws `EventsEndedEarly` if the body ends without an event `end`.
public struct EventFrames<Parts: AsyncSequence & Sendable>: AsyncSequence, Sendable where Parts.Element == ByteBuffer {
  private let parts: Parts
  private let limit: Int

  /// - Parameters:
  ///   - parts: the body.
  ///   - limit: the maximum size of an event, in bytes. The sequence throws `EventTooLarge` for a larger one.
  public init(parts: Parts, limit: Int = 1 << 20) { (self.parts, self.limit) = (parts, limit) }

  /// An iterator of the events.
  public func makeAsyncIterator() -> Iterator { Iterator(parts: parts.makeAsyncIterator(), limit: limit) }

  /// An iterator of the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var parts: Parts.AsyncIterator
    fileprivate let limit: Int
    private var bytes = ByteBuffer()
    /// How many of the bytes have no end of an event.
    private var searched = 0
    private var hasEnd = false

    fileprivate init(parts: Parts.AsyncIterator, limit: Int) { (self.parts, self.limit) = (parts, limit) }

    /// The next event; nil at the end.
    public mutating func next() async throws -> ByteBuffer? {
      while true {
        if let frame = nextFrame() {
          let text = frame.readableBytesView
          if text.starts(with: ":".utf8) || text.starts(with: "retry:".utf8) { continue }
          hasEnd = text.starts(with: "event: end\n".utf8)
          return frame
        }
        guard bytes.readableBytes <= limit else { throw EventTooLarge() }
        guard let part = try await parts.next() else {
          if hasEnd, bytes.readableBytes == 0 { return nil }
          throw EventsEndedEarly()
        }
        bytes.writeImmutableBuffer(part)
      }
    }

    private mutating func nextFrame() -> ByteBuffer? {
      let view = bytes.readableBytesView
      guard let end = view.dropFirst(searched).firstRange(of: "\n\n".utf8)?.upperBound else {
        searched = Swift.max(view.count - 1, 0)
        return nil
      }
      searched = 0
      defer { bytes.discardReadBytes() }
      return bytes.readSlice(length: end - view.startIndex)
    }
  }
}

/// A stream of events has ended in the middle: its server has probably died.
public struct EventsEndedEarly: Error {}

/// An event is larger than the limit.
public struct EventTooLarge: Error {}
