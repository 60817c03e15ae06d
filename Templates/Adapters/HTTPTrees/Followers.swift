// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import Hummingbird
import Metrics
public import NIOCore
public import ServiceLifecycle
import Synchronization

/// The clients that follow a tree as server-sent events.
///
/// A follower costs a bounded amount of memory, however slow it reads: it gets the newest state when it reads again. The
/// connection of one that doesn't read for longer than `patience` is closed.
/// When the server stops, each gets an event `end` and connects again, to another process or to the next one here.
public final class Followers: Service, Sendable {
  private struct Follower {
    let stream: AsyncStream<ByteBuffer>.Continuation
    let channel: any Channel
    /// When the write began that has not ended.
    var writesSince: ContinuousClock.Instant?
  }

  private struct State {
    var isEnded = false
    var number = 0
    var followers: [Int: Follower] = [:]
    var countByTree: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitByTree: Int
  private let heartbeat: Duration
  private let drain: Duration
  private let meter: Meter

  /// - Parameters:
  ///   - limit: the maximum number of followers.
  ///   - limitByTree: the maximum number of those of a tree.
  ///   - heartbeat: the time between comments that show that the connection is alive.
  ///   - drain: how long the server answers requests after it is not ready any more, so that balancers notice.
  public init(
    limit: Int, limitByTree: Int, heartbeat: Duration, drain: Duration, metrics: PrometheusMetrics
  ) {
    self.limit = limit
    self.limitByTree = limitByTree
    self.heartbeat = heartbeat
    self.drain = drain
    meter = Meter(label: "followers", factory: metrics)
  }

  /// The number of followers.
  public var count: Int { state.withLock { $0.followers.count } }

  /// How long a follower, or the server that events come from, may be silent or not read.
  public var patience: Duration { heartbeat * 5 / 2 }

  /// Whether the server is stopping.
  public var isDraining: Bool { draining.load(ordering: .relaxed) }
  private let draining = Atomic(false)

  /// Sends heartbeats until the server stops, and ends all followers then.
  public func run() async throws {
    try? await cancelWhenGracefulShutdown { [self] in
      while true {
        try await Task.sleep(for: heartbeat)
        let late = ContinuousClock.now - patience
        for follower in state.withLock({ Array($0.followers.values) }) {
          if let start = follower.writesSince, start < late {
            follower.channel.close(promise: nil)
          } else {
            follower.stream.yield(ByteBuffer(string: ":\n\n"))
          }
        }
      }
    }
    draining.store(true, ordering: .relaxed)
    try? await Task.sleep(for: drain)
    let followers = state.withLock { state in
      state.isEnded = true
      return Array(state.followers.values)
    }
    for follower in followers {
      follower.stream.yield(Followers.end("the server stops"))
      follower.stream.finish()
    }
  }

  /// A server-sent event.
  public static func event(_ name: String, _ data: String) -> ByteBuffer {
    ByteBuffer(string: "event: \(name)\ndata: \(data)\n\n")
  }

  /// The last event of a stream, after which clients connect again.
  public static func end(_ reason: String) -> ByteBuffer { event("end", #"{"reason":"\#(reason)"}"#) }

  /// Answers with a stream of events, which ends with the source, with the connection, and when the server stops.
  ///
  /// - Parameters:
  ///   - tree: the ID of the tree.
  ///   - source: whole events.
  ///   - ending: the reason that the client gets when the source ends; nil if the source says it.
  public func follow<Source: AsyncSequence & Sendable>(
    _ tree: String, _ request: Request, _ channel: any Channel, _ source: Source, ending: String? = nil
  ) throws -> Response where Source.Element == ByteBuffer {
    // The newest event, a heartbeat, and the end.
    let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingNewest(3))
    let number = try add(Follower(stream: continuation, channel: channel), tree)
    // Counted until the response is released, whether it was written or not.
    let place = Place { self.remove(number, tree) }
    let body = ResponseBody { writer in
      defer { withExtendedLifetime(place) { continuation.finish() } }
      var pending = writer
      try await request.body.consumeWithInboundCloseHandler { _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            do {
              for try await event in source { continuation.yield(event) }
              if let ending { continuation.yield(Followers.end(ending)) }
            } catch {
              // The client connects again, and finds the owner of the tree at that time.
              continuation.yield(Followers.end("the source has failed"))
            }
            continuation.finish()
          }
          try await pending.write(ByteBuffer(string: "retry: 1000\n\n"))
          for await event in stream {
            self.setWritesSince(.now, number)
            try await pending.write(event)
            self.setWritesSince(nil, number)
          }
          group.cancelAll()
        }
      } onInboundClosed: {
        continuation.finish()
      }
      try await pending.finish(nil)
    }
    // The connection is closed after the last event, because its input was read to notice that the client has gone. A
    // client that does not know that would send its next request over it.
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store", .buffering: "no", .connection: "close",
      ], body: body)
  }

  /// A follower's place among the others.
  private final class Place: Sendable {
    private let leave: @Sendable () -> Void

    init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

    deinit { leave() }
  }

  private func setWritesSince(_ time: ContinuousClock.Instant?, _ number: Int) {
    state.withLock { $0.followers[number]?.writesSince = time }
  }

  private func add(_ follower: Follower, _ tree: String) throws -> Int {
    try state.withLock { state in
      if state.isEnded { throw Problem(.serviceUnavailable, "stopping", "The server is stopping.", retryAfter: 1) }
      guard state.followers.count < limit else {
        throw Problem(.serviceUnavailable, "too-many-followers", "Too many clients follow. Try again.", retryAfter: 5)
      }
      guard state.countByTree[tree, default: 0] < limitByTree else {
        throw Problem(
          .tooManyRequests, "too-many-followers", "At most \(limitByTree) can follow a tree.", retryAfter: 5)
      }
      state.number += 1
      state.followers[state.number] = follower
      state.countByTree[tree, default: 0] += 1
      meter.set(state.followers.count)
      return state.number
    }
  }

  private func remove(_ number: Int, _ tree: String) {
    state.withLock { state in
      guard state.followers.removeValue(forKey: number) != nil else { return }
      state.countByTree[tree, default: 1] -= 1
      if state.countByTree[tree] == 0 { state.countByTree[tree] = nil }
      meter.set(state.followers.count)
    }
  }
}
