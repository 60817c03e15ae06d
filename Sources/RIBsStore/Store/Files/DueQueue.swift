// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The trees of a kind that are awake on disk, and that no owner has claimed since.
///
/// A round-robin queue: each ID is taken before any is taken again, so that trees that can't be claimed don't hide others.
struct DueQueue {
  struct Entry {
    let ticket: UInt64
    /// The schema of the record; nil if it was not read yet.
    var schema: Int?
  }

  /// The IDs with the ticket of their valid place in the queue. Places with other tickets are stale.
  private(set) var entries: [String: Entry] = [:]
  private var order = FIFO<(id: String, ticket: UInt64)>()
  /// The number of places in the queue, stale ones included.
  private var places = 0
  private var lastTicket: UInt64 = 0

  init(_ ids: [String] = []) { for id in ids { add(id, schema: nil) } }

  var count: Int { entries.count }

  /// Adds an ID at the end.
  mutating func add(_ id: String, schema: Int?) {
    lastTicket += 1
    entries[id] = Entry(ticket: lastTicket, schema: schema)
    enqueue(id, lastTicket)
    if places > 2 * entries.count + 64 { removeStalePlaces() }
  }

  mutating func remove(_ id: String) { entries[id] = nil }

  /// Removes the ID, unless it was removed and added again meanwhile.
  mutating func remove(_ id: String, ticket: UInt64) { if entries[id]?.ticket == ticket { entries[id] = nil } }

  /// Notes the schema that was read, unless the ID was removed meanwhile.
  mutating func note(_ schema: Int?, of id: String, ticket: UInt64) {
    if entries[id]?.ticket == ticket { entries[id]?.schema = schema }
  }

  /// Moves up to `limit` IDs to the end, and returns them.
  mutating func take(_ limit: Int) -> [(id: String, entry: Entry)] {
    var taken: [(id: String, entry: Entry)] = []
    while taken.count < min(limit, entries.count), let place = order.popFirst() {
      places -= 1
      if let entry = entries[place.id], entry.ticket == place.ticket { taken.append((place.id, entry)) }
    }
    for place in taken { enqueue(place.id, place.entry.ticket) }
    return taken
  }

  private mutating func enqueue(_ id: String, _ ticket: UInt64) {
    order.append((id, ticket))
    places += 1
  }

  private mutating func removeStalePlaces() {
    var rest = order
    (order, places) = (FIFO(), 0)
    while let place = rest.popFirst() {
      if entries[place.id]?.ticket == place.ticket { enqueue(place.id, place.ticket) }
    }
  }
}
