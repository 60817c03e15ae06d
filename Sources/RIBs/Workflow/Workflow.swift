// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A chain of steps through several RIBs, for deep links, commands and session recovery.
///
/// Each step works on an *actionable item*, usually an interactor behind a protocol of its actions. A step returns
/// the item of the next step and a value for it:
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
/// Here the methods of the items return streams, and a step's result is the first value; a stream that completes
/// without a value is an error. A step can do everything that bound work can:
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
/// ## Scheduling and scopes
///
/// Steps run on the tree, as bound work does. A step starts when its item is active; it waits at most for the
/// workflow's timeout, and does not keep the item alive meanwhile. A step belongs to the scope of its item, like a
/// `task` of the item: when the item resigns, the step is cancelled, even just before it starts, and the chain ends
/// with `WorkflowError.itemResigned`. An item that is not an interactor counts as active, and its step runs in the
/// scope of the step before. Steps that do not suspend, and whose items are active, run one after another in one turn of
/// the tree.
///
/// ## Forks
///
/// A step kept in a constant can be continued more than once. The step runs once; its continuations run concurrently.
/// A chain can be committed after the workflow has started, even if the step it continues from has completed, as long
/// as the item of that step has not resigned. If all chains have ended by then, the scope that the subscription was bound
/// to may have released it: keep the subscription, and dispose of it to cancel a chain that is committed so late.
///
/// A step that captures its own workflow strongly creates a reference cycle. Use the item, or capture `self` weakly.
/// Leak detection reports a workflow that is still alive some time after it was done.
///
/// A workflow can be started any number of times: each `subscribe` and `run` runs all steps again. To share a chain
/// of first steps among workflows, write it as a method in an extension of `Workflow`.
///
/// ## Errors
///
/// An error ends its chain and all continuations of the failed step; other forks continue. It is passed to the
/// `onError(_:)` handlers after it in the chain, to `didReceiveError(_:)`, and to the events of the tree. If no
/// handler takes it, and no `run(_:)` waits for it, it is passed to `didFail(_:of:)` of the interactor in whose scope
/// the step ran.
open class Workflow<Item>: WorkflowHooks {
  private let beginning: StepNode
  private let timeout: Duration?
  private var stepCount = 1
  /// Runs in progress, and those completed since the last start.
  private var runs: [WorkflowRun] = []

