// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Saves a tree when it was changed, one save at a time.
@usableFromInline
package final class TreeSaver: TreePart, TreeConfined {
  @usableFromInline package typealias Answer = Promise<Result<Void, any Error>>

  /// A save that a call waits for.
  @usableFromInline
  package struct PendingSave: Sendable {
    /// A promise that is fulfilled when the changes are saved, or can't be saved.
    package let answer: Answer
    /// Whether the save had begun before the call. It may have been written before then, too, so its success does not say
    /// that no other owner has claimed the tree since.
    package let hasBegun: Bool
  }

  private struct Waiting {
    let answer: Answer
    /// Whether a call from outside the tree waits, and not the work of a RIB.
    let isCall: Bool
  }

  private let saving: any TreeSaving
  /// The shortest pause between two saves; nil for one that depends on the time that a copy takes.
  private let pause: Duration?
  private weak var tree: TreeCore?
  private weak var home: (any Actor)?
  private let executor: (any TaskExecutor)?
  private var state = SaveState.saved { didSet { updateMoments() } }
  /// Ends the pause.
  private var timer: StartedTimer?
  /// When the next save may begin that nothing waits for, on the tree's clock.
  private var nextSave = Duration.zero
  /// The error of the last save, until one succeeds: its changes are not saved.
  private var failure: (any Error)?
  /// The tree as it was just before its end, until it or an equal copy is saved.
  private var last: SavedTree?
  /// Keeps the tree and its actor until the tree is saved for the last time, with what an error of that save is reported
  /// of.
  private var ended: (tree: TreeCore, home: (any Actor)?, path: TreePath, root: NodeID?)?
  /// The checkpoints and calls that wait for the next save, and for the current one.
  private var waiting: [Waiting] = []
  private var current: [Waiting] = []
  /// Whether the tree is being copied, so that an end meanwhile is not saved by itself.
  private var isCapturing = false
  /// Whether the launch of a new tree has attached RIBs, which come back by the same code, so they are not saved; nil after
  /// the launch.
  private var launchHasChildren: Bool?
  /// Whether nothing of the tree was saved yet, so that nothing could wake it.
  var isNew = true
  /// The RIBs that their containers restart, with their records in the latest capture or restore.
  private var restartable: [Restartable] = []
  /// The number of restarts that have discarded changes, and the last failure, until the tree is copied again.
  private(set) var discards = 0
  private var discard: TreeFailure? { didSet { updateMoments() } }

  private struct Restartable {
    weak var router: RouterNode?
    let saved: SavedTree
    let record: Int
  }

  /// - Parameters:
  ///   - savesNewTree: whether a new tree is saved after its launch, before it changes.
  ///   - pause: the shortest pause between two saves; nil for one that depends on the time that a copy takes.
  init(_ saving: any TreeSaving, of tree: TreeCore, savesNewTree: Bool, pause: Duration?) {
    self.saving = saving
    self.pause = pause
    self.tree = tree
    home = tree.actor
    executor = tree.settings.offTreeExecutor
    launchHasChildren = savesNewTree ? nil : false
    super.init([.attached, .detached, .childrenChanged, .activationEnded, .saving])
  }

  deinit { timer?.cancel() }

  /// - Returns: whether the event has changed the state.
  @discardableResult
  private func move(_ event: SaveState.Event) -> Bool {
    guard let next = state.after(event) else { return false }
    state = next
    return true
  }

  /// Saves the tree after the current turn. Ignored after the end of the tree, when all its RIBs are detached.
  func request() {
    if !waiting.isEmpty { endPause() }
    guard let tree, !tree.hasEnded else { return }
    if move(.requested), state == .scheduled { start() }
  }

  /// A new tree that sleeps is saved, because otherwise nothing wakes it once it has ended.
  override package func workSleeps() { if isNew { request() } }

  /// Whether the changes of the tree are saved, and whether some were discarded, are moments, because each call of a
  /// directory reads them.
  private func updateMoments() {
    var new = moments.subtracting([.unsavedChanges, .discardedChanges])
    if !isIdle { new.insert(.unsavedChanges) }
    if discard != nil { new.insert(.discardedChanges) }
    setMoments(new, in: tree)
  }

  override package func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) {
    switch moment {
    case .activationEnded: if tree.rootNode === node { endLaunch(of: tree) }
    default: requestForChildren(in: tree)
    }
  }

  /// Saves the tree after the current turn, because RIBs were or will be attached or detached.
  func requestForChildren(in tree: TreeCore) {
    // The children of a restored tree come back from what is saved.
    guard tree.restoration?.isLaunched != false else { return }
    if launchHasChildren != nil { launchHasChildren = true } else { request() }
  }

  /// A new tree with bound work must be restored if the process dies.
  private func endLaunch(of tree: TreeCore) {
    setMoments(moments.subtracting(.activationEnded), in: tree)
    if launchHasChildren.take() == true, tree.hasRunningWork { request() }
  }

  override package func treeWillEnd(_ reason: TreeEnded.Reason, _ tree: TreeCore) {
    switch reason {
    case .shutDown, .requested: captureLast()
    case .failed, .refused, .notRestored: if [.saving, .savingChanged].contains(state) { noteEnd(of: tree) }
    case .released: break
    }
  }

  /// Keeps what an error of the last save is reported of.
  private func noteEnd(of tree: TreeCore) {
    ended = (tree, home, tree.rootPath ?? TreePath(), tree.rootNode?.nodeID)
  }

  override package var isIdle: Bool { state == .saved }

  /// Saves the tree after the current turn.
  ///
  /// - Parameter isCall: whether a call from outside the tree waits, whose changes a restart may discard.
  /// - Returns: a promise that is fulfilled when that save has ended.
  func requestAnswer(isCall: Bool = false) -> Answer {
    let answer = Answer()
    waiting.append(Waiting(answer: answer, isCall: isCall))
    request()
    return answer
  }

  /// Finds out whether all changes of the tree so far are saved. Saves the tree again if the last save has failed.
  ///
  /// - Parameter count: the number of restarts that had discarded changes when the caller began. The answer of a caller that
  ///   has seen another one since is its failure. Defaults to none.
  /// - Returns: nil if they are saved.
  func unsaved(sinceDiscard count: Int = .max) -> PendingSave? {
    let answer = Answer()
    if let discard, discards > count {
      answer.set(.failure(discard))
      return PendingSave(answer: answer, hasBegun: false)
    }
    switch state {
    case .saved: return nil
    case .saving, .savingSpare:
      current.append(Waiting(answer: answer, isCall: true))
      return PendingSave(answer: answer, hasBegun: true)
    case .failed where tree?.hasEnded != false: answer.set(.failure(failure ?? tree?.absence ?? TreeEnded()))
    case .failed, .scheduled, .pausing, .savingChanged:
      waiting.append(Waiting(answer: answer, isCall: true))
      request()
    }
    return PendingSave(answer: answer, hasBegun: false)
  }

  /// Captures the tree just before it ends, if it has changed since the last successful save.
  private func captureLast() {
    guard state != .saved, let tree else { return }
    noteEnd(of: tree)
    // The copy that is being made is the last.
    guard !isCapturing else { return }
    last = capture(tree)
    guard last != nil else { return ended = nil }
    cancelTimer()
    if move(.ended), state == .scheduled { start() }
  }

  /// Copies what is saved of the tree. `savedState` and `savedChildren` are code of the program, which may end the tree.
  private func capture(_ tree: TreeCore) -> SavedTree? {
    isCapturing = true
    let start = tree.now()
    defer {
      isCapturing = false
      let end = tree.now()
      nextSave = end + (pause ?? (end - start) * 9).boundedTimeout
    }
    var captured: [(router: RouterNode, record: Int)] = []
    guard let saved = tree.save({ captured.append(($0, $1)) }) else { return nil }
    isNew = false
    restartable = captured.map { Restartable(router: $0.router, saved: saved, record: $0.record) }
    return saved
  }

  // MARK: Restarts

  /// Records what a RIB was restored from that its container restarts.
  func note(_ router: RouterNode, _ saved: SavedTree, _ record: Int) {
    restartable.append(Restartable(router: router, saved: saved, record: record))
  }

  /// What was saved of a RIB in the latest capture, or what it was restored from; nil for a new RIB.
  ///
  /// The save of that capture may be under way: calls that wait for it are answered with the state that a restart restores.
  func saved(of router: RouterNode) -> SavedTree? {
    restartable.last { $0.router === router }.map { $0.saved.part(at: $0.record) }
  }

  /// Fails the calls that wait for the next save, and the one that is running: a RIB that was restarted from the last
  /// capture has lost its changes.
  func discardChanges(_ failure: TreeFailure) {
    discards += 1
    discard = failure
    var calls = waiting.filter(\.isCall)
    waiting.removeAll(where: \.isCall)
    answer(&calls, .failure(failure))
  }

  /// Notifies the program of what a restore has left.
  func didRestore(without untaken: [String]) {
    guard let path = tree?.rootPath else { return }
    saving.didRestore(path, without: untaken)
  }

  /// Starts the pause before the next save, unless it is over, something waits for the save, or the tree has ended.
  ///
  /// - Returns: whether it was started.
  private func beginPause() -> Bool {
    guard waiting.isEmpty, last == nil, let tree, !tree.hasEnded else { return false }
    let rest = nextSave - tree.now()
    guard rest > .zero else { return false }
    let box = IsolationBox(WeakTreeBox(tree))
    timer = StartedTimer(on: tree.settings.clock, after: rest, executor: executor) { [weak home] in
      await home?.with(box) { (home: WeakTreeBox) in home.tree?.saver?.endPause() }
    }
    return move(.pauseBegan)
  }

  func endPause() {
    guard move(.pauseEnded) else { return }
    cancelTimer()
    start()
  }

  private func cancelTimer() {
    timer.take()?.cancel()
  }

  private func start() {
    guard home != nil else { return }
    let box = IsolationBox(self)
    // The save does not belong to the request that has changed the tree.
    _ = BoundWork.Context.own().task(on: executor) { [weak home, saving] in
      var next = await home?.with(box) { (saver: TreeSaver) in saver.capture() }
      while let saved = next {
        let result: Result<Void, any Error>
        do { result = .success(try await saving.save(saved)) } catch { result = .failure(error) }
        next = await home?.with(box) { (saver: TreeSaver) in saver.didSave(result) }
      }
    }
  }

  /// Captures the tree if that was requested, and the tree has not ended.
  func capture() -> SavedTree? {
    guard state == .scheduled, !beginPause() else { return nil }
    if let saved = last.take() ?? tree.flatMap({ $0.hasEnded ? nil : capture($0) }) {
      move(.captured)
      discard = nil
      (current, waiting) = (waiting, [])
      return saved
    }
    let absence = tree?.absence ?? TreeEnded()
    failure = absence
    ended = nil
    move(.vanished)
    answer(&waiting, .failure(absence))
    return nil
  }

  /// Notes the result of a save, and captures the tree again if that was requested meanwhile.
  ///
  /// The answers come last: a tree whose changes are saved is idle by then, so that a directory can end it for another one.
  func didSave(_ result: Result<Void, any Error>) -> SavedTree? {
    var answers = current
    current = []
    failure = if case .failure(let error) = result { error } else { nil }
    if let failure, answers.allSatisfy(\.answer.isSet) { reportFailure(failure) }
    move(failure == nil ? .succeeded : .failed)
    defer { answer(&answers, result) }
    if state == .scheduled { return capture() }
    (last, ended) = (nil, nil)
    return nil
  }

  /// Reports a failed save that no checkpoint waits for.
  private func reportFailure(_ error: any Error) {
    guard let tree = ended?.tree ?? tree, let path = ended?.path ?? tree.rootPath else { return }
    let work = BoundWork(id: BoundWork.ID(0), origin: TaskOrigin(fileID: #fileID, line: #line, key: "save"))
    tree.report(TreeFailure(path: path, node: ended?.root ?? tree.rootNode?.nodeID, work: work, error: error))
  }

  private func answer(_ answers: inout [Waiting], _ result: Result<Void, any Error>) {
    let ready = answers
    answers = []
    for waiting in ready { waiting.answer.set(result) }
  }
}
