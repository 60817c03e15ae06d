// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import Hummingbird
import Metrics
public import NIOCore
import RIBsStore
public import ServiceLifecycle
import Synchronization

/// The clients that follow a tree as server-sent events, with the limits and heartbeats of `FollowerStreams`.
///
/// When the server stops, each gets an event `end` and connects again, to another process or to the next one here.
public final class Followers: Service, Sendable {
  private let streams: FollowerStreams<ByteBuffer>
  private let drain: Duration

  /// - Parameters:
  ///   - limit: the maximum number of followers.
  ///   - limitByTree: the maximum number of those of a tree.
  ///   - heartbeat: the time between comments that show that the connection is alive.
  ///   - drain: how long the server answers requests after it is not ready any more, so that balancers notice.
  public init(
    limit: Int, limitByTree: Int, heartbeat: Duration, drain: Duration, metrics: PrometheusMetrics
  ) {
    let meter = Meter(label: "followers", factory: metrics)
    streams = FollowerStreams(
      limit: limit, limitByTree: limitByTree, heartbeat: heartbeat, beat: ByteBuffer(string: ":\n\n"),
      onCount: { meter.set($0) })
    self.drain = drain
  }

  /// The number of followers.
  public var count: Int { streams.count }

  /// How long a follower, or the server that events come from, may be silent or not read.
  public var patience: Duration { streams.patience }

  /// Whether the server is stopping.
  public var isDraining: Bool { draining.load(ordering: .relaxed) }
  private let draining = Atomic(false)

  /// Sends heartbeats until the server stops, and ends all followers then.
  public func run() async throws {
    await cancelWhenGracefulShutdown { [streams] in await streams.run() }
    draining.store(true, ordering: .relaxed)
    try? await Task.sleep(for: drain)
    streams.end(with: Followers.end("the server stops"))
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
  /// - Throws: a `Problem` if there are too many followers, or the server stops.
  public func follow<Source: AsyncSequence & Sendable>(
    _ tree: String, _ request: Request, _ channel: any Channel, _ source: Source, ending: String? = nil
  ) throws -> Response where Source.Element == ByteBuffer {
    // Counted until the response is released, whether it was written or not.
    let follower: FollowerStreams<ByteBuffer>.Follower
    do { follower = try streams.add(tree) { channel.close(promise: nil) } } catch { throw Problem(error) }
    let body = ResponseBody { writer in
      defer { follower.finish() }
      var pending = writer
      try await request.body.consumeWithInboundCloseHandler { _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            do {
              for try await event in source { follower.send(event) }
              if let ending { follower.send(Followers.end(ending)) }
            } catch {
              // The client connects again, and finds the owner of the tree at that time.
              follower.send(Followers.end("the source has failed"))
            }
            follower.finish()
          }
          try await pending.write(ByteBuffer(string: "retry: 1000\n\n"))
          for await event in follower.events { try await follower.write { try await pending.write(event) } }
          group.cancelAll()
        }
      } onInboundClosed: {
        follower.finish()
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
}