  /// Creates a workflow without steps.
  ///
  /// - Parameter timeout: how long a step waits for its item to become active, on the tree's clock; no limit if nil.
  public init(timeout: Duration? = .seconds(30)) {
    self.timeout = timeout
    beginning = StepNode(.start, origin: TaskOrigin(fileID: #fileID, line: #line), index: 0, after: nil)
  }

  deinit {
    // A run held elsewhere, to dispose of it, then retains nothing else.
    for run in runs { run.dispose() }
  }

  /// Whether the program keeps this workflow on purpose when it is done, to start it again. Leak detection then does not
  /// report it. The default is false.
  public final var isKeptWhenDone = false

  /// How often this was started.
  private(set) final var runCount: UInt32 = 0

  /// Called on the tree once for each start of the workflow, when all chains have ended and at least one has
  /// succeeded. Chains committed later don't change that. Not called after disposal.
  open func didComplete() {}

  /// Called when `fork()` is called on one of the workflow's steps.
  open func didFork() {}

  /// Called on the tree with each error that ends a step, after the `onError(_:)` handlers.
  ///
  /// - Parameter error: the error that the step threw, or a `WorkflowError`.
  open func didReceiveError(_ error: any Error) {}

  // MARK: Steps

  /// Starts a chain of steps.
  ///
  /// - Parameters:
  ///   - timeout: how long the step may take once its item is active, on the tree's clock. Then it is cancelled, and its
  ///     chain ends with `WorkflowError.stepTimedOut`. Without a timeout there is no limit.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - onStep: called with the item that the workflow is started with, when it is active. It returns the item of
  ///     the next step with a value for it, or nil if there is no value, which is an error. It runs on the tree, and
  ///     is cancelled when the item resigns.
  /// - Returns: the step, to continue or to commit.
  @inlinable
  public final func onStep<NextItem, NextValue>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ onStep: nonisolated(nonsending) @escaping (Item) async throws -> (NextItem, NextValue)?
  ) -> Step<Item, NextItem, NextValue> {
    start.onStep(timeout: timeout, fileID: fileID, line: line) { item, _ in try await onStep(item) }
  }

  @usableFromInline final var start: Step<Item, Item, Void> { Step(workflow: self, node: beginning) }

  final func makeStep(
    _ action: StepNode.Action, _ fileID: StaticString, _ line: UInt, after previous: StepHandle
  ) -> StepNode {
    defer { stepCount += 1 }
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: self))
    return StepNode(action, origin: origin, index: stepCount, after: previous)
  }

  func didRelease(_ step: StepNode) { for run in runs { run.discardOutcome(of: step) } }

  func commit(_ last: StepNode) {
    guard let (first, anchor) = last.commit() else { return }
    for run in runs { run.beginCommitted(first, after: anchor, of: self) }
  }

  // MARK: Starting

  /// Starts the workflow in the tree of its item.
  ///
  /// The first steps run after this call has returned, when the item is active. If no step was committed, or if the
  /// item is in no tree, nothing is started and misuse is reported.
  ///
  /// ```swift
  /// RideWorkflow(ride: id)
  ///   .subscribe(rootInteractor)
  ///   .disposeOnDeactivate(interactor: self)
  /// ```
  ///
  /// - Parameters:
  ///   - item: the item of the first steps.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  /// - Returns: the subscription, which cancels the workflow when it is disposed of; hooks and handlers are not
  ///   called then. If it is discarded, the workflow runs until it ends, or until the scopes of its steps end.
  public final func subscribe(
    _ item: Item, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    subscribe(item, on: nil, TaskOrigin(fileID: fileID, line: line, workflow: type(of: self)))
  }

  /// Starts the workflow on the calling actor, even with an item that is in no tree.
  ///
  /// It compiles only in code that is isolated to an actor, because the steps use the item, the workflow and what they
  /// capture on that actor until they end:
  ///
  /// ```swift
  /// @MainActor func open(_ workflow: Workflow<Void>) -> any Disposable {
  ///   workflow.subscribe((), isolation: #isolation)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: the item of the first steps. If it is in a tree, that tree is on the calling actor.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - isolation: the calling actor.
  /// - Returns: the subscription, as for the form without an actor.
  public final func subscribe(
    _ item: Item, fileID: StaticString = #fileID, line: UInt = #line, isolation: isolated any Actor
  ) -> any Disposable {
    subscribe(
      item, on: actorIfAny(isolation), TaskOrigin(fileID: fileID, line: line, workflow: type(of: self)))
  }

  private func subscribe(_ item: Item, on actor: (any Actor)?, _ origin: TaskOrigin) -> any Disposable {
    do {
      let run = try makeRun(for: item, origin, on: actor)
      start(run, with: item)
      return run
    } catch {
      report(error, item)
      return EmptyDisposable()
    }
  }

  /// Starts the workflow in a tree, even with an item that is in none.
  package final func subscribe(_ item: Item, in tree: TreeCore?, fileID: StaticString, line: UInt) -> any Disposable {
    guard let tree, !beginning.next.isEmpty else {
      return subscribe(item, fileID: fileID, line: line)
    }
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: self))
    let run = WorkflowRun(in: tree, timeout: timeout, origin: origin)
    start(run, with: item)
    return run
  }

  /// Runs the workflow, and returns when all chains have ended.
  ///
  /// ```swift
  /// task {
  ///   try await RideWorkflow(ride: self.id).run(self.rootInteractor)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: the item of the first steps.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  /// - Throws: the first error that ended a chain, a `WorkflowError` if the workflow could not start, or a
  ///   `CancellationError` when the calling task is cancelled, which cancels the workflow.
  public nonisolated(nonsending) final func run(
    _ item: Item, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await run(item, to: nil, TaskOrigin(fileID: fileID, line: line, workflow: type(of: self))).close()
  }

  /// - Parameter step: the last step of the chain that must succeed; nil for all chains.
  nonisolated(nonsending) final func run(
    _ item: Item, to step: StepNode?, _ origin: TaskOrigin
  ) async throws -> WorkflowRun {
    let run = try makeRun(for: item, origin, on: #isolation)
    let ended = run.expectWaiter(for: step)
    start(run, with: item)
    _ = try? await ended.valueUnlessCancelled()
    // The calling task may have been cancelled. Return only when no step uses the item any more.
    let hasCompleted = run.hasCompleted
    if !hasCompleted { run.dispose() }
    await run.waitForLastEnd()
    if let failure = run.failure {
      run.close()
      throw failure
    }
    guard hasCompleted else { throw CancellationError() }
    return run
  }

  private func makeRun(for item: Item, _ origin: TaskOrigin, on actor: (any Actor)?) throws -> WorkflowRun {
    guard !beginning.next.isEmpty else { throw WorkflowError.notCommitted(workflow: "\(type(of: self))") }
    if let tree = (item as? Interactor)?.node?.nearestTree {
      tree.checkIsolation()
      // The tree may be ending because its actor is being released; nothing can be started on it then.
      guard tree.canStartWork else { throw TreeEnded() }
      return WorkflowRun(in: tree, timeout: timeout, origin: origin)
    }
    guard let actor else { throw WorkflowError.outsideTree(workflow: "\(type(of: self))") }
    let activity = TreeActivity()
    let starter = TaskStarter(on: actor, HomeExecutor(actor: actor, activity), activity)
    return WorkflowRun(on: actor, starter, timeout: timeout, origin: origin)
  }

  private func start(_ run: WorkflowRun, with item: Item) {
    // Released outside the access: outcomes of an ended run may use the workflow when they are released.
    let previous = runs
    runs = previous.filter { !$0.hasEnded } + [run]
    runCount &+= 1
    defer { withExtendedLifetime(previous) {} }
    let outcome = TypedOutcome(item, (), in: nil)
    run.keep(outcome, of: beginning)
    for step in beginning.next { run.begin(step, on: outcome, of: self) }
  }

  private func report(_ error: any Error, _ item: Item) {
    let problem: Misuse.Problem =
      switch error {
      case WorkflowError.notCommitted:
        .error(
          .workflowWithoutSteps, "\(type(of: self)) was not started: none of its steps has been committed.",
          advice: "End each chain of steps with commit().")
      case is TreeEnded: .taskWhileInactive
      default:
        .warning(
          .taskOutsideTree,
          "\(type(of: self)) was not started: its item is in no tree, and it was started on no actor.",
          advice: "Start it with an interactor that is in a tree, or with subscribe(_:isolation:) on an actor.")
      }
    if let interactor = item as? Interactor {
      interactor.report(problem)
    } else {
      MisuseHandling.report(problem, path: TreePath(), to: nil)
    }
  }
}

