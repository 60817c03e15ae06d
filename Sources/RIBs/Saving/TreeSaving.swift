internal import Synchronization

/// Saves a tree while it runs. Set it as `TreeConfiguration.saving`.
///
/// A tree that is shut down, or that ends itself, is saved one last time if it has changed since the last save, as it was
/// just before its RIBs resigned. That save may end after the shutdown. A tree that fails, or whose owner is released, is
/// not: it stays as it was last saved.
public protocol TreeSaving: Sendable {
  /// Saves a tree in place of what was saved before.
  ///
  /// Called off the tree, one call at a time for each tree. Changes made meanwhile are combined into the next call.
  ///
  /// - Parameter saved: the tree, as it was between two turns.
  /// - Throws: any error. It is thrown by the calls of `checkpoint()` that wait for this save; if there is none, it is
  ///   passed to `TreeConfiguration.onFailure`. The runtime does not repeat the call: the next change saves the tree
  ///   anew. So repeat it here if the store is out of reach.
  func save(_ saved: SavedTree) async throws
}

extension Interactor {
  /// Requests that the tree be saved after the current turn. Several requests are combined into one save.
  ///
  /// Call it when `savedState` has changed. RIBs that are attached or detached request it themselves. A no-op in a tree
  /// without `TreeConfiguration.saving`, and while the interactor is inactive.
  public final func setNeedsSave() { tree?.saver?.request() }

  /// Waits until the state of the tree as of this call is saved.
  ///
  /// Call it in bound work before an effect that must not be forgotten or repeated, such as a payment whose key is in
  /// `savedState`. In a tree without `TreeConfiguration.saving` it returns at once.
  ///
  /// - Throws: the error of the save; `TreeEnded` if this interactor is not active in a tree; a `CancellationError` if
  ///   the calling task was cancelled.
  public final nonisolated(nonsending) func checkpoint() async throws {
    guard isActive, let tree, !tree.hasEnded else { throw TreeEnded(node?._withUnsafeGuaranteedRef { $0.path }) }
    guard let saver = tree.saver else { return }
    try Task.checkCancellation()
    try await saver.requestAnswer().result()
  }
}

/// Saves a tree when it was changed, one save at a time.
@usableFromInline
package final class TreeSaver {
  @usableFromInline package typealias Answer = Promise<Result<Void, any Error>>

  private enum State {
    /// Nothing is to be saved.
    case idle
    /// A task will capture the tree after the current turn.
    case scheduled
    /// A task saves what it has captured.
    case saving
  }

  private let saving: any TreeSaving
  private weak var tree: TreeCore?
  private weak var home: (any Actor)?
  private let executor: (any TaskExecutor)?
  private var state = State.idle { didSet { tree?.hasUnsavedChanges = hasUnsavedChanges } }
  private var isRequested = false
  /// The tree as it was just before its end, until it is saved.
  private var last: SavedTree?
  /// Keeps the tree's actor until the tree is saved for the last time.
  private var homeOfLast: (any Actor)?
  /// The checkpoints that wait for the next save, and for the current one.
  private var waiting: [Answer] = []
  private var current: [Answer] = []

  init(_ saving: any TreeSaving, of tree: TreeCore) {
    self.saving = saving
    self.tree = tree
    home = tree.actor
    executor = tree.offTreeExecutor
  }

  /// Saves the tree after the current turn. Ignored after the end of the tree, when all its RIBs are detached.
  func request() {
    guard let tree, !tree.hasEnded else { return }
    isRequested = true
    if case .idle = state { start() }
  }

  /// Saves the tree after the current turn.
  ///
  /// - Returns: is set when that save has ended.
  func requestAnswer() -> Answer {
    let answer = Answer()
    waiting.append(answer)
    request()
    return answer
  }

  /// Is set when all changes of the tree so far are saved, or can't be saved; nil if all are saved.
  func unsaved() -> Answer? {
    let isSaving = if case .saving = state { true } else { false }
    guard isRequested || isSaving else { return nil }
    let answer = Answer()
    if isRequested { waiting.append(answer) } else { current.append(answer) }
    return answer
  }

  private var hasUnsavedChanges: Bool { if case .idle = state { false } else { true } }

  /// Captures the tree just before it ends, if it has changed since it was captured.
  func captureLast() {
    guard isRequested, let tree, let saved = tree.save() else { return }
    last = saved
    homeOfLast = home
  }

  private func start() {
    guard home != nil else { return }
    state = .scheduled
    let box = IsolationBox(self)
    // The save does not belong to the request that has changed the tree.
    _ = TreeConfiguration.WorkContext.own().task(on: executor) { [weak home, saving] in
      while let saved = await home?.capture(box) {
        do {
          try await saving.save(saved)
          await home?.didSave(box, nil)
        } catch {
          await home?.didSave(box, error)
        }
      }
    }
  }

  /// Captures the tree if that was requested, and the tree has not ended.
  func capture() -> SavedTree? {
    guard isRequested, let saved = takeLast() ?? tree.flatMap({ $0.hasEnded ? nil : $0.save() }) else {
      state = .idle
      isRequested = false
      homeOfLast = nil
      answer(&waiting, .failure(tree?.absence ?? TreeEnded()))
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

  func didSave(_ error: (any Error)?) {
    state = .scheduled
    if let error, current.isEmpty { tree?.reportFailedSave(error) }
    answer(&current, error.map { .failure($0) } ?? .success(()))
  }

  private func answer(_ answers: inout [Answer], _ result: Result<Void, any Error>) {
    let ready = answers
    answers = []
    for answer in ready { answer.set(result) }
  }
}
