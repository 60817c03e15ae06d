// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if Page
  import Foundation
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import NIOPosix
  import RIBsInspector
  import Synchronization

  /// Passes the answers of an inspector on to the page, as they are.
  ///
  /// The protocol of the inspector is lines of JSON, and the page reads the same, so nothing is decoded here: a snapshot
  /// of ten thousand RIBs takes a few milliseconds. Nothing is buffered either. A page that does not read stops the
  /// reading from the inspector, which then drops the oldest events and reports their number. Fields that later versions
  /// add reach the page.
  struct InspectorConnection: Sendable {
    /// The maximum length of the line of an event.
    private static let longestLine = 1 << 20

    private let path: String
    private let timeout: Int

    init(to process: InspectedProcess, timeout: Int) {
      path = process.socketPath
      self.timeout = timeout
    }

    /// Sends a request, and calls back with the bytes of the answer.
    private func ask<Value: Sendable>(
      _ request: String, _ read: (NIOAsyncChannelInboundStream<ByteBuffer>, any Channel) async throws -> Value
    ) async throws -> Value {
      let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
      do {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
          .connectTimeout(.seconds(Int64(timeout)))
          .connect(unixDomainSocketPath: path) { channel in
            channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
          }
      } catch {
        throw PageProblem(.badGateway, "The process does not answer. It may have ended.")
      }
      return try await channel.executeThenClose { inbound, outbound in
        try await outbound.write(ByteBuffer(string: request + "\n"))
        return try await read(inbound, channel.channel)
      }
    }

    /// Closes the channel unless the result is called in time. The process answers in place of a tree that does not within
    /// the timeout.
    private func limit(_ channel: any Channel) -> Scheduled<Void> {
      channel.eventLoop.scheduleTask(in: .seconds(Int64(timeout) + 5)) { channel.close(promise: nil) }
    }

    /// The snapshot of a tree, as the inspector sends it.
    func snapshotResponse(of tree: Int) async throws -> Response {
      let answer = try await ask(#"{"version":1,"request":"snapshot","tree":\#(tree),"timeout":\#(timeout)}"#) {
        inbound, channel in
        let limit = limit(channel)
        defer { limit.cancel() }
        var answer = ByteBuffer()
        for try await part in inbound {
          answer.writeImmutableBuffer(part)
          if part.readableBytesView.last == UInt8(ascii: "\n") { return answer }
        }
        throw PageProblem(.gatewayTimeout, "The process does not answer. The tree may be busy, or the process stopped.")
      }
      if let message = InspectorConnection.error(in: answer) { throw PageProblem(.notFound, message) }
      return Response(
        status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: answer))
    }

    /// The events of a tree, or of all trees, until the page closes the connection.
    ///
    /// - Parameter place: counts the response until it ends.
    func eventsResponse(of tree: Int?, _ request: Request, _ place: Count.Place) -> Response {
      let body = ResponseBody { writer in
        var pending = writer
        let closing = Closing()
        try await request.body.consumeWithInboundCloseHandler { _ in
          try await pending.write(ByteBuffer(string: "retry: 1000\n\n"))
          let selection = tree.map { #","tree":\#($0)"# } ?? ""
          // The page connects again if the process has ended the connection, or does not answer.
          try? await ask(#"{"version":1,"request":"events"\#(selection)}"#) { inbound, channel in
            closing.close(channel)
            var lines = EventLines()
            for try await part in inbound {
              let events = try lines.take(part, upTo: InspectorConnection.longestLine)
              if events.readableBytes > 0 { try await pending.write(events) }
            }
          }
        } onInboundClosed: {
          closing.begin()
        }
        try await pending.finish(nil)
        withExtendedLifetime(place) {}
      }
      return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    /// The message of an answer that is an error; nil if it is none.
    private static func error(in answer: ByteBuffer) -> String? {
      struct Refusal: Decodable {
        let answer: String
        let message: String?
      }
      guard answer.readableBytesView.prefix(18).elementsEqual(Data(#"{"answer":"error","#.utf8)) else { return nil }
      let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(answer.readableBytesView))
      return refusal?.message ?? "The process gives no reason."
    }
  }

  /// Closes the connection to the inspector when the page closes its own.
  private final class Closing: Sendable {
    private let state = Mutex<(channel: (any Channel)?, hasBegun: Bool)>((nil, false))

    /// Closes a channel, now or when the page closes its connection.
    func close(_ channel: any Channel) {
      let hasBegun = state.withLock { state in
        state.channel = channel
        return state.hasBegun
      }
      if hasBegun { channel.close(promise: nil) }
    }

    func begin() {
      let channel = state.withLock { state in
        state.hasBegun = true
        return state.channel
      }
      channel?.close(promise: nil)
    }
  }

  /// Makes server-sent events of lines.
  struct EventLines {
    /// The beginning of a line whose end has not been received.
    private var rest = ByteBuffer()

    /// - Returns: an event for each line that is complete.
    mutating func take(_ part: ByteBuffer, upTo limit: Int) throws -> ByteBuffer {
      var events = ByteBuffer()
      var part = part
      while let length = part.readableBytesView.firstIndex(of: UInt8(ascii: "\n")).map({ $0 - part.readerIndex }) {
        events.writeStaticString("data: ")
        events.writeBuffer(&rest)
        if let line = part.readSlice(length: length) { events.writeImmutableBuffer(line) }
        part.moveReaderIndex(forwardBy: 1)
        events.writeStaticString("\n\n")
        rest.clear()
      }
      rest.writeBuffer(&part)
      guard rest.readableBytes <= limit else { throw PageProblem(.badGateway, "The process sends no events.") }
      return events
    }
  }
#endif
