// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The trees of a kind that wake soon, and that no owner has claimed: a part of what the disk has, of bounded size.
///
/// It has all trees that wake before its horizon. Later ones take no memory: they are read when the horizon is reached.
struct WakeQueue {
  struct Entry {
    let id: String
    let time: WallTime
    /// The schema of the record; nil if its file was not read yet.
    var schema: Int?
  }

  /// A read of the disk that is under way.
  struct Loading {
    /// The trees that wake before this time are read.
    let end: WallTime
    /// The number of trees that are kept.
    let capacity: Int
  }

  /// How many trees are kept, unless the caller needs more.
  private let usualCapacity: Int
  /// All trees that wake earlier are in memory, and perhaps some that wake then.
  private(set) var horizon = WallTime(microsecondsSince1970: .min)
  /// By time and ID. An entry is valid if `entries` has its time.
  private var order: [(time: WallTime, id: String)] = []
  private var entries: [String: Entry] = [:]
  private var loading: Loading?

  init(capacity: Int) { usualCapacity = capacity }

  /// The number of trees in memory.
  var count: Int { entries.count }

  /// Adds a tree that was saved, unless it wakes behind the horizon.
  mutating func add(_ id: String, at time: WallTime, schema: Int?) {
    guard time < max(horizon, loading?.end ?? horizon) else { return entries[id] = nil }
    entries[id] = Entry(id: id, time: time, schema: schema)
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] <= (time, id) { low = middle + 1 } else { high = middle }
    }
    order.insert((time, id), at: low)
    if order.count > 2 * max(entries.count, usualCapacity) { removeStalePlaces() }
    if loading == nil, entries.count > 2 * usualCapacity { keep(usualCapacity) }
  }

  mutating func remove(_ id: String) { entries[id] = nil }

  /// Removes a tree that does not wake at the time, unless another time was added meanwhile.
  mutating func remove(_ id: String, at time: WallTime) { if entries[id]?.time == time { entries[id] = nil } }

  /// Notes the schema that was read, unless the tree was removed meanwhile.
  mutating func note(_ schema: Int, of id: String, at time: WallTime) {
    if entries[id]?.time == time { entries[id]?.schema = schema }
  }

  /// The trees whose time has come, the oldest first, without those that have a later schema.
  mutating func due(at now: WallTime, limit: Int, schema: Int) -> [Entry] {
    order.removeFirst(order.prefix { entries[$0.id]?.time != $0.time }.count)
    var due: [Entry] = []
    for place in order {
      guard place.time <= now, due.count < limit else { break }
      guard let entry = entries[place.id], entry.time == place.time, entry.schema ?? .min <= schema else { continue }
      // A tree that was removed and added again has two places.
      if due.last?.id != place.id { due.append(entry) }
    }
    return due
  }

  // MARK: Loading

  /// Begins a read of the disk if there may be more trees whose time has come.
  ///
  /// - Returns: nil if there are none, or another read is under way.
  mutating func beginLoading(at now: WallTime, limit: Int, schema: Int) -> Loading? {
    guard loading == nil, now >= horizon, due(at: now, limit: limit, schema: schema).count < limit else { return nil }
    // What is in memory is not due, or the caller has seen it: it must not hide the others.
    let capacity = entries.count + max(usualCapacity, min(limit, .max / 4))
    loading = Loading(end: WakeFolder(of: now).end, capacity: capacity)
    return loading
  }

  /// Adds what was read, and ends the read.
  ///
  /// - Parameters:
  ///   - found: trees that are not claimed. What was added since the read has begun is newer.
  ///   - end: all trees that wake before are among them.
  mutating func endLoading(_ found: [(id: String, time: WallTime)], to end: WallTime) {
    guard let loading else { return }
    for (id, time) in found where entries[id] == nil { entries[id] = Entry(id: id, time: time) }
    order = entries.values.map { ($0.time, $0.id) }.sorted { $0 < $1 }
    (horizon, self.loading) = (end, nil)
    // Added meanwhile.
    while let last = order.last, last.time >= end { entries[order.removeLast().id] = nil }
    keep(loading.capacity)
  }

  mutating func cancelLoading() { loading = nil }

  /// Keeps the trees that wake first.
  private mutating func keep(_ capacity: Int) {
    removeStalePlaces()
    guard order.count > capacity else { return }
    horizon = order[capacity].time
    // Some of those that wake at the horizon stay: there may be more of them than have room.
    while order.count > capacity { entries[order.removeLast().id] = nil }
  }

  private mutating func removeStalePlaces() {
    order = entries.values.map { ($0.time, $0.id) }.sorted { $0 < $1 }
  }
}

/// A folder with the names of the trees that wake in ten minutes of the calendar.
///
/// So the store lists the folders, which are few, and reads those whose time has come.
struct WakeFolder: Hashable {
  private static let length: Int64 = 600_000_000
  private static let ending = ":00Z"

  /// The first time of the folder.
  let start: WallTime

  /// The folder of a time. Times before 1970 count as 1970.
  init(of time: WallTime) {
    let microseconds = max(time.microsecondsSince1970, 0)
    start = WallTime(microsecondsSince1970: microseconds - microseconds % WakeFolder.length)
  }

  /// The folder with a name; nil for a name that no store has written.
  init?(name: String) {
    guard let time = WallTime(name.dropLast(2) + ":" + name.suffix(2) + WakeFolder.ending) else { return nil }
    self.init(of: time)
    guard self.name == name else { return nil }
  }

  /// The name, such as `2026-01-01T1810`.
  var name: String {
    let time = start.description.dropLast(WakeFolder.ending.count)
    return String(time.dropLast(3) + time.suffix(2))
  }

  /// The first time that is later than all times of the folder.
  var end: WallTime { start + .microseconds(WakeFolder.length) }

  /// The name of the file of a tree: the microseconds since the start of the folder in nine digits, and the ID.
  static func fileName(of id: String, at time: WallTime) -> String {
    let digits = String(max(time.microsecondsSince1970, 0) % length)
    return String(repeating: "0", count: 9 - digits.count) + digits + "-" + FileLayout.encoded(id)
  }

  /// What the name of a file says; nil for a name that no store has written.
  func entry(ofFile name: String) -> (id: String, time: WallTime)? {
    let digits = name.prefix(9)
    guard digits.utf8.count == 9, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let offset = Int64(digits),
      offset < WakeFolder.length, name.dropFirst(9).hasPrefix("-"),
      let id = FileLayout.decoded(String(name.dropFirst(10)))
    else { return nil }
    return (id, start + .microseconds(offset))
  }
}
