// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The events of trees in another process, in the order they arrive.
///
/// Iterate it once. It ends when the followed tree or the process ends, or when the iterating task is cancelled.
public struct InspectedEvents: AsyncSequence, Sendable {
  /// An event, or a gap in the events.
  public enum Element: Sendable, Hashable {
    /// An event of a tree.
    case event(InspectedEvent)
    /// The number of events lost at this point, because they arrived faster than they were read. Events lost on the
    /// way to this process have no gap: the other process ends the sequence.
    case lost(Int)

    /// The event; nil if events were lost here.
    public var event: InspectedEvent? { if case .event(let event) = self { event } else { nil } }
  }

  let connection: LineConnection

  public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

  /// Returns the events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let connection: LineConnection

    /// The next event; nil after the last one.
    ///
    /// - Throws: an `InspectorError` if an answer can't be decoded or reports an error.
    public mutating func next() async throws(InspectorError) -> Element? {
      while !Task.isCancelled {
        guard let answer = try await connection.answer() else { return nil }
        switch answer.answer {
        case .event:
          if let event = answer.event { return .event(event) }
        case .lost:
          if let count = answer.count { return .lost(count) }
        case .ended: return nil
        case .error: throw InspectorError(.refused, answer.message ?? "")
        case .trees, .snapshot, .complete, .following: break
        }
      }
      return nil
    }
  }
}
