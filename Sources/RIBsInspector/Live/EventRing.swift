internal import RIBs

/// An event of a tree that an inspector shows.
struct RecordedEvent: Sendable {
  let tree: InspectedTree.ID
  /// Counts the recorded events of the tree, from 1.
  let number: Int
  let event: TreeEvent
}

/// The last events of the followed trees: a ring buffer of values that overwrites the oldest.
///
/// It is the only buffer between the trees and the sockets. It takes memory while it is open, and the same amount however
/// many trees write to it and however slowly clients read from it.
struct EventRing {
  /// How many events it holds.
  static let capacity = 4_096
  /// How many of them a client gets that asks for those from before.
  static let replayed = 1_000

  /// Empty while the ring is closed.
  private var slots: [RecordedEvent?] = []
  /// Counts all events that were ever appended: the position of the next one.
  private(set) var end = 0
  /// The position of the oldest event that is still there.
  private(set) var start = 0

  var isOpen: Bool { !slots.isEmpty }

  mutating func open() {
    if !isOpen { slots = Array(repeating: nil, count: EventRing.capacity) }
  }

  /// Discards all events and frees the memory.
  ///
  /// - Returns: the discarded events, to be released where user code may run.
  mutating func close() -> [RecordedEvent?] {
    defer { slots = [] }
    start = end
    return slots
  }

  /// Appends an event to an open ring.
  ///
  /// - Returns: the overwritten event, to be released where user code may run.
  mutating func append(_ event: RecordedEvent) -> RecordedEvent? {
    var slot: RecordedEvent? = event
    swap(&slots[end % EventRing.capacity], &slot)
    end += 1
    start = max(start, end - EventRing.capacity)
    return slot
  }

  /// - Parameter position: from `start` to before `end`.
  subscript(position: Int) -> RecordedEvent? { slots[position % EventRing.capacity] }
}
