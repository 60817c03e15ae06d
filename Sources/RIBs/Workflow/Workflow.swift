/// Takes a tree through several RIBs: what a deep link, a command, or the recovery of a session does.
///
/// A workflow is a chain of steps. Each works on an *actionable item*: usually an interactor, known by a protocol that
/// says what can be done there. A step ends with the item that the next one works on, and a value for it:
///
/// ```swift
/// final class RideWorkflow: Workflow<any RootActionableItem> {
///   init(ride: RideID) {
///     super.init()
///     onStep { root in await root.waitForLogin().first() }
///       .onStep { loggedIn, _ in await loggedIn.openRide(ride).first() }
///       .commit()
///   }
/// }
/// ```
///
/// Here the methods of the items return streams, whose first value is what the step ends with; one that ends without a
/// value is an error. A step can do whatever bound work can:
///
/// ```swift
/// workflow
///   .onStep { [id] root in
///     let number = try await root.client.fetch(id)
///     return (root, number)
///   }
///   .commit()
/// ```
///
/// ## Where and when steps run
///
/// Everything runs on the tree, as bound work does. A step begins when its item is active, for which it waits at most as
/// long as the workflow's timeout says; the item is not kept alive by that. The step belongs to the scope of its item as
/// a `task` of the item would: when the item resigns, the step is cancelled, if need be just before it begins, and the chain
/// ends with `WorkflowError.itemResigned`. An item that is no interactor counts as active, and its step runs in the scope of the
/// step before.
///
/// ## Forks
///
/// Steps kept in a constant can be gone on from more than once. The step itself is done once; what goes on from it runs
/// side by side. A chain that is committed after the workflow has begun runs too, also if the step that it goes on from
/// has been done, and as long as the item that step ended with has not resigned.
///
/// A step that captures its own workflow strongly is a reference cycle. Use the item, or capture `self` weakly.
///
/// A workflow can be started any number of times: each `subscribe` and `run` does all its steps anew. A step is a
/// function, so several workflows can use the same one; a chain of steps that several workflows begin with is a method in
/// an extension of `Workflow`.
///
/// ## Errors
///
/// An error ends the chain, and with it all that goes on from the step that failed; other forks go on. It reaches the
/// handlers in `onError(_:)` after it in the chain, `didReceiveError(_:)`, and the events of the tree. If no handler has
/// taken it, and nobody waits for it in `run(_:)`, it reaches `didFail(_:of:)` of the interactor in whose scope the step ran.
open class Workflow<Item>: WorkflowHooks {
  private let beginning: StepNode
  private let timeout: Duration?
  private var stepCount = 1
  /// Those under way, and those that have completed since the last was started.
  private var runs: [WorkflowRun] = []

