// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A record of what happened in a test, line by line: events of the tree, calls of doubles, and values of recorded
/// streams.
///
/// A `TestTree` writes to its transcript and compares it with the expectations of the test.
public final class Transcript {
  /// The kinds of lines that a transcript records. Misuse and leaks are always recorded.
  public struct Contents: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `Root/Order attached`, `Root/Order detached`, and `tree ended`.
    public static let attachments = Contents(rawValue: 1 << 0)
    /// `Root/Order active` and `Root/Order resigned`.
    public static let activity = Contents(rawValue: 1 << 1)
    /// `Root/Order loaded`, on the first activation only.
    public static let loading = Contents(rawValue: 1 << 2)
    /// `Root/Order task reload started`, `ended` and `failed`. Work without a name is shown by its file: `Root/Order
    /// task in OrderInteractor.swift started`. Also `sleeps until 2026-01-01T18:00:00Z` and `wakes`.
    public static let tasks = Contents(rawValue: 1 << 3)
    /// `Root/Order worker PositionWorker started` and `stopped`.
    public static let workers = Contents(rawValue: 1 << 8)
    /// `Root/Order RideWorkflow step ended` and `failed`. The chain of steps is recorded as a task.
    public static let workflows = Contents(rawValue: 1 << 9)
    /// Calls of the doubles with this transcript: `OrderListenerDouble.orderDidEnd(.paid)`.
    public static let calls = Contents(rawValue: 1 << 4)
    /// The values of streams that are recorded into this transcript: `price: 12`.
    public static let values = Contents(rawValue: 1 << 5)
    /// The time on the test's clock since the line before: `5.0 seconds later`.
    public static let time = Contents(rawValue: 1 << 6)
    /// `Root/Order failed: timedOut`, `Root/Order restarted 1 of 3` and `Root/Order restartsExhausted 3 of 3: timedOut`.
    public static let failures = Contents(rawValue: 1 << 10)
    /// Every other event of the tree, such as `Root/Orders children updated: 2 inserted, 1 moved`.
    public static let other = Contents(rawValue: 1 << 7)

    /// All kinds of lines.
    public static let everything = Contents(rawValue: (1 << 11) - 1)
    /// Everything except activation and loading, which follow from attachment.
    public static let essentials: Contents = everything.subtracting([.activity, .loading])
  }

  /// The kinds of lines that it records.
  public let contents: Contents

  /// The lines since the last expectation.
  public private(set) var lines: [String] = []

  /// Whether to omit events that occur at the end of every tree.
  var isEnding = false

  private let clock: TestClock
  private var lastTime: TestClock.Instant

  init(contents: Contents, clock: TestClock) {
    self.contents = contents
    self.clock = clock
    lastTime = clock.now
  }

  /// Adds a custom line.
  public func write(_ line: String) {
    let now = clock.now
    if lastTime < now, contents.contains(.time) { lines.append("\(lastTime.duration(to: now)) later") }
    lastTime = now
    lines.append(line)
  }

  /// Records each value of a stream.
  ///
  /// - Parameters:
  ///   - stream: the stream. The subscription lasts until the stream ends or the subscription is disposed of.
  ///   - name: the name of the values in the transcript.
  /// - Returns: the subscription.
  @discardableResult
  public func record<Stream: ObservableType>(_ stream: Stream, as name: String) -> any Disposable {
    stream.subscribe(
      onNext: { [weak self] value in self?.write("\(name): \(textOf(value))", if: .values) },
      onCompleted: { [weak self] in self?.write("\(name) ended", if: .values) })
  }

  func write(_ line: String, if content: Contents) {
    if contents.contains(content) { write(line) }
  }

  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  func removeLines(_ mark: String) { lines.removeAll { $0.contains(mark) } }

  /// Runs a closure, and removes the lines that are written meanwhile.
  func withoutLines<Value>(_ body: () -> Value) -> Value {
    let (lines, time) = (lines, lastTime)
    defer { (self.lines, lastTime) = (lines, time) }
    return body()
  }

  /// Records an event.
  func write(_ event: TreeEvent) {
    if isEnding, [.resigned, .taskEnded, .workerStopped, .ended].contains(event.kind) { return }
    if let content = event.content, !contents.contains(content) { return }
    write(event.line)
  }
}

extension TreeEvent {
  /// The kind of line that records this event; nil if it is always recorded.
  fileprivate var content: Transcript.Contents? {
    switch kind {
    case .attached, .detached, .ended: .attachments
    case .activated, .resigned: .activity
    case .loaded: .loading
    case .taskStarted, .taskEnded, .taskFailed, .taskSleeping, .taskWoke: .tasks
    case .workerStarted, .workerStopped: .workers
    case .workflowStepEnded, .workflowStepFailed: .workflows
    case .failed, .restarted, .restartsExhausted: .failures
    case .misuse, .leaked: nil
    default: .other
    }
  }

  fileprivate var line: String {
    switch kind {
    case .ended: "tree ended"
    case .activated: "\(path) active"
    case .taskStarted: "\(path) task \(task) started"
    case .taskEnded: "\(path) task \(task) ended"
    case .taskFailed: "\(path) task \(task) failed: \(failure.map { "\($0)" } ?? "")"
    case .taskSleeping: "\(path) task \(task) sleeps until \(wakes?.description ?? "")"
    case .taskWoke: "\(path) task \(task) wakes"
    case .workerStarted: "\(path) worker \(worker ?? "") started"
    case .workerStopped: "\(path) worker \(worker ?? "") stopped"
    case .workflowStepEnded: "\(path) \(workName ?? "") step ended"
    case .workflowStepFailed: "\(path) \(workName ?? "") step failed: \(failure.map { "\($0)" } ?? "")"
    case .childrenUpdated: "\(path) children updated: \(changes?.description ?? "")"
    case .failed: "\(path) failed: \(failure.map { "\($0)" } ?? "")"
    case .restarted:
      "\(path) restarted \(restarts?.description ?? "")" + (isRestored ? " with its saved state" : "")
    case .restartsExhausted:
      "\(path) restartsExhausted \(restarts?.description ?? ""): \(failure.map { "\($0)" } ?? "")"
    case .misuse: "\(path) misuse: \(misuse?.kind.description ?? "")"
    case .leaked: "\(path) leaked: \(leak?.type ?? "")"
    case .restored: "\(path) restored" + (untaken.isEmpty ? "" : " without \(untaken.joined(separator: ", "))")
    default: "\(path) \(kind)"
    }
  }

  private var task: String { workName ?? "in \(workFile ?? "?")" }
}
