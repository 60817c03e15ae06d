// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The streams of events of clients that follow trees, whatever the protocol: limits, heartbeats and an end.
///
/// A follower costs a bounded amount of memory, however slow it reads: it gets the newest event when it reads again. The
/// connection of one whose write takes longer than `patience` is closed.
///
/// ```swift
/// let streams = FollowerStreams<String>(limit: 15_000, limitByTree: 8, heartbeat: .seconds(15), beat: "")
/// let follower = try streams.add("order-7", closing: { print("Close the connection.") })
/// follower.send("paid")
/// streams.end(with: "the server stops")
/// for await event in follower.events { print(event) }
/// ```
public final class FollowerStreams<Event: Sendable>: Sendable {
  fileprivate struct Entry {
    let stream: AsyncStream<Event>.Continuation
    let close: @Sendable () -> Void
    let write: PendingWrite
  }

  fileprivate struct State {
    var isEnded = false
    var number = 0
    var followers: [Int: Entry] = [:]
    var countByTree: [String: Int] = [:]
  }

  fileprivate let state = Locked(State())
  fileprivate let onCount: @Sendable (Int) -> Void
  private let limit: Int
  private let limitByTree: Int
  private let heartbeat: Duration
  private let beat: Event

  /// Creates streams without followers.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of followers.
  ///   - limitByTree: the maximum number of those of a tree.
  ///   - heartbeat: the time between events that show that the connection is alive.
  ///   - beat: such an event.
  ///   - onCount: called with the number of followers when it has changed, for a gauge. Must not use these streams.
  public init(
    limit: Int, limitByTree: Int, heartbeat: Duration, beat: Event,
    onCount: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.limit, self.limitByTree, self.heartbeat) = (limit, limitByTree, heartbeat.boundedInterval)
    (self.beat, self.onCount) = (beat, onCount)
  }

  /// The number of followers.
  public var count: Int { state.withLock { $0.followers.count } }

  /// How long a follower, or the server that events come from, may be silent or not read: two and a half heartbeats.
  public var patience: Duration { heartbeat * 5 / 2 }

  /// Adds a follower.
  ///
  /// - Parameters:
  ///   - tree: the ID of the tree.
  ///   - close: closes the connection, on any thread.
  /// - Returns: the follower, which is counted until it is released.
  /// - Throws: a `FollowerRefusal`.
  public func add(_ tree: String, closing close: @escaping @Sendable () -> Void) throws(FollowerRefusal) -> Follower {
    let write = PendingWrite()
    // The newest event, a heartbeat, and the end.
    let (events, stream) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(3))
    let added: Result<Int, FollowerRefusal> = state.withLock { state in
      if state.isEnded { return .failure(.ended) }
      if state.followers.count >= limit { return .failure(.full) }
      if state.countByTree[tree, default: 0] >= limitByTree { return .failure(.treeFull(limit: limitByTree)) }
      state.number += 1
      state.followers[state.number] = Entry(stream: stream, close: close, write: write)
      state.countByTree[tree, default: 0] += 1
      onCount(state.followers.count)
      return .success(state.number)
    }
    return Follower(self, try added.get(), tree, events, stream, write)
  }

  /// Sends heartbeats, and closes the connections of followers that don't read, until the calling task is cancelled.
  public func run() async {
    while (try? await Task.sleep(for: heartbeat)) != nil {
      let late = ContinuousClock.now - patience
      for follower in state.withLock({ Array($0.followers.values) }) {
        if follower.write.isOlder(than: late) { follower.close() } else { follower.stream.yield(beat) }
      }
    }
  }

  /// Sends all followers a last event, and refuses others from now on.
  public func end(with event: Event) {
    let followers = state.withLock { state in
      state.isEnded = true
      return Array(state.followers.values)
    }
    for follower in followers {
      follower.stream.yield(event)
      follower.stream.finish()
    }
  }

  /// A client that follows a tree.
  public final class Follower: Sendable {
    /// The events to write, for one reader. Those between the newest and the one that is being written are left out.
    public let events: AsyncStream<Event>
    private let stream: AsyncStream<Event>.Continuation
    private let streams: FollowerStreams
    private let number: Int
    private let tree: String
    private let write: PendingWrite

    fileprivate init(
      _ streams: FollowerStreams, _ number: Int, _ tree: String, _ events: AsyncStream<Event>,
      _ stream: AsyncStream<Event>.Continuation, _ write: PendingWrite
    ) {
      (self.streams, self.number, self.tree, self.write) = (streams, number, tree, write)
      (self.events, self.stream) = (events, stream)
    }

    deinit {
      streams.state.withLock { state in
        state.followers[number] = nil
        state.countByTree[tree, default: 1] -= 1
        if state.countByTree[tree] == 0 { state.countByTree[tree] = nil }
        streams.onCount(state.followers.count)
      }
    }

    /// Sends an event.
    public func send(_ event: Event) { stream.yield(event) }

    /// Ends the events after those that were sent.
    public func finish() { stream.finish() }

    /// Writes an event, with a limit of the time: the connection is closed after it.
    public nonisolated(nonsending) func write(_ body: () async throws -> Void) async rethrows {
      write.begin()
      try await body()
      write.end()
    }
  }
}

/// When the write of a follower began that has not ended.
private final class PendingWrite: Sendable {
  private let start = Locked<ContinuousClock.Instant?>(nil)

  func begin() { start.withLock { $0 = .now } }
  func end() { start.withLock { $0 = nil } }
  func isOlder(than time: ContinuousClock.Instant) -> Bool { start.withLock { $0.map { $0 < time } ?? false } }
}

/// A client can't follow a tree.
public enum FollowerRefusal: Error, Hashable {
  /// The server stops.
  case ended
  /// The limit of all followers is reached.
  case full
  /// The limit of those of a tree is reached.
  case treeFull(limit: Int)
}
