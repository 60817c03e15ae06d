internal import Foundation

/// One client of an inspector: what it has sent and not been answered, and what it has been answered and not read.
///
/// It belongs to the server, and never waits. Of events it holds one batch at most.
final class Connection {
  /// What the client is doing.
  enum Stage {
    /// It sends requests, and reads the answers.
    case asking
    /// A request is being answered.
    case waiting
    /// It follows events as soon as the tree reports them.
    case subscribing(InspectedTree.ID, replay: Int)
    case following(EventCursor)
    /// Nothing comes after what it has yet to read.
    case ending
    /// The client has gone.
    case broken
  }

  /// The longest line that is read.
  static let longestLine = 4_096

  /// Whose events a client follows.
  struct Followed {
    /// The tree; nil for all trees.
    let id: InspectedTree.ID?
  }

  let socket: Int32
  /// What the client was counted as a follower of.
  var followed: Followed?
  private(set) var stage = Stage.asking
  private var input: [UInt8] = []
  private var hasInputEnded = false
  private var output: [Data] = []
  /// How much of the first piece has been sent.
  private var sent = 0
  /// When the client last sent or read anything.
  private(set) var lastProgress = ContinuousClock.now
  /// Since when it has read nothing of what waits for it; nil while there is room.
  private(set) var stalledSince: ContinuousClock.Instant?

  init(_ socket: Int32) { self.socket = socket }

  /// Whether there is nothing left to do but to close the socket.
  var isOver: Bool {
    switch stage {
    case .broken: true
    case .ending: output.isEmpty
    case .asking: hasInputEnded && output.isEmpty && input.isEmpty
    case .waiting: false
    // A follower has nothing more to say than that it leaves.
    case .subscribing, .following: hasInputEnded
    }
  }

  /// Whether anything waits for the client to read.
  var needsRoom: Bool { !output.isEmpty }

  /// Whether what the client sends is of interest now.
  var wantsInput: Bool {
    guard !hasInputEnded else { return false }
    switch stage {
    case .asking: return output.isEmpty
    case .subscribing, .following: return true
    case .waiting, .ending, .broken: return false
    }
  }

  /// Whether the client asks for nothing, and has read all answers.
  var isIdle: Bool { if case .asking = stage { output.isEmpty } else { false } }

  /// Whether the client follows events, or is about to.
  var isFollower: Bool {
    switch stage {
    case .subscribing, .following: true
    case .asking, .waiting, .ending, .broken: false
    }
  }

  // MARK: Requests

  /// Reads what has come.
  func read() {
    guard let bytes = SystemCalls.read(socket, upTo: Connection.longestLine) else {
      if !SystemCalls.wouldBlock { stage = .broken }
      return
    }
    if bytes.isEmpty { hasInputEnded = true } else { lastProgress = .now }
    // What a follower says is ignored.
    if !isFollower { input += bytes }
  }

  /// Closes the connection, because the client has gone.
  func hangUp() { stage = .broken }

  /// The next request, if the client has read the answer to the one before. It is answered by `answer(_:)`, or by
  /// `subscribe(to:replay:)` and `follow(_:)`.
  func nextLine() -> Data? {
    while case .asking = stage, output.isEmpty, !input.isEmpty {
      let end = input.firstIndex(of: UInt8(ascii: "\n"))
      if end ?? input.count >= Connection.longestLine {
        self.end(InspectorAnswer.error("A request has at most \(Connection.longestLine) bytes.").line)
        return nil
      }
      // At the end of all input, a line may do without its own.
      guard end != nil || hasInputEnded else { return nil }
      let line = Data(input[..<(end ?? input.count)])
      input.removeSubrange(..<(end.map { $0 + 1 } ?? input.count))
      guard !line.allSatisfy({ [0x09, 0x0D, 0x20].contains($0) }) else { continue }
      stage = .waiting
      return line
    }
    return nil
  }

  // MARK: PendingResponses

  /// Sends the answer to the last request.
  func answer(_ line: Data) {
    stage = .asking
    output.append(line)
  }

  /// Leaves the last request open until the tree reports its events.
  func subscribe(to tree: InspectedTree.ID, replay: Int) {
    stage = .subscribing(tree, replay: replay)
    input = []
  }

  /// PendingResponses the last request: events follow.
  func follow(_ cursor: EventCursor) {
    stage = .following(cursor)
    input = []
    output.append(InspectorAnswer(.following).line)
  }

  /// Sends events.
  ///
  /// - Parameter cursor: the place after them.
  func send(_ events: Data, upTo cursor: EventCursor) {
    stage = .following(cursor)
    if !events.isEmpty { output.append(events) }
  }

  /// Ends the connection with a last line.
  func end(_ line: Data) {
    stage = .ending
    output.append(line)
  }

  /// Sends what there is room for.
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