  /// Creates a workflow without steps.
  ///
  /// - Parameter timeout: how long a step waits, on the tree's clock, for its item to become active; nil for as long as
  ///   it takes.
  public init(timeout: Duration? = .seconds(30)) {
    self.timeout = timeout
    beginning = FirstStep(origin: TaskOrigin(fileID: #fileID, line: #line), index: 0, after: nil)
  }

  deinit {
    // Whoever still holds a run, to dispose of it, holds nothing else.
    for run in runs { run.dispose() }
  }

  /// Called once for each start of the workflow, on the tree, when all its chains have ended and not all of them with an
  /// error. Chains that are committed later don't change that. Not called when the workflow was disposed of.
  open func didComplete() {}

  /// Called when `fork()` is called on one of the workflow's steps.
  open func didFork() {}

  /// Called on the tree with the error that ends a step, once for each, after the handlers in `onError(_:)`.
  ///
  /// - Parameter error: what the step threw, or a `WorkflowError`.
  open func didReceiveError(_ error: any Error) {}

  // MARK: Steps

  /// Begins a chain of steps.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the step was written, with `line`.
  ///   - line: leave out.
  ///   - onStep: receives the item that the workflow is started with, when that is active. It returns the item of the
  ///     next step with a value for it, or nil if there is no value, which is an error. It runs on the tree, and is
  ///     cancelled when the item resigns.
  /// - Returns: the step, to go on from or to commit.
  public final func onStep<NextItem, NextValue>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onStep: nonisolated(nonsending) @escaping (Item) async throws -> (NextItem, NextValue)?
  ) -> Step<Item, NextItem, NextValue> {
    let first = Step<Item, Item, Void>(workflow: self, node: beginning)
    return first.onStep(fileID: fileID, line: line) { item, _ in try await onStep(item) }
  }

  func makeStep<Node: StepNode>(_ make: (Int) -> Node) -> Node {
    defer { stepCount += 1 }
    return make(stepCount)
  }

  func didRelease(_ step: StepNode) { for run in runs { run.forget(step) } }

  func commit(_ last: StepNode) {
    guard let (first, anchor) = last.commit() else { return }
    for run in runs { run.takeUp(first, after: anchor, of: self) }
  }

  // MARK: Starting

  /// Starts the workflow.
  ///
  /// It begins when this call has returned, and the item is active. Nothing is started, and that is reported, if none of
  /// its steps was committed, or if the item is in no tree and no actor runs here.
  ///
  /// ```swift
  /// RideWorkflow(ride: id)
  ///   .subscribe(rootInteractor)
  ///   .disposeOnDeactivate(interactor: self)
  /// ```
  ///
  /// - Parameters:
  ///   - item: what the first steps work on.
  ///   - fileID: leave out; says where the workflow was started, with `line`.
  ///   - line: leave out.
  ///   - isolation: leave out.
  /// - Returns: what cancels the workflow when it is disposed of: neither its hooks nor its handlers are called then.
  ///   Without it the workflow goes on until it ends by itself, or with the scopes that its steps run in.
  public final func subscribe(
    _ item: Item, fileID: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation
  ) -> any Disposable {
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: self))
    do {
      let run = try makeRun(for: item, origin, on: isolation)
      start(run, with: item)
      return run
    } catch {
      report(error, item)
      return EmptyDisposable()
    }
  }

  /// Starts the workflow in a tree, also with an item that stands in none.
  package final func subscribe(_ item: Item, in tree: Tree, fileID: StaticString, line: UInt) -> any Disposable {
    guard let core = tree.core, !beginning.next.isEmpty else {
      return subscribe(item, fileID: fileID, line: line, isolation: nil)
    }
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: self))
    let run = WorkflowRun(in: .tree(core), timeout: timeout, origin: origin)
    start(run, with: item)
    return run
  }

  /// Starts the workflow, and returns when all its chains have ended.
  ///
  /// ```swift
  /// task {
  ///   try await RideWorkflow(ride: self.id).run(self.rootInteractor)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: what the first steps work on.
  ///   - fileID: leave out; says where the workflow was started, with `line`.
  ///   - line: leave out.
  /// - Throws: the first error that ended one of the chains, a `WorkflowError` if nothing could be started, or a
  ///   `CancellationError` when the calling task is cancelled, which cancels the workflow.
  public nonisolated(nonsending) final func run(
    _ item: Item, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    _ = try await run(item, to: nil, TaskOrigin(fileID: fileID, line: line, workflow: type(of: self)))
  }

  /// - Parameter step: the last of the chain that is to succeed; nil for all chains.
  nonisolated(nonsending) final func run(
    _ item: Item, to step: StepNode?, _ origin: TaskOrigin
  ) async throws -> WorkflowRun {
    let run = try makeRun(for: item, origin, on: #isolation)
    let ended = run.expectWaiter(for: step)
    start(run, with: item)
    for await _ in ended {}
    // The calling task may have been cancelled. The item is the caller's again when no step works on it any more.
    let hasCompleted = run.hasCompleted
    if !hasCompleted { run.dispose() }
    await run.waitForLastEnd()
    if let failure = run.failure { throw failure }
    guard hasCompleted else { throw CancellationError() }
    return run
  }

  private func makeRun(for item: Item, _ origin: TaskOrigin, on actor: (any Actor)?) throws -> WorkflowRun {
    guard !beginning.next.isEmpty else { throw WorkflowError.notCommitted(workflow: "\(type(of: self))") }
    if let tree = (item as? Interactor)?.node?._withUnsafeGuaranteedRef({ $0.nearestTree }) {
      tree.checkIsolation()
      // What ends the tree may be the release of its actor, on which nothing can be started any more.
      guard tree.canStartWork else { throw TreeEnded() }
      return WorkflowRun(in: .tree(tree), timeout: timeout, origin: origin)
    }
    guard let actor else { throw WorkflowError.outsideTree(workflow: "\(type(of: self))") }
    let starter = TaskStarter(on: actor, HomeExecutor(actor: actor))
    return WorkflowRun(in: .actor(actor, starter), timeout: timeout, origin: origin)
  }

  private func start(_ run: WorkflowRun, with item: Item) {
    // Released when the access is over: what an ended run has produced may use the workflow while it is released.
    let previous = runs
    runs = previous.filter { !$0.hasEnded } + [run]
    defer { withExtendedLifetime(previous) {} }
    let outcome = Outcome(item, (), in: nil)
    run.keep(outcome, of: beginning)
    for step in beginning.next { run.begin(step, on: outcome, of: self) }
  }

  private func report(_ error: any Error, _ item: Item) {
    let type = "\(type(of: self))"
    let problem: Misuse.Problem =
      switch error {
      case WorkflowError.notCommitted: .workflowWithoutSteps(type)
      case is TreeEnded: .taskWhileInactive
      default: .workflowOutsideTree(type)
      }
    if let interactor = item as? Interactor {
      interactor.report(problem)
    } else {
      MisuseHandling.report(problem, path: TreePath(), to: nil)
    }
  }
}

