internal import RIBs

/// The trees that an inspector shows, and the last events of those that are followed.
///
/// Trees write to it where they run; the thread of the inspector reads from it. It holds an entry for each tree that has
/// not ended and one ring of events, so its size doesn't depend on how fast anything is read. Its lock is held for the
/// time that it takes to store or to copy a few values, and neither user code nor a system call runs under it.
final class TreeRegistry: Sendable {
  /// A tree that has not ended.
  struct Entry: Sendable {
    let id: InspectedTree.ID
    let tree: TreeHandle
    let since: ContinuousClock.Instant
  }

  /// What is recorded of a tree.
  fileprivate struct Tap {
    enum Subscription: Equatable {
      case none
      /// The tree's actor has been asked, by the request with this number, and has not answered.
      case pending(Int)
      /// The tree reports its events. It stays so until it reports one that nobody follows.
      case active
    }

    var subscription = Subscription.none
    /// How many clients follow this tree alone.
    var followers = 0
    /// How many events were recorded.
    var count = 0
    var hasEnded = false
  }

  fileprivate struct State {
    var entries: [InspectedTree.ID: Entry] = [:]
    var ids: [ObjectIdentifier: InspectedTree.ID] = [:]
    /// Of the trees that have not ended, and of those that have while clients follow them.
    var taps: [InspectedTree.ID: Tap] = [:]
    var ring = EventRing()
    var lastID = 0
    var lastRequest = 0
    /// How many clients follow all trees, and one more if events are recorded without clients.
    var followersOfAll: Int
    /// How many clients follow one tree.
    var followersOfOne = 0
    /// Whether the inspector's thread has read all events and is to be woken by the next one.
    var isReaderWaiting = false
    var isClosed = false

    /// Whether a client follows anything, or events are recorded without clients.
    var isFollowed: Bool { followersOfAll + followersOfOne > 0 }

    mutating func closeRingIfUnused() -> [RecordedEvent?] { isFollowed ? [] : ring.close() }
  }

  private let state: Guarded<State>
  /// Wakes the thread that reads.
  private let wakeReader: @Sendable () -> Void

  /// - Parameters:
  ///   - recordsAll: whether the events of all trees are recorded although no client follows them.
  ///   - wakeReader: called on any thread when there is something to read, outside the lock.
  init(recordsAll: Bool, wakeReader: @escaping @Sendable () -> Void) {
    var state = State(followersOfAll: recordsAll ? 1 : 0)
    if recordsAll { state.ring.open() }
    self.state = Guarded(state)
    self.wakeReader = wakeReader
  }

  /// Removes all trees and events. Nothing is added any more.
  func close() {
    let removed = state.withLock { state in
      defer { state = State(followersOfAll: 0, isClosed: true) }
      return (state.entries, state.ring)
    }
    withExtendedLifetime(removed) {}
  }
}

// MARK: - Where the trees run

extension TreeRegistry {
  /// Adds a tree that is about to launch.
  ///
  /// - Returns: the function that the tree reports its events to; nil if they aren't followed.
  func add(_ tree: TreeHandle) -> TreeHandle.Observer? {
    let id: InspectedTree.ID? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastID += 1
      let isFollowed = state.followersOfAll > 0
      state.entries[state.lastID] = Entry(id: state.lastID, tree: tree, since: .now)
      state.ids[ObjectIdentifier(tree)] = state.lastID
      state.taps[state.lastID] = Tap(subscription: isFollowed ? .active : .none)
      return isFollowed ? state.lastID : nil
    }
    return id.map(observer)
  }

  /// Removes a tree that has ended.
  func remove(_ tree: TreeHandle) {
    let (entry, isFollowed) = state.withLock { state -> (Entry?, Bool) in
      guard let id = state.ids.removeValue(forKey: ObjectIdentifier(tree)) else { return (nil, false) }
      let isFollowed = state.taps[id].map { $0.followers > 0 } ?? false
      if isFollowed { state.taps[id]?.hasEnded = true } else { state.taps[id] = nil }
      return (state.entries.removeValue(forKey: id), isFollowed)
    }
    if isFollowed { wakeReader() }
    withExtendedLifetime(entry) {}
  }

  private func observer(of id: InspectedTree.ID) -> TreeHandle.Observer {
    { [self] event in record(event, of: id) }
  }

  /// Records an event, in place of the oldest one if the ring is full.
  ///
  /// - Returns: whether further events are to be reported.
  private func record(_ event: TreeEvent, of id: InspectedTree.ID) -> Bool {
    let (isFollowed, overwritten, wakes) = state.withLock { state -> (Bool, RecordedEvent?, Bool) in
      guard let count = state.taps[id]?.record(isFollowedWithAll: state.followersOfAll > 0) else {
        return (false, nil, false)
      }
      let overwritten = state.ring.append(RecordedEvent(tree: id, number: count, event: event))
      defer { state.isReaderWaiting = false }
      return (true, overwritten, state.isReaderWaiting)
    }
    if wakes { wakeReader() }
    withExtendedLifetime(overwritten) {}
    return isFollowed
  }
}

