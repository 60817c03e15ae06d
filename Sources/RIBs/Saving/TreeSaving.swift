// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Saves a tree while it runs. Set it as `TreeConfiguration.saving`.
///
/// A tree that is shut down, or that ends itself, is saved one last time if it has changed since the last successful save,
/// as it was just before its RIBs resigned. That save may end after the shutdown. A tree that fails, or whose owner is
/// released, is not: it stays as it was last saved.
public protocol TreeSaving: Sendable {
  /// Saves a tree in place of what was saved before.
  ///
  /// Called off the tree, one call at a time for each tree. Changes made meanwhile are combined into the next call.
  ///
  /// - Parameter saved: the tree, as it was between two turns.
  /// - Throws: any error. It is thrown by the calls of `checkpoint()` that wait for this save; if there is none, it is
  ///   passed to `TreeConfiguration.onFailure`. The changes count as unsaved. The runtime does not repeat the call by
  ///   itself: the next change, the next checkpoint, and the end of the tree save it again. So repeat it here if the
  ///   store is out of reach.
  func save(_ saved: SavedTree) async throws

  /// Called on the tree when a restore has left something of the saved tree: RIBs, containers or states that the program
  /// does not have now. It is kept in each save until the program takes it, or names it in `SavedNames.removed`. The
  /// default writes the paths to standard error.
  ///
  /// - Parameters:
  ///   - untaken: the paths in the saved tree, as in `TreeEvent.untaken`.
  ///   - path: the root of the tree.
  func didRestore(_ path: TreePath, without untaken: [String])
}

extension TreeSaving {
  /// Writes the paths to standard error.
  public func didRestore(_ path: TreePath, without untaken: [String]) {
    writeToStandardError(
      "RIBs: \(path) was restored without \(untaken.joined(separator: ", ")). What is saved there is kept until the program "
        + "has these RIBs again. If they no longer exist, add their names to SavedNames.removed of their parents.\n")
  }
}

extension Interactor {
  /// Requests that the tree be saved after the current turn, or after the pause that follows the last save; see
  /// `TreeConfiguration.savePause`. Several requests are combined into one save.
  ///
  /// Call it when `savedState` has changed. RIBs that are attached or detached request it themselves. A covered RIB that a
  /// stack keeps is saved with the tree of the stack, so the call works there too. It is a no-op in a tree without
  /// `TreeConfiguration.saving`, and in any other inactive RIB, which is saved when it is attached.
  ///
  /// - Complexity: O(1); linear in the depth below the stack in a covered RIB.
  public final func setNeedsSave() { node?._withUnsafeGuaranteedRef { $0.requestSave() } }

  /// Waits until the state of the tree as of this call is saved.
  ///
  /// Call it in bound work before an effect that must not be forgotten or repeated, such as a payment whose key is in
  /// `savedState`. In a tree without `TreeConfiguration.saving` it returns at once.
  ///
  /// - Throws: the error of the save; `TreeEnded` if this interactor is not active in a tree; a `CancellationError` if
  ///   the calling task was cancelled.
  public final nonisolated(nonsending) func checkpoint() async throws {
    tree?.checkIsolation()
    guard isActive, let tree, !tree.hasEnded else { throw TreeEnded(node?._withUnsafeGuaranteedRef { $0.path }) }
    guard let saver = tree.saver else { return }
    try Task.checkCancellation()
    try await saver.requestAnswer().result()
  }
}

extension RouterNode {
  /// Requests a save of the tree that this RIB is saved with: the one it is active in, or that of the stack that keeps it
  /// covered.
  ///
  /// RIBs that were never active are usually in no tree yet: the search ends after a few of them, so that a deep tree is
  /// built in linear time. What such a RIB has changed deep below a covered one is in the next save of the tree.
  final func requestSave() {
    if let tree { return tree._withUnsafeGuaranteedRef { $0.saver?.request() } }
    var node = self
    var newCount = 0
    while true {
      if let parent = node.parentNode {
        if node.id == 0 { newCount += 1 }
        guard newCount <= 16 else { return }
        // Below an active parent this is about to become active, perhaps with a state that is just being restored. If
        // that changes the tree, its attachment requests the save.
        guard parent.tree == nil else { return }
        node = parent
        continue
      }
      guard let stack = node.container, let owner = stack.owner else { return }
      if let tree = owner.tree { return tree._withUnsafeGuaranteedRef { $0.saver?.request() } }
      node = owner
    }
  }
}

