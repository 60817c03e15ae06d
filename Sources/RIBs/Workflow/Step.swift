/// A step of a workflow, to go on from, to fork, or to commit.
///
/// `Item` and `Value` are what the step ends with: the item of the next step, and a value for it.
public struct Step<WorkflowItem, Item, Value> {
  package let workflow: Workflow<WorkflowItem>
  let handle: StepHandle

  init(workflow: Workflow<WorkflowItem>, node: StepNode) {
    self.workflow = workflow
    handle = node.handle ?? StepHandle(node, of: workflow)
  }

  /// Goes on with another step.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the step was written, with `line`.
  ///   - line: leave out.
  ///   - onStep: receives the item and the value that this step ended with, when the item is active. It returns the item
  ///     of the next step with a value for it, or nil if there is no value, which is an error. It runs on the tree, and is
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

  /// Takes care of errors of this step and those before it.
  ///
  /// The handler changes nothing about the end of the chain, but the error does not reach `didFail(_:of:)` of an interactor
  /// any more. It concerns what goes on from the step that is returned, and no other fork.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the handler was written, with `line`.
  ///   - line: leave out.
  ///   - onError: called on the tree with what a step threw, or a `WorkflowError`.
  /// - Returns: a step that ends with the same item and value.
  public func onError(
    fileID: StaticString = #fileID, line: UInt = #line, _ onError: @escaping (any Error) -> Void
  ) -> Step<WorkflowItem, Item, Value> {
    let origin = TaskOrigin(fileID: fileID, line: line, workflow: type(of: workflow))
    let new = workflow.makeStep { HandlingStep(origin: origin, index: $0, after: handle, onError) }
    return Step(workflow: workflow, node: new)
  }

  /// Says that another chain goes on from this step, which tells the workflow's `didFork()`.
  ///
  /// ```swift
  /// let login = workflow.onStep { root in await root.waitForLogin().first() }
  /// login.fork().onStep { loggedIn, _ in await loggedIn.openRide(id).first() }.commit()
  /// login.fork().onStep { loggedIn, _ in await loggedIn.showNews().first() }.commit()
  /// ```
  ///
  /// - Returns: this step. It is done once, whatever goes on from it.
  public func fork() -> Step<WorkflowItem, Item, Value> {
    workflow.didFork()
    return self
  }

  /// Makes this chain a part of the workflow. Chains that were not committed don't run.
  ///
  /// If the workflow is under way, the chain runs at once from where it forks off, or as soon as the workflow gets there.
  ///
  /// - Returns: the workflow, to be started.
  @discardableResult
  public func commit() -> Workflow<WorkflowItem> {
    workflow.commit(handle.node)
    return workflow
  }

  /// Commits this chain, starts the workflow, and returns the value of this step when all chains have ended.
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
  ///   - item: what the first steps work on.
  ///   - fileID: leave out; says where the workflow was started, with `line`.
  ///   - line: leave out.
  /// - Throws: the error that ended this chain, a `WorkflowError` if nothing could be started, or a `CancellationError`
  ///   when the calling task is cancelled, which cancels the workflow. Errors of other chains are theirs.
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

/// A step in the plan of a workflow, without its types. By itself it passes on what it is given, as the beginning does.
class StepNode {
  /// Where the step was written.
  final let origin: TaskOrigin
  /// The place of its outcome in each run of the workflow.
  final let index: Int
  /// The step before, until this has been committed.
  final private var previous: StepHandle?
  /// What the program holds this step by, while it does.
  final fileprivate(set) weak var handle: StepHandle?
  /// The committed steps that go on from here, in the order in which they were committed.
  final private(set) var next: [StepNode] = []

  init(origin: TaskOrigin, index: Int, after previous: StepHandle?) {
    self.origin = origin
    self.index = index
    self.previous = previous
  }

  /// Whether a chain can still be committed that continues from here.
  var canBeContinued: Bool { handle != nil }

  /// Whether this does something with its item.
  var doesWork: Bool { false }

  /// Is told of errors of the steps before this.
  var handler: ((any Error) -> Void)? { nil }

  /// Does the step.
  ///
  /// - Returns: what it has produced; nil if it has ended without a value.
  nonisolated(nonsending) func perform(on outcome: StepOutcome, in task: WorkflowTask) async throws -> StepOutcome? {
    outcome
  }

  /// Makes this and the steps before it a part of the plan.
  ///
  /// - Returns: the first step that is new, and the one that it goes on from; nil if none is new.
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

/// What a program holds a step by, to continue from it: shared by the copies of a `Step`, and by the steps after it that have
/// not been committed. When it goes, no run has to keep what the step has produced.
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

/// The beginning of all chains. A chain can be begun as long as there is the workflow.
final class FirstStep: StepNode {
  override var canBeContinued: Bool { true }
}

/// A step that does something with its item.
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

/// A place in a chain that is told of errors of the steps before it.
final class HandlingStep: StepNode {
  private let errorHandler: (any Error) -> Void

  init(origin: TaskOrigin, index: Int, after previous: StepHandle, _ handle: @escaping (any Error) -> Void) {
    errorHandler = handle
    super.init(origin: origin, index: index, after: previous)
  }

  override var handler: ((any Error) -> Void)? { errorHandler }
}
