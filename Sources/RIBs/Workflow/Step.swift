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