/// The notifications that a run sends to its workflow.
protocol WorkflowHooks: LeakSuspect {
  func didComplete()
  func didReceiveError(_ error: any Error)

  /// Called when no chain can be committed any more that continues from a step.
  func didRelease(_ step: StepNode)
}

/// An error of the workflow itself, as opposed to one that a step threw.
public enum WorkflowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The RIB that a step worked on resigned before the step ended. The step was cancelled.
  case itemResigned(TreePath)
  /// The RIB of a step did not become active within the timeout.
  case timedOut(TreePath, after: Duration)
  /// A step that worked on the RIB took longer than its timeout. The step was cancelled.
  case stepTimedOut(TreePath, after: Duration)
  /// The RIB of a step was released before it became active.
  case itemGone(TreePath)
  /// A step that worked on the RIB ended without a value.
  case noValue(TreePath)
  /// None of the workflow's steps was committed.
  case notCommitted(workflow: String)
  /// The workflow's item is in no tree, and the workflow was started on no actor.
  case outsideTree(workflow: String)

  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .itemResigned(let path):
      "\(name(path)) resigned while a step of a workflow worked on it. "
        + "A RIB that stays attached, such as the parent, must run a step that ends another."
    case .timedOut(let path, let timeout):
      "\(name(path)) was not active within \(timeout), so that a step of a workflow could not work on it. "
        + "Attach it before the step before returns it, or give the workflow more time."
    case .stepTimedOut(let path, let timeout):
      "A step of a workflow that worked on \(name(path)) took longer than \(timeout). "
        + "Give the step a longer timeout, or find out what it waits for."
    case .itemGone(let path):
      "\(name(path)) was released before it became active, so that a step of a workflow could not work on it. "
        + "Attach it before the step before returns it."
    case .noValue(let path):
      "A step of a workflow that worked on \(name(path)) has ended without a value. "
        + "Return a value, or throw an error that says why there is none."
    case .notCommitted(let workflow):
      "\(workflow) was not started: none of its steps has been committed. End each chain of steps with commit()."
    case .outsideTree(let workflow):
      "\(workflow) was not started: its item is in no tree, and it was started on no actor. "
        + "Start it with an interactor that is in a tree, or with subscribe(_:isolation:) on an actor."
    }
  }

  /// The name of an item: its path, or a placeholder for an item that is in no tree and is not an interactor.
  private func name(_ path: TreePath) -> String { path.components.isEmpty ? "An item outside the tree" : "\(path)" }
}
