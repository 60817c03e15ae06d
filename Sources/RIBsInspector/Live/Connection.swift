// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A client connection of an inspector, with its unread requests and unsent answers.
///
/// Confined to the server; never blocks. It holds at most one batch of events.
final class Connection {
  /// The state of the connection.
  enum Stage {
    /// Sending requests and reading answers.
    case asking
    /// Waiting for the answer to a request.
    case waiting
    /// Waiting for the tree to report its events.
    case subscribing(InspectedTree.ID, replay: Int)
    case following(EventCursor)
    /// Closing after the pending output is sent.
    case ending
    /// The client has disconnected.
    case broken
  }

  /// The maximum length of a request line, in bytes.
  static let longestLine = 4_096

  /// The trees whose events a client follows.
  struct Followed {
    /// The tree; nil for all trees.
    let id: InspectedTree.ID?
  }

  let socket: Int32
  /// The trees that the client is registered to follow; nil for none.
  var followed: Followed?
  private(set) var stage = Stage.asking
  private var input: [UInt8] = []
  private var hasInputEnded = false
  private var output: [Data] = []
  /// The number of bytes sent of the first element of `output`.
  private var sent = 0
  /// When the client last sent or read something.
  private(set) var lastProgress = ContinuousClock.now
  /// Since when the client has not read pending output; nil while it reads.
  private(set) var stalledSince: ContinuousClock.Instant?

  init(_ socket: Int32) { self.socket = socket }

  /// Whether the socket can be closed.
  var isOver: Bool {
    switch stage {
    case .broken: true
    case .ending: output.isEmpty
    case .asking: hasInputEnded && output.isEmpty && input.isEmpty
    case .waiting: false
    // The end of the input of a follower ends the connection.
    case .subscribing, .following: hasInputEnded
    }
  }

  /// Whether output is pending.
  var needsRoom: Bool { !output.isEmpty }

  /// Whether to poll the socket for input.
  var needsInput: Bool {
    guard !hasInputEnded else { return false }
    switch stage {
    case .asking: return output.isEmpty
    case .subscribing, .following: return true
    case .waiting, .ending, .broken: return false
    }
  }

  /// Whether the client has no pending request and has read all answers.
  var isIdle: Bool { if case .asking = stage { output.isEmpty } else { false } }

  /// Whether the client follows events or is subscribing to them.
  var isFollower: Bool {
    switch stage {
    case .subscribing, .following: true
    case .asking, .waiting, .ending, .broken: false
    }
  }

  // MARK: Requests

  /// Reads available input.
  func read() {
    guard let bytes = SystemCalls.read(socket, upTo: Connection.longestLine) else {
      if !SystemCalls.wouldBlock { stage = .broken }
      return
    }
    if bytes.isEmpty { hasInputEnded = true } else { lastProgress = .now }
    // Input of a follower is ignored.
    if !isFollower { input += bytes }
  }

  /// Marks the connection as broken.
  func hangUp() { stage = .broken }

  /// The next request, once the client has read the previous answer. Answer it with `answer(_:)`, or with
  /// `subscribe(to:replay:)` and `follow(_:)`.
  func nextLine() -> Data? {
    while case .asking = stage, output.isEmpty, !input.isEmpty {
      let end = input.firstIndex(of: UInt8(ascii: "\n"))
      if end ?? input.count >= Connection.longestLine {
        self.end(InspectorAnswer.error("A request has at most \(Connection.longestLine) bytes.").line)
        return nil
      }
      // At the end of the input, the last line may lack a newline.
      guard end != nil || hasInputEnded else { return nil }
      let line = Data(input[..<(end ?? input.count)])
      input.removeSubrange(..<(end.map { $0 + 1 } ?? input.count))
      guard !line.allSatisfy({ [0x09, 0x0D, 0x20].contains($0) }) else { continue }
      stage = .waiting
      return line
    }
    return nil
  }

  // MARK: Answers

  /// Sends the answer to the last request.
  func answer(_ line: Data) {
    stage = .asking
    output.append(line)
  }

  /// Sends a part of the answer to the last request.
  func answer(part: Data) { output.append(part) }

  /// Leaves the last request unanswered until the tree reports its events.
  func subscribe(to tree: InspectedTree.ID, replay: Int) {
    stage = .subscribing(tree, replay: replay)
    input = []
  }

  /// Answers the last request: events follow.
  func follow(_ cursor: EventCursor) {
    stage = .following(cursor)
    input = []
    output.append(InspectorAnswer(.following).line)
  }

  /// Enqueues events.
  ///
  /// - Parameter cursor: the position after them.
  func send(_ events: Data, upTo cursor: EventCursor) {
    stage = .following(cursor)
    if !events.isEmpty { output.append(events) }
  }

  /// Enqueues a last line and closes the connection after it.
  func end(_ line: Data) {
    stage = .ending
    output.append(line)
  }

  /// Sends as much of the output as the socket accepts.
  func flush() {
    while let first = output.first {
      let count = first.withUnsafeBytes { SystemCalls.send(UnsafeRawBufferPointer(rebasing: $0[sent...]), to: socket) }
      guard count >= 0 else {
        if !SystemCalls.wouldBlock { stage = .broken }
        if stalledSince == nil { stalledSince = .now }
        return
      }
      lastProgress = .now
      stalledSince = nil
      sent += count
      guard sent == first.count else { continue }
      sent = 0
      output.removeFirst()
    }
  }
}