/// What a run of a workflow tells the workflow.
protocol WorkflowHooks: AnyObject {
  func didComplete()
  func didReceiveError(_ error: any Error)

  /// No chain can be committed any more that continues from a step.
  func didRelease(_ step: StepNode)
}

/// Why a workflow could not go on, or could not begin, where that was not an error of a step's own.
public enum WorkflowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The RIB that a step worked on resigned before the step had ended. The step was cancelled.
  case itemResigned(TreePath)
  /// The RIB that a step was to work on did not become active in time.
  case timedOut(TreePath, after: Duration)
  /// The RIB that a step was to work on was released before it became active.
  case itemGone(TreePath)
  /// A step that worked on the RIB has ended without a value.
  case noValue(TreePath)
  /// None of the workflow's steps has been committed.
  case notCommitted(workflow: String)
  /// The workflow's item is in no tree, and no actor runs where it was started.
  case outsideTree(workflow: String)

  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .itemResigned(let path):
      "\(name(path)) resigned while a step of a workflow worked on it. "
        + "A step that ends a RIB belongs to one that stays, such as the parent."
    case .timedOut(let path, let timeout):
      "\(name(path)) was not active within \(timeout), so that a step of a workflow could not work on it. "
        + "Attach it before the step before returns it, or give the workflow more time."
    case .itemGone(let path):
      "\(name(path)) was released before it became active, so that a step of a workflow could not work on it. "
        + "Attach it before the step before returns it."
    case .noValue(let path):
      "A step of a workflow that worked on \(name(path)) has ended without a value. "
        + "Return a value, or throw an error that says why there is none."
    case .notCommitted(let workflow):
      "\(workflow) was not started: none of its steps has been committed. End each chain of steps with commit()."
    case .outsideTree(let workflow):
      "\(workflow) was not started: its item is in no tree, and no actor runs here. "
        + "Start it with an interactor that stands in a tree, or on an actor."
    }
  }

  /// What an item is called: by its path, unless it stands in no tree and is no interactor.
  private func name(_ path: TreePath) -> String { path.components.isEmpty ? "An item outside the tree" : "\(path)" }
}
