internal import Foundation

/// One client of an inspector: what it has sent and not been answered, and what it has been answered and not read.
///
/// It belongs to the server, and never waits.
final class Connection {
  /// Which events the client gets.
  enum Following: Equatable {
    case all
    case tree(InspectedTree.ID)

    func includes(_ tree: InspectedTree.ID) -> Bool { self == .all || self == .tree(tree) }
  }

  /// The longest line that is read.
  static let longestLine = 4_096
  /// How many bytes of events may wait for a client that does not read them.
  static let mostWaiting = 1 << 20
  let socket: Int32
  private var input: [UInt8] = []
  private var hasInputEnded = false
  private var output: [Data] = []
  /// How much of the first piece has been sent.
  private var sent = 0
  /// How many bytes have not been sent.
  private var waiting = 0
  /// Counts what was sent, to notice a client that reads nothing.
  private(set) var progress = 0
  /// Whether a request is being answered.
  private var isBusy = false
  /// Whether nothing comes after what waits.
  private var isEnding = false
  /// Whether the client has gone.
  private var isBroken = false
  /// Events that found no room.
  private var lost = 0
  private(set) var following: Following?

  init(_ socket: Int32) { self.socket = socket }

  /// Whether there is nothing left to do but to close the socket.
  var isOver: Bool {
    if isBroken || (isEnding && output.isEmpty) { return true }
    // Whoever follows events has nothing more to say than that it leaves.
    return hasInputEnded && (following != nil || (!isBusy && output.isEmpty && input.isEmpty))
  }

  /// Whether anything waits for the client to read.
  var needsRoom: Bool { !output.isEmpty && !isBroken }

  /// Whether what the client sends is of interest now.
  var wantsInput: Bool { !hasInputEnded && (following != nil || (!isBusy && output.isEmpty)) }

  // MARK: Requests

  /// Takes what has come.
  func read() {
    guard let bytes = SystemCalls.read(socket, upTo: Connection.longestLine) else {
      if !SystemCalls.wouldBlock { isBroken = true }
      return
    }
    if bytes.isEmpty { hasInputEnded = true }
    // A follower that says more is not listened to.
    if following == nil { input += bytes }
  }

  /// The next request, if the one before was answered and the client has taken the answer. It is answered by `answer(_:)`
  /// or `follow(_:_:)`.
  func nextLine() -> Data? {
    while !isBusy, !isEnding, !isBroken, following == nil, output.isEmpty, !input.isEmpty {
      let end = input.firstIndex(of: UInt8(ascii: "\n"))
      if end ?? input.count >= Connection.longestLine {
        enqueue(InspectorAnswer.error("A request has at most \(Connection.longestLine) bytes.").line)
        isEnding = true
        return nil
      }
      // At the end of all input, a line may do without its own.
      guard end != nil || hasInputEnded else { return nil }
      let line = Data(input[..<(end ?? input.count)])
      input.removeSubrange(..<(end.map { $0 + 1 } ?? input.count))
      guard !line.allSatisfy({ [0x09, 0x0D, 0x20].contains($0) }) else { continue }
      isBusy = true
      return line
    }
    return nil
  }

  // MARK: Answers

  /// Sends the answer to the last request.
  func answer(_ line: Data) {
    isBusy = false
    enqueue(line)
  }

  /// Sends that events follow, and those that are known already.
  func follow(_ following: Following, _ known: [Data]) {
    isBusy = false
    self.following = following
    input = []
    enqueue(InspectorAnswer(.following).line)
    for line in known { enqueue(line) }
  }

  /// Sends an event, or that some were lost, if there is room. Where there is none, the client is told how many events it
  /// has missed when it has read what waits for it, and then it is dropped.
  func tell(_ line: Data, count: Int = 1) {
    guard !isEnding else { return }
    if lost > 0 || waiting + line.count > Connection.mostWaiting { lost += count } else { enqueue(line) }
  }

  /// Ends the connection with a last line.
  func end(_ line: Data) {
    guard !isEnding else { return }
    enqueue(line)
    isEnding = lost == 0
  }

  private func enqueue(_ data: Data) {
    output.append(data)
    waiting += data.count
  }

  /// Sends what there is room for.
  func flush() {
    while !isBroken, !output.isEmpty {
      let first = output[0]
      let count = first.withUnsafeBytes { SystemCalls.send(UnsafeRawBufferPointer(rebasing: $0[sent...]), to: socket) }
      guard count >= 0 else {
        if !SystemCalls.wouldBlock { isBroken = true }
        return
      }
      progress &+= count
      sent += count
      waiting -= count
      guard sent == first.count else { continue }
      sent = 0
      output.removeFirst()
      if output.isEmpty, lost > 0 {
        enqueue(InspectorAnswer.lost(lost).line)
        lost = 0
        isEnding = true
      }
    }
  }
}
