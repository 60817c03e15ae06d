// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The trees that an inspector shows, and the recent events of those that are followed.
///
/// Trees write to it from their actors; the inspector's thread reads from it. It holds an entry for each tree that
/// has not ended and one ring of events, so its size does not depend on how fast clients read. Its lock is held only
/// to store or copy a few values; neither user code nor a system call runs under it.
final class TreeRegistry: Sendable {
  /// A tree that has not ended.
  struct Entry: Sendable {
    let id: InspectedTree.ID
    let tree: TreeHandle
    let since: ContinuousClock.Instant
  }

  /// The recording state of a tree.
  fileprivate struct Tap {
    enum Subscription: Equatable {
      case none
      /// Subscribing was requested, by the request with this number, and the tree has not answered yet.
      case pending(Int)
      /// The tree reports its events. This ends when it reports one that no client follows.
      case active
    }

    var subscription = Subscription.none
    /// The number of clients that follow only this tree.
    var followers = 0
    /// The index of the counter of its recorded events.
    let counter: Int
    var hasEnded = false
  }

  /// Counts the recorded events of a tree. Trees find theirs by its index, because they do so for each event.
  fileprivate struct Counter {
    /// The tree; nil if the counter is free.
    var tree: InspectedTree.ID?
    var count = 0
  }

  fileprivate struct State {
    var entries: [InspectedTree.ID: Entry] = [:]
    var ids: [ObjectIdentifier: InspectedTree.ID] = [:]
    /// One for each tree that has not ended, and for each ended tree that clients still follow.
    var taps: [InspectedTree.ID: Tap] = [:]
    /// The tasks that wait for pending subscriptions.
    var subscribing: [InspectedTree.ID: Task<Void, Never>] = [:]
    /// One for each tap, and free ones.
    var counters: [Counter] = []
    var freeCounters: [Int] = []
    var ring = EventRing()
    var lastID = 0
    var lastRequest = 0
    /// The number of clients that follow all trees, plus one if events are recorded without clients.
    var followersOfAll: Int
    /// The number of clients that follow one tree.
    var followersOfOne = 0
    /// Whether the inspector's thread has read all events and the next one must wake it.
    var isReaderWaiting = false
    var isClosed = false

    /// Whether events are recorded.
    var isFollowed: Bool { followersOfAll + followersOfOne > 0 }

    mutating func addTap(of id: InspectedTree.ID, isActive: Bool) -> Int {
      let counter = freeCounters.popLast() ?? counters.count
      if counter == counters.count { counters.append(Counter()) }
      counters[counter] = Counter(tree: id)
      taps[id] = Tap(subscription: isActive ? .active : .none, counter: counter)
      return counter
    }

    mutating func removeTap(of id: InspectedTree.ID) {
      subscribing[id] = nil
      guard let tap = taps.removeValue(forKey: id) else { return }
      counters[tap.counter] = Counter()
      freeCounters.append(tap.counter)
    }

    /// Counts an event of a followed tree; ends the subscription of any other tree.
    ///
    /// - Returns: the number of the event; nil if the tree is no longer followed.
    mutating func count(_ id: InspectedTree.ID, _ counter: Int) -> Int? {
      // An ended tree may have left its counter to another.
      guard counter < counters.count, counters[counter].tree == id else { return nil }
      if followersOfAll == 0, let tap = taps[id], tap.followers == 0 {
        taps[id]?.subscription = .none
        return nil
      }
      counters[counter].count += 1
      return counters[counter].count
    }

    mutating func closeRingIfUnused() -> [RecordedEvent?] { isFollowed ? [] : ring.close() }
  }

  private let state: Locked<State>
  /// Wakes the reading thread.
  private let wakeReader: @Sendable () -> Void

  /// - Parameters:
  ///   - recordsAll: whether to record the events of all trees even if no client follows them.
  ///   - wakeReader: called on any thread when there is something to read, outside the lock.
  init(recordsAll: Bool, wakeReader: @escaping @Sendable () -> Void) {
    var state = State(followersOfAll: recordsAll ? 1 : 0)
    if recordsAll { state.ring.open() }
    self.state = Locked(state)
    self.wakeReader = wakeReader
  }

  /// Removes all trees and events. Nothing can be added afterwards.
  func close() {
    let removed = state.withLock { state in
      defer { state = State(followersOfAll: 0, isClosed: true) }
      return (state.entries, state.ring)
    }
    withExtendedLifetime(removed) {}
  }
}

// MARK: - On the trees' actors

