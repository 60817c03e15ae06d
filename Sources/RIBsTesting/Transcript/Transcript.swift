public import RIBs

/// What happened in a test, line by line, in one order: what the tree did, what its doubles were told, and the values of
/// the streams that are recorded.
///
/// A `TestTree` has one, writes to it, and compares it with what a test expects.
public final class Transcript {
  /// What a transcript may hold. Misuse and leaks are always held.
  public struct Contents: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `Root/Order attached`, `Root/Order detached`, and `tree ended`.
    public static let attachments = Contents(rawValue: 1 << 0)
    /// `Root/Order active` and `Root/Order resigned`.
    public static let activity = Contents(rawValue: 1 << 1)
    /// `Root/Order loaded`, for the first time in its life.
    public static let loading = Contents(rawValue: 1 << 2)
    /// `Root/Order task reload started`, `ended` and `failed`. Work without a name is told of by its file:
    /// `Root/Order task in OrderInteractor.swift started`.
    public static let tasks = Contents(rawValue: 1 << 3)
    /// `Root/Order worker PositionWorker started` and `stopped`.
    public static let workers = Contents(rawValue: 1 << 8)
    /// `Root/Order RideWorkflow step ended` and `failed`. The chain of steps is told of as a task is.
    public static let workflows = Contents(rawValue: 1 << 9)
    /// What the doubles with this transcript were told: `OrderListenerDouble.orderDidEnd(.paid)`.
    public static let calls = Contents(rawValue: 1 << 4)
    /// The values of streams that are recorded into this transcript: `price: 12`.
    public static let values = Contents(rawValue: 1 << 5)
    /// How much time has passed on the test's clock since the line before: `5.0 seconds later`.
    public static let time = Contents(rawValue: 1 << 6)
    /// Every other event of the tree, such as `Root/Orders children updated: 2 inserted, 1 moved`.
    public static let other = Contents(rawValue: 1 << 7)

    /// Everything there is.
    public static let everything = Contents(rawValue: (1 << 10) - 1)
    /// Everything but how a RIB becomes active: that it is attached says it.
    public static let essentials: Contents = everything.subtracting([.activity, .loading])
  }

  /// What it holds.
  public let contents: Contents

  /// The lines that no test has expected yet.
  public private(set) var lines: [String] = []

  /// Whether what belongs to every end is left out.
  var isEnding = false

  private let clock: TestClock
  private var lastTime: TestClock.Instant

  init(contents: Contents, clock: TestClock) {
    self.contents = contents
    self.clock = clock
    lastTime = clock.now
  }

  /// Adds a line of the test's own.
  public func write(_ line: String) {
    let now = clock.now
    if lastTime < now, contents.contains(.time) { lines.append("\(lastTime.duration(to: now)) later") }
    lastTime = now
    lines.append(line)
  }

  /// Writes down each value of a stream.
  ///
  /// - Parameters:
  ///   - stream: the stream, which is subscribed to until it ends or the subscription is disposed of.
  ///   - name: what the values are called.
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

  /// Adds what an event says.
  func write(_ event: TreeEvent) {
    if isEnding, [.resigned, .taskEnded, .workerStopped, .ended].contains(event.kind) { return }
    if let content = event.content, !contents.contains(content) { return }
    write(event.line)
  }
}

extension TreeEvent {
  /// The part of the contents that tells of this; nil for what is never left out.
  fileprivate var content: Transcript.Contents? {
    switch kind {
    case .attached, .detached, .ended: .attachments
    case .activated, .resigned: .activity
    case .loaded: .loading
    case .taskStarted, .taskEnded, .taskFailed: .tasks
    case .workerStarted, .workerStopped: .workers
    case .workflowStepEnded, .workflowStepFailed: .workflows
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
    case .workerStarted: "\(path) worker \(worker ?? "") started"
    case .workerStopped: "\(path) worker \(worker ?? "") stopped"
    case .workflowStepEnded: "\(path) \(workName ?? "") step ended"
    case .workflowStepFailed: "\(path) \(workName ?? "") step failed: \(failure.map { "\($0)" } ?? "")"
    case .childrenUpdated: "\(path) children updated: \(changes?.description ?? "")"
    case .misuse: "\(path) misuse: \(misuse?.kind.description ?? "")"
    case .leaked: "\(path) leaked: \(leak?.type ?? "")"
    default: "\(path) \(kind)"
    }
  }

  private var task: String { workName ?? "in \(workFile ?? "?")" }
}
