/// A step of a workflow, to continue, fork or commit.
///
/// `Item` and `Value` are the result of the step: the item of the next step, and a value for it.
public struct Step<WorkflowItem, Item, Value> {
  package let workflow: Workflow<WorkflowItem>
  let handle: StepHandle

  init(workflow: Workflow<WorkflowItem>, node: StepNode) {
    self.workflow = workflow
    handle = node.handle ?? StepHandle(node, of: workflow)
  }

  /// Appends a step.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - onStep: called with the item and the value of this step when the item is active. It returns the item of the
  ///     next step with a value for it, or nil if there is no value, which is an error. It runs on the tree, and is
  ///     cancelled when the item resigns.
  /// - Returns: the new step.
  public func onStep<NextItem, NextValue>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onStep: nonisolated(nonsending) @escaping (Item, Value) async throws -> (NextItem, NextValue)?
  ) -> Step<WorkflowItem, NextItem, NextValue> {
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: workflow))
    let new = workflow.makeStep { WorkingStep(origin: origin, index: $0, after: handle, onStep) }
    return Step<WorkflowItem, NextItem, NextValue>(workflow: workflow, node: new)
  }

  /// Handles errors of this step and the steps before it.
  ///
  /// The handler does not change how the chain ends, but a handled error does not reach `didFail(_:of:)` of an
  /// interactor. It applies to chains that continue from the returned step, not to other forks.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - onError: called on the tree with the error that a step threw, or a `WorkflowError`.
  /// - Returns: a step with the same item and value.
  public func onError(
    fileID: StaticString = #fileID, line: UInt = #line, _ onError: @escaping (any Error) -> Void
  ) -> Step<WorkflowItem, Item, Value> {
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: workflow))
    let new = workflow.makeStep { HandlingStep(origin: origin, index: $0, after: handle, onError) }
    return Step(workflow: workflow, node: new)
  }

  /// Starts another chain from this step, and calls the workflow's `didFork()`.
  ///
  /// ```swift
  /// let login = workflow.onStep { root in await root.waitForLogin().first() }
  /// login.fork().onStep { loggedIn, _ in await loggedIn.openRide(id).first() }.commit()
  /// login.fork().onStep { loggedIn, _ in await loggedIn.showNews().first() }.commit()
  /// ```
  ///
  /// - Returns: this step. It runs once, however many chains continue from it.
  public func fork() -> Step<WorkflowItem, Item, Value> {
    workflow.didFork()
    return self
  }

  /// Adds this chain to the workflow. Chains that are not committed don't run.
  ///
  /// If the workflow is running, the chain starts at once if its last common step has completed, otherwise when it
  /// completes.
  ///
  /// - Returns: the workflow, to be started.
  @discardableResult
  public func commit() -> Workflow<WorkflowItem> {
    workflow.commit(handle.node)
    return workflow
  }

  /// Commits this chain, runs the workflow, and returns the value of this step when all chains have ended.
  ///
  /// ```swift
  /// task {
  ///   let quote = try await Workflow<any RootActionableItem>()
  ///     .onStep { root in await root.waitForLogin().first() }
  ///     .onStep { loggedIn, _ in await loggedIn.quote().first() }
  ///     .run(self.rootInteractor)
  ///   self.show(quote)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - item: the item of the first steps.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  /// - Throws: the error that ended this chain, a `WorkflowError` if the workflow could not start, or a
  ///   `CancellationError` when the calling task is cancelled, which cancels the workflow. Errors of other chains are
  ///   not thrown.
  public nonisolated(nonsending) func run(
    _ item: WorkflowItem, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    commit()
    let run = try await workflow.run(
      item, to: handle.node, TaskOrigin(fileID: fileID, line: line, workflow: type(of: workflow)))
    guard let outcome = run.outcome(of: handle.node) else { throw CancellationError() }
    return unsafeDowncast(outcome, to: Outcome<Item, Value>.self).value
  }
}

/// A step in the plan of a workflow, without its types. The base class passes its input on, as the first step does.
class StepNode {
  /// Where the step is declared.
  final let origin: TaskOrigin
  /// The index of its outcome in each run of the workflow.
  final let index: Int
  /// The step before, until this one is committed.
  final private var previous: StepHandle?
  /// The handle through which the program holds this step, while it does.
  final fileprivate(set) weak var handle: StepHandle?
  /// The committed steps that continue from here, in commit order.
  final private(set) var next: [StepNode] = []

  init(origin: TaskOrigin, index: Int, after previous: StepHandle?) {
    self.origin = origin
    self.index = index
    self.previous = previous
  }

  /// Whether a chain can still be committed that continues from here.
  var canBeContinued: Bool { handle != nil }

  /// Whether this runs user code with its item.
  var doesWork: Bool { false }

  /// The handler of errors of the steps before.
  var handler: ((any Error) -> Void)? { nil }

  /// Runs the step.
  ///
  /// - Returns: its outcome; nil if it ended without a value.
  nonisolated(nonsending) func perform(on outcome: StepOutcome, in task: WorkflowTask) async throws -> StepOutcome? {
    outcome
  }

  /// Adds this and the uncommitted steps before it to the plan.
  ///
  /// - Returns: the first new step, and the step that it continues from; nil if none is new.
  final func commit() -> (first: StepNode, anchor: StepNode)? {
    var node = self
    var new: (first: StepNode, anchor: StepNode)?
    while let previous = node.previous {
      previous.node.next.append(node)
      node.previous = nil
      new = (node, previous.node)
      node = previous.node
    }
    return new
  }
}

/// The program's reference to a step, shared by copies of a `Step` and by uncommitted steps after it. When it is
/// released, runs discard the step's outcome.
final class StepHandle {
  let node: StepNode
  private weak var workflow: (any WorkflowHooks)?

  init(_ node: StepNode, of workflow: any WorkflowHooks) {
    self.node = node
    self.workflow = workflow
    node.handle = self
  }

  deinit { workflow?.didRelease(node) }
}

/// The start of all chains. Chains can be started as long as the workflow exists.
final class FirstStep: StepNode {
  override var canBeContinued: Bool { true }
}

/// A step that runs user code with its item.
final class WorkingStep<Item, Value, NextItem, NextValue>: StepNode {
  typealias Body = nonisolated(nonsending) (Item, Value) async throws -> (NextItem, NextValue)?

  private let body: Body

  init(origin: TaskOrigin, index: Int, after previous: StepHandle, _ body: @escaping Body) {
    self.body = body
    super.init(origin: origin, index: index, after: previous)
  }

  override var doesWork: Bool { true }

  override nonisolated(nonsending) func perform(
    on outcome: StepOutcome, in task: WorkflowTask
  ) async throws -> StepOutcome? {
    let outcome = unsafeDowncast(outcome, to: Outcome<Item, Value>.self)
    guard let (item, value) = try await body(task.enter(outcome), outcome.value) else { return nil }
    return Outcome(item, value, in: task.scope)
  }
}

/// A point in a chain that handles errors of the steps before it.
final class HandlingStep: StepNode {
  private let errorHandler: (any Error) -> Void

  init(origin: TaskOrigin, index: Int, after previous: StepHandle, _ handle: @escaping (any Error) -> Void) {
    errorHandler = handle
    super.init(origin: origin, index: index, after: previous)
  }

  override var handler: ((any Error) -> Void)? { errorHandler }
}