extension TreeRegistry.Tap {
  /// Counts an event of a tree that is followed, and otherwise ends the subscription.
  ///
  /// - Returns: the number of the event; nil if the tree isn't followed any more.
  fileprivate mutating func record(isFollowedWithAll: Bool) -> Int? {
    guard followers > 0 || isFollowedWithAll else {
      subscription = .none
      return nil
    }
    count += 1
    return count
  }
}

// MARK: - On the inspector's thread

extension TreeRegistry {
  /// The trees that have not ended, in the order of their launch.
  var entries: [Entry] { state.withLock { Array($0.entries.values) }.sorted { $0.id < $1.id } }

  /// How many events are held.
  var eventCount: Int { state.withLock { $0.ring.isOpen ? $0.ring.end - $0.ring.start : 0 } }

  func tree(_ id: InspectedTree.ID) -> TreeHandle? { state.withLock { $0.entries[id]?.tree } }

  // MARK: Following

  /// Counts a client that follows a tree from now on.
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

  /// Counts a client that no longer follows. With the last one the ring is closed, and each tree stops making events when
  /// it has reported one more.
  func unfollow(_ id: InspectedTree.ID?) {
    let released = state.withLock { state -> [RecordedEvent?] in
      guard !state.isClosed else { return [] }
      if let id {
        state.followersOfOne -= 1
        state.taps[id]?.followers -= 1
        if let tap = state.taps[id], tap.hasEnded, tap.followers == 0 { state.taps[id] = nil }
      } else {
        state.followersOfAll -= 1
      }
      return state.closeRingIfUnused()
    }
    withExtendedLifetime(released) {}
  }

  /// Subscribes to the events of a followed tree, unless that was done before. There is never more than one subscription
  /// to a tree.
  ///
  /// - Returns: whether the tree had no subscription.
  @discardableResult
  func subscribe(to id: InspectedTree.ID) -> Bool {
    let asked = state.withLock { state -> (tree: TreeHandle, request: Int)? in
      guard let entry = state.entries[id], state.taps[id]?.subscription == Tap.Subscription.none else { return nil }
      state.lastRequest += 1
      state.taps[id]?.subscription = .pending(state.lastRequest)
      return (entry.tree, state.lastRequest)
    }
    guard let (tree, request) = asked else { return false }
    Task.detached { [self] in
      let isActive = await tree.observe(observer(of: id))
      state.withLock { state in
        // If the tree has reported an event that wasn't followed, this subscription has ended already.
        if state.taps[id]?.subscription == .pending(request) { state.taps[id]?.subscription = .active }
        if !isActive { state.taps[id]?.hasEnded = true }
      }
      wakeReader()
    }
    return true
  }

  /// Where a client begins to read.
  ///
  /// - Parameters:
  ///   - id: the tree that the client follows; nil for all.
  ///   - replay: how many events to begin with that were recorded before.
  /// - Returns: nil as long as the tree has not begun to report.
  func cursor(_ id: InspectedTree.ID?, replay: Int) -> EventCursor? {
    state.withLock { state in
      let position = max(state.ring.start, state.ring.end - replay)
      guard let id, let tap = state.taps[id] else { return EventCursor(tree: id, position: position, number: 0) }
      guard tap.subscription == .active || tap.hasEnded else { return nil }
      let ring = state.ring
      let first = (position..<ring.end).first { ring[$0]?.tree == id }.flatMap { ring[$0] }
      return EventCursor(tree: id, position: position, number: first.map { $0.number - 1 } ?? tap.count)
    }
  }

  /// Copies the next events for a client, a limited number at a time.
  ///
  /// - Parameter cursor: moved behind what was read.
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
        // What was overwritten before it was read, with nothing of this tree after it.
        if let tap {
          reading.lostAtEnd = tap.count - cursor.number
          cursor.number = tap.count
        }
        reading.hasEnded = tap.map(\.hasEnded) ?? true
      }
      return (reading, cursor)
    }
    cursor = end
    return reading
  }

  /// Has the reader woken by the next event.
  ///
  /// - Parameter position: the end of what the reader has read.
  /// - Returns: whether it may wait; false if there are events already.
  func mayWait(at position: Int) -> Bool {
    state.withLock { state in
      state.isReaderWaiting = state.ring.end == position
      return state.isReaderWaiting
    }
  }
}

/// How far a client has read.
struct EventCursor {
  /// How many events are looked at while the lock is held.
  static let scanned = 512
  /// How many events are copied at a time.
  static let batch = 128

  /// The tree that the client follows; nil for all.
  let tree: InspectedTree.ID?
  /// The position of the next event in the ring.
  var position: Int
  /// The number of the last event of the tree that the client got or lost; not used for all trees.
  var number: Int

  /// Counts the events of the tree that are missing before a number, and moves on to the number.
  fileprivate mutating func gap(before next: Int) -> Int {
    guard tree != nil else { return 0 }
    defer { number = next }
    return next - number - 1
  }
}

/// What a client gets next.
struct EventReading {
  /// How many events were overwritten before the client could read them.
  var lost = 0
  /// The events after them, each with its position in the ring.
  var events: [(position: Int, event: RecordedEvent)] = []
  /// How many events after those were overwritten.
  var lostAtEnd = 0
  /// Whether there is nothing more to read just now.
  var isAtEnd = false
  /// Whether the tree has ended, and nothing more will come.
  var hasEnded = false
}