extension TreeRegistry {
  /// Adds a tree that is about to launch.
  ///
  /// - Returns: the function that the tree reports its events to; nil if they aren't followed.
  func add(_ tree: TreeHandle) -> TreeHandle.Observer? {
    tree.attachEdits()
    let followed = state.withLock { state -> (id: InspectedTree.ID, counter: Int)? in
      guard !state.isClosed else { return nil }
      state.lastID += 1
      let isFollowed = state.followersOfAll > 0
      state.entries[state.lastID] = Entry(id: state.lastID, tree: tree, since: .now)
      state.ids[ObjectIdentifier(tree)] = state.lastID
      let counter = state.addTap(of: state.lastID, isActive: isFollowed)
      return isFollowed ? (state.lastID, counter) : nil
    }
    return followed.map { observer(of: $0.id, $0.counter) }
  }

  /// Removes a tree that has ended.
  func remove(_ tree: TreeHandle) {
    let (entry, isFollowed) = state.withLock { state -> (Entry?, Bool) in
      guard let id = state.ids.removeValue(forKey: ObjectIdentifier(tree)) else { return (nil, false) }
      let isFollowed = state.taps[id].map { $0.followers > 0 } ?? false
      if isFollowed { state.taps[id]?.hasEnded = true } else { state.removeTap(of: id) }
      return (state.entries.removeValue(forKey: id), isFollowed)
    }
    if isFollowed { wakeReader() }
    withExtendedLifetime(entry) {}
  }

  private func observer(of id: InspectedTree.ID, _ counter: Int) -> TreeHandle.Observer {
    { [self] event in record(event, of: id, counter) }
  }

  /// Records an event, overwriting the oldest one if the ring is full.
  ///
  /// - Returns: whether further events should be reported.
  private func record(_ event: TreeEvent, of id: InspectedTree.ID, _ counter: Int) -> Bool {
    var slot: RecordedEvent? = RecordedEvent(tree: id, number: 0, event: event)
    let (isFollowed, wakes) = state.withLock { state -> (Bool, Bool) in
      guard let count = state.count(id, counter) else { return (false, false) }
      slot?.number = count
      state.ring.append(&slot)
      defer { state.isReaderWaiting = false }
      return (true, state.isReaderWaiting)
    }
    if wakes { wakeReader() }
    withExtendedLifetime(slot) {}
    return isFollowed
  }
}

// MARK: - On the inspector's thread

extension TreeRegistry {
  /// The trees that have not ended, in launch order.
  var entries: [Entry] { state.withLock { Array($0.entries.values) }.sorted { $0.id < $1.id } }

  /// The number of events in the ring.
  var eventCount: Int { state.withLock { $0.ring.isOpen ? $0.ring.end - $0.ring.start : 0 } }

  func id(of tree: TreeHandle) -> InspectedTree.ID? { state.withLock { $0.ids[ObjectIdentifier(tree)] } }

  /// The number of recorded events of a tree.
  func eventCount(of id: InspectedTree.ID) -> Int {
    state.withLock { state in state.taps[id].map { state.counters[$0.counter].count } ?? 0 }
  }

  func tree(_ id: InspectedTree.ID) -> TreeHandle? { state.withLock { $0.entries[id]?.tree } }

  // MARK: Following

