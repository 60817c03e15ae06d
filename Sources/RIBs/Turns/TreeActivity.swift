// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The code that a tree runs now, readable by other threads while the tree's actor is busy.
///
/// Every call, first step and delivery of a result records its source location here, with relaxed stores. They are as
/// fast as plain ones, and order nothing: a reader may see the file of one turn with the line of the next, if the tree
/// does not block. A later step of bound work is recorded only while `TreeConfiguration.turnLimit` or a watchdog is set,
/// because it is resumed by the Swift runtime alone.
@usableFromInline
final class TreeActivity: Sendable {
  /// The kind of code that occupies the tree.
  @usableFromInline
  enum Turn: UInt, Sendable {
    case none, call, step, result, snapshot, launch, end, reading
  }

  /// The details of a turn, recorded only while turns are measured or watched.
  struct Details: Sendable {
    /// The work that the turn is a part of, or the call; nil for others, which the kind of the turn names.
    var work: TaskOrigin?
    var path: TreePath?
    /// Nil if the turns are only watched.
    var start: SuspendingClock.Instant?
  }

  /// Identifies the turn that a `TurnWatchdog` has seen in its last round.
  struct Sighting: Equatable {
    fileprivate let file: UInt
    fileprivate let place: UInt
  }

  /// Set in `place` by a `TurnWatchdog`. Each store of the tree removes it, so the turn has not ended while it is there.
  private static let mark: UInt = 1 << 63

  struct State {
    /// The name of the tree, if it has one.
    var tree: String?
    /// The root RIB, once it is built. Its text is made only for a report.
    var root: RIBName?
    /// Nil if no details are recorded, as in most trees.
    var details: SharedBox<Details>?
    /// The RIB that resigns, and since when RIBs do, recorded only while the tree ends within a time limit.
    var resigning: SharedBox<Details>?
  }

  /// The address of the file that contains the code, as null-terminated text that is never freed.
  @usableFromInline let file = Atomic<UInt>(0)
  /// The line, and the kind of turn in the lowest three bits. The highest bit is the mark of a `TurnWatchdog`.
  @usableFromInline let place = Atomic<UInt>(0)
  let state = Locked(State())
  private let ended = Atomic(false)

  init() {}

  // MARK: Written by the tree

  @inlinable
  @inline(__always)
  func enter(_ turn: Turn, _ fileID: StaticString, _ line: UInt) {
    file.store(UInt(bitPattern: fileID.utf8Start), ordering: .relaxed)
    place.store(line &<< 3 | turn.rawValue, ordering: .relaxed)
  }

  /// Enters a turn without a source location.
  func enter(_ turn: Turn) {
    file.store(0, ordering: .relaxed)
    place.store(turn.rawValue, ordering: .relaxed)
  }

  /// Runs a turn without a source location, possibly inside another one.
  func inside<Result, Failure: Error>(
    _ turn: Turn, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = position
    enter(turn)
    defer { leave(to: outer) }
    return try body()
  }

  /// What runs now, to return to it after something inside it: work may call its own host.
  @inlinable var position: (file: UInt, place: UInt) {
    @inline(__always) get { (file.load(ordering: .relaxed), place.load(ordering: .relaxed)) }
  }

  @inlinable
  @inline(__always)
  func leave(to outer: (file: UInt, place: UInt)) {
    file.store(outer.file, ordering: .relaxed)
    place.store(outer.place, ordering: .relaxed)
  }

  @inlinable
  @inline(__always)
  func leave() { place.store(0, ordering: .relaxed) }

  /// Names the tree, in reports.
  ///
  /// - Parameters:
  ///   - root: the type of the root router; nil until it is built.
  ///   - tree: the name of the tree; nil if it has none.
  func setRoot(_ root: (any AnyObject.Type)?, of tree: String?) {
    let root = root.map(RIBName.init)
    state.withLock { ($0.tree, $0.root) = (tree, root) }
  }

  /// Records that all RIBs have resigned.
  func noteEnded() { ended.store(true, ordering: .releasing) }

  /// Records the details of the current turn.
  func note(_ details: Details?) {
    let box = details.map { SharedBox($0) }
    state.withLock { state in
      state.details = box
      state.resigning = nil
    }
  }

  /// Records the RIB that resigns.
  func noteResignation(of path: TreePath) {
    state.withLock { state in
      // The tree is busy since the first of them resigns.
      let start = state.resigning?.value.start ?? SuspendingClock.now
      state.resigning = SharedBox(Details(path: path, start: start))
    }
  }

  // MARK: Read by other threads

  /// Whether all RIBs have resigned.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// Marks the turn that runs now, so that the next call finds out whether it still does. Called by one thread only.
  ///
  /// - Returns: the turn; nil if none runs, or if it has just changed.
  func mark() -> (turn: Sighting, wasMarked: Bool)? {
    let place = place.load(ordering: .relaxed)
    guard place != 0 else { return nil }
    let isMarked = place & TreeActivity.mark != 0
    let marked = place | TreeActivity.mark
    // The tree stores without looking. If it has stored meanwhile, this does not.
    if !isMarked {
      let (isStored, _) = self.place.compareExchange(expected: place, desired: marked, ordering: .relaxed)
      guard isStored else { return nil }
    }
    return (Sighting(file: file.load(ordering: .relaxed), place: marked), isMarked)
  }

  /// What the turn that runs now does, in words; nil if none is known.
  ///
  /// - Parameter isRunning: whether the tree is known to run although no turn is recorded.
  func current(isRunning: Bool) -> String? {
    let (file, place) = (file.load(ordering: .relaxed), place.load(ordering: .relaxed) & ~TreeActivity.mark)
    let location = UnsafePointer<UInt8>(bitPattern: file).map { name in
      let file = String(cString: name)
      return "\(file.split(separator: "/").last ?? ""):\(place >> 3)"
    }
    return switch (Turn(rawValue: place & 7) ?? .none, location) {
    case (.call, let location?): "perform (\(location))"
    case (.step, let location?): "bound work (\(location))"
    case (.result, let location?): "the result of bound work (\(location))"
    case (.snapshot, _): "a snapshot"
    case (.reading, _): "a closure of values"
    case (.launch, _): "the launch"
    case (.end, _): "the end of the tree"
    case (.step, nil): TreeActivity.laterStep
    default: isRunning ? TreeActivity.laterStep : nil
    }
  }

  private static let laterStep =
    "bound work that has continued after an await; TreeConfiguration.turnLimit or a TurnWatchdog names it"
}
