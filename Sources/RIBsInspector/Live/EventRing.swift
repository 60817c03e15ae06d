// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// An event of a tree, with its number in that tree.
struct RecordedEvent: Sendable {
  let tree: InspectedTree.ID
  /// The number of this event among the recorded events of the tree, from 1.
  var number: Int
  let event: TreeEvent
}

/// The last events of the followed trees: a ring buffer that overwrites the oldest.
///
/// It is the only buffer between trees and sockets. It has a fixed size while it is open, and none while it is
/// closed.
struct EventRing {
  /// The number of events it holds.
  static let capacity = 4_096
  /// The maximum number of events replayed to a client.
  static let replayed = 1_000

  /// Empty while the ring is closed.
  private var slots: [RecordedEvent?] = []
  /// The number of events ever appended: the position of the next one.
  private(set) var end = 0
  /// The position of the oldest event still held.
  private(set) var start = 0

  var isOpen: Bool { !slots.isEmpty }

  mutating func open() {
    if !isOpen { slots = Array(repeating: nil, count: EventRing.capacity) }
  }

  /// Discards all events and frees the memory.
  ///
  /// - Returns: the discarded events, to be released where user code may run, outside the lock.
  mutating func close() -> [RecordedEvent?] {
    defer { slots = [] }
    start = end
    return slots
  }

  /// Appends an event to an open ring, and replaces it by the one that it overwrites, to be released where user code may
  /// run, outside the lock.
  mutating func append(_ event: inout RecordedEvent?) {
    swap(&slots[end % EventRing.capacity], &event)
    end += 1
    start = max(start, end - EventRing.capacity)
  }

  /// - Parameter position: in `start..<end`.
  subscript(position: Int) -> RecordedEvent? { slots[position % EventRing.capacity] }
}
