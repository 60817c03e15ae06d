/// A step in the plan of a workflow, without its types. By itself it passes on what it is given, as the beginning does.
class StepNode {
  /// Where the step was written.
  final let origin: TaskOrigin
  /// The place of its outcome in each run of the workflow.
  final let index: Int
  /// The step before, until this has been committed.
  final private var previous: StepNode?
  /// The committed steps that go on from here, in the order in which they were committed.
  final private(set) var next: [StepNode] = []

  init(origin: TaskOrigin, index: Int, after previous: StepNode?) {
    self.origin = origin
    self.index = index
    self.previous = previous
  }

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
      previous.next.append(node)
      node.previous = nil
      new = (node, previous)
      node = previous
    }
    return new
  }
}

/// A step that does something with its item.
final class WorkingStep<Item, Value, NextItem, NextValue>: StepNode {
  typealias Body = nonisolated(nonsending) (Item, Value) async throws -> (NextItem, NextValue)?

  private let body: Body

  init(origin: TaskOrigin, index: Int, after previous: StepNode, _ body: @escaping Body) {
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
  private let handle: (any Error) -> Void

  init(origin: TaskOrigin, index: Int, after previous: StepNode, _ handle: @escaping (any Error) -> Void) {
    self.handle = handle
    super.init(origin: origin, index: index, after: previous)
  }

  override var handler: ((any Error) -> Void)? { handle }
}
