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