/// Saves a tree when it was changed, one save at a time.
@usableFromInline
package final class TreeSaver: TreePart, TreeConfined {
  @usableFromInline package typealias Answer = Promise<Result<Void, any Error>>

  private enum State {
    /// Nothing is to be saved.
    case idle
    /// A task will capture the tree after the current turn.
    case scheduled
    /// A task saves what it has captured.
    case saving
    /// A timer runs until the next save may begin that nothing waits for.
    case pausing(StartedTimer)
  }

  /// The launch of a new tree. What it attaches comes back by the same code, so it is not saved.
  private enum Launch {
    case running(hasChildren: Bool)
    case over
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
  private var state = State.idle { didSet { updateMoments() } }
  private var isRequested = false
  /// When the next save may begin that nothing waits for, on the tree's clock.
  private var nextSave = Duration.zero
  /// The error of the last save, until one succeeds: its changes are not saved.
  private var failure: (any Error)?
  /// The tree as it was just before its end, until it is saved.
  private var last: SavedTree?
  /// Keeps the tree and its actor until the tree is saved for the last time, with what an error of that save is reported
  /// of.
  private var ended: (tree: TreeCore, home: (any Actor)?, path: TreePath, root: NodeID?)?
  /// The checkpoints and calls that wait for the next save, and for the current one.
  private var waiting: [Waiting] = []
  private var current: [Waiting] = []
  /// Whether the tree is being copied, so that an end meanwhile is not saved by itself.
  private var isCapturing = false
  private var launch: Launch
  /// Whether nothing of the tree was saved yet, so that nothing could wake it.
  private var isNew: Bool
  /// The RIBs that their containers restart, with their records in the latest capture or restore.
  private var restartable: [Restartable] = []

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
    launch = savesNewTree ? .over : .running(hasChildren: false)
    isNew = true
    super.init([.attached, .detached, .childrenChanged, .activationEnded, .saving])
  }

  deinit { if case .pausing(let timer) = state { timer.cancel() } }

  /// Saves the tree after the current turn. Ignored after the end of the tree, when all its RIBs are detached.
  func request() {
    if !waiting.isEmpty { endPause() }
    guard let tree, !tree.hasEnded else { return }
    isRequested = true
    if case .idle = state { start() }
  }

  /// A new tree that sleeps is saved, because otherwise nothing wakes it once it has ended.
  override package func workSleeps() { if isNew { request() } }

  /// Notes that the tree is restored from a record.
  func noteRecord() { isNew = false }

  /// Whether the changes of the tree are saved is a moment, because each call of a directory reads it.
  private func updateMoments() {
    setMoments(
      hasUnsavedChanges ? moments.union(.unsavedChanges) : moments.subtracting(.unsavedChanges), in: tree)
  }

  override package func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) -> Continuation {
    switch moment {
    case .activationEnded: if tree.rootNode === node { endLaunch(of: tree) }
    // The children of a restored tree come back from what is saved.
    default: if tree.restoration?.isLaunched != false { requestForChildren() }
    }
    return .proceed
  }

  /// Saves the tree after the current turn, because RIBs were attached or detached.
  private func requestForChildren() {
    if case .running = launch { launch = .running(hasChildren: true) } else { request() }
  }

  /// A new tree with bound work must be restored if the process dies.
  private func endLaunch(of tree: TreeCore) {
    let launch = launch
    self.launch = .over
    setMoments(moments.subtracting(.activationEnded), in: tree)
    if case .running(hasChildren: true) = launch, tree.hasRunningWork { request() }
  }

  override package func treeWillEnd(_ reason: TreeEnded.Reason, _ tree: TreeCore) {
    switch reason {
    case .shutDown, .requested: captureLast()
    case .failed, .released, .refused, .notRestored: break
    }
  }

  override package var isIdle: Bool { !hasUnsavedChanges }

  /// Saves the tree after the current turn.
  ///
  /// - Returns: a promise that is fulfilled when that save has ended.
  func requestAnswer() -> Answer {
    let answer = Answer()
    waiting.append(Waiting(answer: answer, isCall: false))
    request()
    return answer
  }

  /// Finds out whether all changes of the tree so far are saved. Saves the tree again if the last save has failed.
  ///
  /// - Returns: a promise that is fulfilled when they are saved, or can't be saved; nil if they are saved.
  func unsaved() -> Answer? {
    let isSaving = if case .saving = state { true } else { false }
    guard isRequested || isSaving || failure != nil else { return nil }
    let answer = Answer()
    if isSaving, !isRequested {
      current.append(Waiting(answer: answer, isCall: true))
    } else if !isRequested, let failure, tree?.hasEnded != false {
      answer.set(.failure(failure))
    } else {
      waiting.append(Waiting(answer: answer, isCall: true))
      request()
    }
    return answer
  }

  private var hasUnsavedChanges: Bool { if case .idle = state { failure != nil } else { true } }

  /// Captures the tree just before it ends, if it has changed since the last successful capture.
  private func captureLast() {
    guard isRequested || failure != nil, !isCapturing, let tree else { return }
    let place = (tree, home, tree.rootPath ?? TreePath(), tree.rootNode?.nodeID)
    guard let saved = capture(tree) else { return }
    isRequested = true
    last = saved
    ended = place
    endPause()
    if case .idle = state { start() }
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

  /// Fails the calls that wait for the next save: a RIB that was restarted from the last capture has lost its changes.
  func discardChanges(_ failure: TreeFailure) {
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
    guard isRequested, waiting.isEmpty, last == nil, let tree, !tree.hasEnded else { return false }
    let rest = nextSave - tree.now()
    guard rest > .zero else { return false }
    let box = IsolationBox(WeakTreeBox(tree))
    state = .pausing(
      StartedTimer(on: tree.settings.clock, after: rest, executor: executor) { [weak home] in
        await home?.endSavePause(box)
      })
    return true
  }

  func endPause() {
    guard case .pausing(let timer) = state else { return }
    timer.cancel()
    start()
  }

  private func start() {
    guard home != nil else { return }
    state = .scheduled
    let box = IsolationBox(self)
    // The save does not belong to the request that has changed the tree.
    _ = BoundWork.Context.own().task(on: executor) { [weak home, saving] in
      var next = await home?.capture(box)
      while let saved = next {
        let result: Result<Void, any Error>
        do { result = .success(try await saving.save(saved)) } catch { result = .failure(error) }
        next = await home?.didSave(box, result)
      }
    }
  }

  /// Captures the tree if that was requested, and the tree has not ended.
  func capture() -> SavedTree? {
    if beginPause() { return nil }
    guard isRequested, let saved = takeLast() ?? tree.flatMap({ $0.hasEnded ? nil : capture($0) }) else {
      let absence = tree?.absence ?? TreeEnded()
      // The tree has ended, and these changes are lost.
      if isRequested { failure = absence }
      isRequested = false
      state = .idle
      ended = nil
      answer(&waiting, .failure(absence))
      return nil
    }
    state = .saving
    isRequested = false
    (current, waiting) = (waiting, [])
    return saved
  }

  private func takeLast() -> SavedTree? {
    defer { last = nil }
    return last
  }

  /// Notes the result of a save, and captures the tree again if that was requested meanwhile.
  ///
  /// The answers come last: a tree whose changes are saved is idle by then, so that a directory can end it for another one.
  func didSave(_ result: Result<Void, any Error>) -> SavedTree? {
    var answers = current
    current = []
    failure = if case .failure(let error) = result { error } else { nil }
    if let failure, answers.isEmpty { reportFailure(failure) }
    state = .scheduled
    defer { answer(&answers, result) }
    return capture()
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

extension Actor {
  /// Captures the tree on this actor, if it is to be saved.
  fileprivate func capture(_ box: IsolationBox) -> SavedTree? { content(of: box, as: TreeSaver.self).capture() }

  /// Ends the pause after a save of the tree on this actor.
  fileprivate func endSavePause(_ box: IsolationBox) {
    content(of: box, as: WeakTreeBox.self).tree?.saver?.endPause()
  }

  /// Notifies the tree on this actor that it was saved, or why not.
  ///
  /// - Returns: what is to be saved next.
  fileprivate func didSave(_ box: IsolationBox, _ result: Result<Void, any Error>) -> SavedTree? {
    content(of: box, as: TreeSaver.self).didSave(result)
  }
}
