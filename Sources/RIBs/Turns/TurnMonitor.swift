// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Measures the turns of a tree, and reports those that take longer than `TreeConfiguration.turnLimit`. The reports come
/// when the turns end, with what the tree alone knows.
///
/// For a `TurnWatchdog`, it records the RIB and the work of each step. Exists only while a limit or a watchdog is set.
final class TurnMonitor: TaskPart, TreeConfined {
  private struct Turn {
    let work: TaskOrigin?
    let path: TreePath
    let start: Duration
    /// The RIB that resigns, and since when.
    var resigning: (path: TreePath, start: Duration)?
    /// The RIB that has taken longest to resign.
    var slowest: (path: TreePath, duration: Duration)?

    mutating func endResignation(at time: Duration) {
      guard let (path, start) = resigning else { return }
      resigning = nil
      if time - start > slowest?.duration ?? .zero { slowest = (path, time - start) }
    }
  }

  private struct WeakTask { weak var task: BoundTask? }

  /// Nil if the turns are recorded for a watchdog, and not measured.
  private let limit: Duration?
  private let onSlowTurn: (@Sendable (TurnWatchdog.SlowTurn) -> Void)?
  private let identity: TreeIdentity?
  private let now: Stopwatch
  private let activity: TreeActivity
  /// The outermost turn, and how many are nested in it.
  private var current: Turn?
  private var depth = 0
  /// The work that runs on the tree, by the numbers of its Swift tasks.
  private var tasks: [Int: WeakTask] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]

  init(
    limit: Duration?, _ onSlowTurn: (@Sendable (TurnWatchdog.SlowTurn) -> Void)?, of tree: TreeIdentity?,
    _ now: Stopwatch, _ activity: TreeActivity
  ) {
    self.limit = limit
    self.onSlowTurn = onSlowTurn
    identity = tree
    self.now = now
    self.activity = activity
    super.init(
      limit == nil ? [.turns, .workCreated, .workFinished] : [.turns, .workCreated, .workFinished, .deactivating])
  }

  override func treeWillEnd(_ reason: TreeEnded.Reason, _ tree: TreeCore) { tree.noteResignationsInTime() }

  // MARK: Bound work

  override func work(_ moment: TreeMoments, _ task: BoundTask, in tree: TreeCore) {
    let id = ObjectIdentifier(task)
    if moment == .workFinished {
      if let number = numbers.removeValue(forKey: id) { tasks[number] = nil }
    } else if let number = (task as? OnTreeTask)?.firstJob?.taskNumber {
      tasks[number] = WeakTask(task: task)
      numbers[id] = number
    }
  }

  /// Begins a step of bound work.
  ///
  /// - Returns: whether the task is known, and the step is measured until `end()`.
  func beginStep(of number: Int) -> Bool {
    guard let task = tasks[number]?.task else { return false }
    begin(task.origin, at: task.path)
    return true
  }

  // MARK: Turns

  func measure<Result>(_ work: TaskOrigin?, at path: TreePath, _ body: () throws -> Result) rethrows -> Result {
    begin(work, at: path)
    defer { end() }
    return try body()
  }

  private func begin(_ work: TaskOrigin?, at path: TreePath) {
    depth += 1
    guard depth == 1 else { return }
    let path = path.inTree(identity)
    if limit != nil { current = Turn(work: work, path: path, start: now()) }
    let start = limit.map { _ in SuspendingClock.now }
    activity.note(TreeActivity.Details(work: work, path: path, start: start))
  }

  func end() {
    depth -= 1
    guard depth == 0 else { return }
    activity.note(nil)
    guard let limit, var turn = current else { return }
    current = nil
    let time = now()
    let duration = time - turn.start
    guard duration > limit else { return }
    turn.endResignation(at: time)
    let slowest = turn.slowest.flatMap { $0.duration * 2 > duration ? $0.path : nil }
    let slow = TurnWatchdog.SlowTurn(
      path: turn.path, work: turn.work?.name ?? activity.current(isRunning: true) ?? "", resigned: slowest,
      duration: duration, limit: limit)
    if let onSlowTurn {
      onSlowTurn(slow)
    } else {
      writeToStandardError(slow.description + "\n")
    }
  }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) {
    let path = node.path.inTree(identity)
    activity.noteResignation(of: path)
    let time = now()
    current?.endResignation(at: time)
    current?.resigning = (path, time)
  }
}

/// The part of a tree that ends within a time limit, or is watched: records each RIB that resigns, for reports of a tree
/// that does not answer.
private final class ResignationRecorder: TreePart {
  init() { super.init(.deactivating) }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) {
    tree.activity.noteResignation(of: node.path.inTree(tree.identity))
  }
}

extension TreeCore {
  /// Measures the turns of the tree, if there is a limit for them, or records them for a watchdog.
  var turns: TurnMonitor? { follows(.turns) ? part() : nil }

  /// Runs code that occupies the tree, recorded and measured as a turn unless it is part of one that is measured.
  func measure<Result>(_ turn: TreeActivity.Turn, _ body: () -> Result) -> Result {
    activity.inside(turn) {
      guard let turns else { return body() }
      return turns.measure(nil, at: pathOfTurns, body)
    }
  }

  /// Refuses a call after the end of the tree, and measures it as a turn otherwise.
  @usableFromInline
  @inline(never)
  func measureCall<Result>(_ fileID: StaticString, _ line: UInt, _ body: () throws -> Result) throws -> Result {
    guard !hasEnded else { throw absence }
    guard let turns else { return try body() }
    let origin = TaskOrigin(fileID: fileID, line: line, key: "perform")
    return try turns.measure(origin, at: pathOfTurns, body)
  }

  /// The path of a turn that belongs to no other RIB than the root.
  var pathOfTurns: TreePath { (rootPath ?? TreePath()).inTree(identity) }

  /// Records each RIB that resigns from now on, because the tree ends within a time limit, or is watched.
  func noteResignationsInTime() {
    if !follows(.deactivating) { add(ResignationRecorder()) }
  }
}