  /// Registers a client that follows a tree.
  ///
  /// - Parameter id: the tree; nil for all trees.
  /// - Returns: whether there is such a tree.
  func follow(_ id: InspectedTree.ID?) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      if let id {
        guard state.entries[id] != nil, state.taps[id] != nil else { return false }
        state.taps[id]?.followers += 1
        state.followersOfOne += 1
      } else {
        state.followersOfAll += 1
      }
      state.ring.open()
      return true
    }
  }

  /// Unregisters a client. With the last one the ring is closed, and each tree stops reporting after one more event.
  func unfollow(_ id: InspectedTree.ID?) {
    let released = state.withLock { state -> [RecordedEvent?] in
      guard !state.isClosed else { return [] }
      if let id {
        state.followersOfOne -= 1
        state.taps[id]?.followers -= 1
        if let tap = state.taps[id], tap.hasEnded, tap.followers == 0 { state.removeTap(of: id) }
      } else {
        state.followersOfAll -= 1
      }
      return state.closeRingIfUnused()
    }
    withExtendedLifetime(released) {}
  }

  /// Subscribes to the events of a followed tree, unless already subscribed. There is at most one subscription per
  /// tree.
  ///
  /// - Returns: whether the tree had no subscription.
  @discardableResult
  func subscribe(to id: InspectedTree.ID) -> Bool {
    let asked = state.withLock { state -> (tree: TreeHandle, request: Int, counter: Int)? in
      guard let entry = state.entries[id], let tap = state.taps[id], tap.subscription == .none else { return nil }
      state.lastRequest += 1
      state.taps[id]?.subscription = .pending(state.lastRequest)
      return (entry.tree, state.lastRequest, tap.counter)
    }
    guard let (tree, request, counter) = asked else { return false }
    let subscription = Task.detached { [self] in
      let isActive = await tree.observe(observer(of: id, counter))
      state.withLock { state in
        state.subscribing[id] = nil
        // If the tree has reported an event that no client followed, this subscription has already ended.
        if state.taps[id]?.subscription == .pending(request) { state.taps[id]?.subscription = .active }
        if !isActive { state.taps[id]?.hasEnded = true }
      }
      wakeReader()
    }
    state.withLock { state in
      if state.taps[id]?.subscription == .pending(request) { state.subscribing[id] = subscription }
    }
    return true
  }

  /// Waits until a tree reports its events, if it is about to.
  func waitForSubscription(to id: InspectedTree.ID) async {
    await state.withLock { $0.subscribing[id] }?.value
  }

  /// The position at which a client starts to read.
  ///
  /// - Parameters:
  ///   - id: the tree that the client follows; nil for all.
  ///   - replay: the number of recorded events to start with.
  /// - Returns: nil until the tree has started to report.
  func cursor(_ id: InspectedTree.ID?, replay: Int) -> EventCursor? {
    state.withLock { state in
      let position = max(state.ring.start, state.ring.end - replay)
      guard let id, let tap = state.taps[id] else { return EventCursor(tree: id, position: position, number: 0) }
      guard tap.subscription == .active || tap.hasEnded else { return nil }
      let ring = state.ring
      let first = (position..<ring.end).first { ring[$0]?.tree == id }.flatMap { ring[$0] }
      return EventCursor(
        tree: id, position: position, number: first.map { $0.number - 1 } ?? state.counters[tap.counter].count)
    }
  }

  /// Copies the next batch of events for a client.
  ///
  /// - Parameter cursor: advanced past the events read.
  func read(_ cursor: inout EventCursor) -> EventReading {
    let start = cursor
    let (reading, end) = state.withLock { state -> (EventReading, EventCursor) in
      var cursor = start
      var reading = EventReading()
      if cursor.position < state.ring.start {
        if cursor.tree == nil { reading.lost = state.ring.start - cursor.position }
        cursor.position = state.ring.start
      }
      let limit = min(state.ring.end, cursor.position + EventCursor.scanned)
      while cursor.position < limit, reading.events.count < EventCursor.batch {
        if let event = state.ring[cursor.position], cursor.tree == nil || cursor.tree == event.tree {
          reading.lost += cursor.gap(before: event.number)
          reading.events.append((cursor.position, event))
        }
        cursor.position += 1
      }
      reading.isAtEnd = cursor.position == state.ring.end
      if reading.isAtEnd, let id = cursor.tree {
        let tap = state.taps[id]
        // Events that were overwritten before they were read, with no later event of this tree.
        if let tap {
          let count = state.counters[tap.counter].count
          reading.lostAtEnd = count - cursor.number
          cursor.number = count
        }
        reading.hasEnded = tap.map(\.hasEnded) ?? true
      }
      return (reading, cursor)
    }
    cursor = end
    return reading
  }

  /// Requests that the next event wakes the reader.
  ///
  /// - Parameter position: the end of the events that the reader has read.
  /// - Returns: whether the reader may wait; false if there are more events already.
  func mayWait(at position: Int) -> Bool {
    state.withLock { state in
      state.isReaderWaiting = state.ring.end == position
      return state.isReaderWaiting
    }
  }
}

/// The read position of a client.
struct EventCursor {
  /// The maximum number of events examined per lock.
  static let scanned = 512
  /// The maximum number of events copied per lock.
  static let batch = 128

  /// The tree that the client follows; nil for all.
  let tree: InspectedTree.ID?
  /// The position of the next event in the ring.
  var position: Int
  /// The number of the last event of the tree that the client received or lost; unused when it follows all trees.
  var number: Int

  /// The number of events of the tree missing before `next`. Advances to `next`.
  fileprivate mutating func gap(before next: Int) -> Int {
    guard tree != nil else { return 0 }
    defer { number = next }
    return next - number - 1
  }
}

/// A batch of events for a client.
struct EventReading {
  /// The number of events overwritten before the client could read them.
  var lost = 0
  /// The events after those, each with its position in the ring.
  var events: [(position: Int, event: RecordedEvent)] = []
  /// The number of events overwritten after `events`.
  var lostAtEnd = 0
  /// Whether the client has read all recorded events.
  var isAtEnd = false
  /// Whether the tree has ended, so that no more events will come.
  var hasEnded = false
}
