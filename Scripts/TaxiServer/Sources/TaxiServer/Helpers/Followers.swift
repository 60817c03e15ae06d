import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import ServiceLifecycle
import Synchronization

/// The clients that follow a rider as server-sent events.
///
/// A follower costs a bounded amount of memory, however slow it reads: it gets the newest state when it reads again.
/// When the server stops, each gets an event `end` and connects again, to another process or to the next one here.
final class Followers: Service, Sendable {
  private struct State {
    var isEnded = false
    var number = 0
    var streams: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
    var countByRider: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitByRider: Int
  private let heartbeat: Duration
  private let drain: Duration
  private let meter: Meter

  /// - Parameters:
  ///   - limit: the maximum number of followers.
  ///   - limitByRider: the maximum number of those of a rider.
  ///   - heartbeat: the time between comments that show that the connection is alive.
  ///   - drain: how long the server answers requests after it is not ready any more, so that balancers notice.
  init(limit: Int, limitByRider: Int, heartbeat: Duration, drain: Duration, metrics: any MetricsFactory) {
    self.limit = limit
    self.limitByRider = limitByRider
    self.heartbeat = heartbeat
    self.drain = drain
    meter = Meter(label: "followers", factory: metrics)
  }

  var count: Int { state.withLock { $0.streams.count } }

  /// Whether the server is stopping.
  var isDraining: Bool { draining.load(ordering: .relaxed) }
  private let draining = Atomic(false)

  /// Sends heartbeats until the server stops, and ends all followers then.
  func run() async throws {
    try? await cancelWhenGracefulShutdown { [self] in
      while true {
        try await Task.sleep(for: heartbeat)
        for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(ByteBuffer(string: ":\n\n")) }
      }
    }
    draining.store(true, ordering: .relaxed)
    try? await Task.sleep(for: drain)
    let streams = state.withLock { state in
      state.isEnded = true
      return Array(state.streams.values)
    }
    for stream in streams {
      stream.yield(Followers.event("end", #"{"reason":"the server stops"}"#))
      stream.finish()
    }
  }

  /// A server-sent event.
  static func event(_ name: String, _ data: String) -> ByteBuffer {
    ByteBuffer(string: "event: \(name)\ndata: \(data)\n\n")
  }

  /// Answers with a stream of events, which ends with the source, with the connection, and when the server stops.
  ///
  /// - Parameter ending: the reason that the client gets when the source ends; nil if the source says it.
  func follow<Source: AsyncSequence & Sendable>(
    _ rider: String, _ request: Request, _ source: Source, ending: String? = nil
  ) throws -> Response where Source.Element == ByteBuffer {
    // The newest event, a heartbeat, and the end.
    let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingNewest(3))
    let number = try add(continuation, rider)
    // Counted until the response is released, whether it was written or not.
    let place = Place { self.remove(number, rider) }
    let body = ResponseBody { writer in
      defer { withExtendedLifetime(place) { continuation.finish() } }
      var pending = writer
      try await request.body.consumeWithInboundCloseHandler { _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            for try await event in source { continuation.yield(event) }
            if let ending { continuation.yield(Followers.event("end", #"{"reason":"\#(ending)"}"#)) }
            continuation.finish()
          }
          try await pending.write(ByteBuffer(string: "retry: 1000\n\n"))
          for await event in stream { try await pending.write(event) }
          group.cancelAll()
        }
      } onInboundClosed: {
        continuation.finish()
      }
      try await pending.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .buffering: "no"],
      body: body)
  }

  /// A follower's place among the others.
  private final class Place: Sendable {
    private let leave: @Sendable () -> Void

    init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

    deinit { leave() }
  }

  private func add(_ stream: AsyncStream<ByteBuffer>.Continuation, _ rider: String) throws -> Int {
    try state.withLock { state in
      if state.isEnded { throw Problem(.serviceUnavailable, "stopping", "The server is stopping.", retryAfter: 1) }
      guard state.streams.count < limit else {
        throw Problem(.serviceUnavailable, "too-many-followers", "Too many clients follow. Try again.", retryAfter: 5)
      }
      guard state.countByRider[rider, default: 0] < limitByRider else {
        throw Problem(
          .tooManyRequests, "too-many-followers", "At most \(limitByRider) can follow a rider.", retryAfter: 5)
      }
      state.number += 1
      state.streams[state.number] = stream
      state.countByRider[rider, default: 0] += 1
      meter.set(state.streams.count)
      return state.number
    }
  }

  private func remove(_ number: Int, _ rider: String) {
    state.withLock { state in
      guard state.streams.removeValue(forKey: number) != nil else { return }
      state.countByRider[rider, default: 1] -= 1
      if state.countByRider[rider] == 0 { state.countByRider[rider] = nil }
      meter.set(state.streams.count)
    }
  }
}
