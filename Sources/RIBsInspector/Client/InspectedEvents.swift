internal import Foundation

/// The events of trees of another process, as they come. It is iterated once, and ends with the tree that is followed, with
/// the process, and with the cancellation of the iterating task.
public struct InspectedEvents: AsyncSequence, Sendable {
  /// What comes.
  public enum Element: Sendable, Hashable {
    /// Something has happened.
    case event(InspectedEvent)
    /// So many events were lost here, because they came faster than they were read. If they were lost on the way to this
    /// process, the other one ends the sequence.
    case lost(Int)

    /// What has happened; nil if it is lost.
    public var event: InspectedEvent? { if case .event(let event) = self { event } else { nil } }
  }

  let connection: LineConnection

  public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

  /// Hands out the events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let connection: LineConnection

    /// The next event; nil when there are no more.
    ///
    /// - Throws: an `InspectorError` if something comes that is not understood.
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
        case .trees, .snapshot, .following: break
        }
      }
      return nil
    }
  }
}
