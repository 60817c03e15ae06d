internal import RIBs
internal import Synchronization

/// Takes the events of a tree from where the tree runs to where they are encoded.
///
/// The tree only leaves them here, and never waits. When they come faster than they are taken, the oldest go.
final class EventTap: Sendable {
  struct Item: Sendable {
    /// Counts all events of the tree, also those that went.
    let number: Int
    let event: TreeEvent
  }

  /// How many events may wait.
  static let capacity = 4_096

  let items: AsyncStream<Item>
  private let input: AsyncStream<Item>.Continuation
  private let count = Atomic(0)

  init() {
    (items, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(EventTap.capacity))
  }

  /// Called where the tree runs, one event at a time.
  func take(_ event: TreeEvent) -> Bool {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    if case .terminated = input.yield(Item(number: number, event: event)) { return false }
    return true
  }

  /// No more events are wanted.
  func close() { input.finish() }
}
