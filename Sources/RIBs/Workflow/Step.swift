// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A step of a workflow, to continue, fork or commit.
///
/// `Item` and `Value` are the result of the step: the item of the next step, and a value for it.
public struct Step<WorkflowItem, Item, Value> {
  @usableFromInline package let workflow: Workflow<WorkflowItem>
  let handle: StepHandle

  @usableFromInline
  init(workflow: Workflow<WorkflowItem>, node: StepNode) {
    self.workflow = workflow
    handle = node.handle ?? StepHandle(node, of: workflow)
  }

  /// Appends a step.
  ///
  /// - Parameters:
  ///   - timeout: how long the step may take once its item is active, on the tree's clock. Then it is cancelled, and its
  ///     chain ends with `WorkflowError.stepTimedOut`. Without a timeout there is no limit.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - onStep: called with the item and the value of this step when the item is active. It returns the item of the
  ///     next step with a value for it, or nil if there is no value, which is an error. It runs on the tree, and is
  ///     cancelled when the item resigns.
  /// - Returns: the new step.
  @inlinable
  public func onStep<NextItem, NextValue>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ onStep: nonisolated(nonsending) @escaping (Item, Value) async throws -> (NextItem, NextValue)?
  ) -> Step<WorkflowItem, NextItem, NextValue> {
    // Compiled into the program, which knows the types: looking them up at run time takes longer than the step.
    let body: StepNode.Body = { outcome, task in
      let outcome = TypedOutcome<Item, Value>.typed(outcome)
      let item = try await outcome.enter(task)
      guard let (next, value) = try await onStep(item, outcome.value) else { return nil }
      return TypedOutcome(next, value, in: task.scope)
    }
    return Step<WorkflowItem, NextItem, NextValue>(workflow: workflow, node: append(body, timeout, fileID, line))
  }

  @usableFromInline
  func append(
    _ body: @escaping StepNode.Body, _ timeout: Duration?, _ fileID: StaticString, _ line: UInt
  ) -> StepNode {
    workflow.makeStep(.work(body, timeout: timeout), fileID, line, after: handle)
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
    Step(workflow: workflow, node: workflow.makeStep(.handleErrors(onError), fileID, line, after: handle))
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
    defer { run.close() }
    guard let outcome = run.outcome(of: handle.node) else { throw CancellationError() }
    return TypedOutcome<Item, Value>.typed(outcome).value
  }
}

/// A step in the plan of a workflow, without its types.
@usableFromInline
final class StepNode {
  /// What a step does.
  enum Action {
    /// Nothing: all chains start here, as long as the workflow exists.
    case start
    /// Runs code of the program with the item, no longer than a time once the item is active.
    case work(Body, timeout: Duration?)
    /// Handles errors of the steps before it, and passes its input on.
    case handleErrors((any Error) -> Void)
  }

  /// Returns the outcome of a step; nil if it ended without a value.
  @usableFromInline typealias Body =
    nonisolated(nonsending) (_ outcome: StepOutcome, _ task: WorkflowTask) async throws -> StepOutcome?

  private let action: Action
  /// Where the step is declared.
  let origin: TaskOrigin
  /// The index of its outcome in each run of the workflow.
  let index: Int
  /// The step before, until this one is committed.
  private var previous: StepHandle?
  /// The handle through which the program holds this step, while it does.
  fileprivate(set) weak var handle: StepHandle?
  /// The committed steps that continue from here, in commit order.
  private(set) var next: [StepNode] = []

  init(_ action: Action, origin: TaskOrigin, index: Int, after previous: StepHandle?) {
    self.action = action
    self.origin = origin
    self.index = index
    self.previous = previous
  }

  /// Whether a chain can still be committed that continues from here.
  var canBeContinued: Bool { if case .start = action { true } else { handle != nil } }

  /// Whether this runs code of the program with its item.
  var doesWork: Bool { if case .work = action { true } else { false } }

  /// How long this may take once its item is active; nil for no limit.
  var timeout: Duration? { if case .work(_, let timeout) = action { timeout } else { nil } }

  /// The handler of errors of the steps before.
  var handler: ((any Error) -> Void)? { if case .handleErrors(let handler) = action { handler } else { nil } }

  /// Runs the step.
  ///
  /// - Returns: its outcome; nil if it ended without a value.
  nonisolated(nonsending) func perform(on outcome: StepOutcome, in task: WorkflowTask) async throws -> StepOutcome? {
    guard case .work(let body, _) = action else { return outcome }
    return try await body(outcome, task)
  }

  /// Adds this and the uncommitted steps before it to the plan.
  ///
  /// - Returns: the first new step, and the step that it continues from; nil if none is new.
  func commit() -> (first: StepNode, anchor: StepNode)? {
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

/// The outcome of a workflow step, without its types.
@usableFromInline
class StepOutcome {
  /// The scope of the next step: that of its item once active, if the item is an interactor; otherwise the scope that
  /// produced this outcome.
  final var scope: ScopedWork?
  private final var holding = Holding.item
  /// The type that the interactor's RIB is named after.
  private final var namingType: (any AnyObject.Type)?

  private enum Holding {
    case item
    /// An interactor that is or was active. It lives at least as long as its scope.
    case scope
    case weakly(WeakScope)
  }

  private final class WeakScope {
    weak var scope: (any InteractorScope)?
    let path: TreePath

    init(_ scope: any InteractorScope) {
      self.scope = scope
      path = TreePath(of: scope)
    }
  }

  @usableFromInline
  init(scope: ScopedWork?) { self.scope = scope }

  /// The item that is held, if it has an activity to wait for.
  var heldScope: (any InteractorScope)? { nil }

  /// Releases the item that is held.
  func dropItem() {}

  /// The item, while it is alive and has an activity to wait for.
  @usableFromInline final var awaited: (any InteractorScope)? {
    switch holding {
    case .item: heldScope
    case .scope: scope?.interactor
    case .weakly(let weak): weak.scope
    }
  }

  /// The path of the item, as far as it is known.
  final var path: TreePath {
    if let awaited { return TreePath(of: awaited) }
    if case .weakly(let weak) = holding { return weak.path }
    return TreePath(namingType.map { [$0] } ?? [])
  }

  /// The error for an item that is no longer available.
  @usableFromInline final var lost: WorkflowError {
    if case .weakly = holding { .itemGone(path) } else { .itemResigned(path) }
  }

  /// Whether the next step can run now.
  final var isReady: Bool {
    guard let awaited else { return scope?.hasEnded != true }
    return (awaited as? Interactor)?.acceptsTasks ?? awaited.isActive
  }

  /// Releases an item that lives in a tree or is not yet active: a workflow does not keep it alive.
  final func releaseItem() {
    guard case .item = holding, let awaited else { return }
    if let interactor = awaited as? Interactor, interactor.acceptsTasks {
      hold(interactor)
    } else if awaited is Interactor || !awaited.isActive {
      holding = .weakly(WeakScope(awaited))
    } else {
      return
    }
    dropItem()
  }

  /// Moves a task to the scope of the item.
  ///
  /// - Parameter item: the item, if it has an activity to wait for.
  /// - Returns: whether the item is held by its scope from now on; nil if it is not active.
  @usableFromInline
  final func admit(_ task: WorkflowTask, to item: (any InteractorScope)?) -> Bool? {
    guard let item else { return false }
    if let interactor = item as? Interactor {
      guard interactor.acceptsTasks else { return nil }
      hold(interactor)
      if let scope { task.move(to: scope) }
      return true
    }
    guard item.isActive else { return nil }
    task.watch(item)
    return false
  }

  /// Replaces a strong reference to an active interactor by its scope.
  private func hold(_ interactor: Interactor) {
    scope = interactor.openWork()
    namingType = interactor.node?.namingType ?? type(of: interactor)
    holding = .scope
  }
}

extension TreePath {
  /// The path of a workflow item.
  init(of item: any InteractorScope) {
    self = (item as? Interactor)?.node?.path ?? TreePath([type(of: item)])
  }
}

/// The outcome of a step: the item of the next step, and a value for it.
@usableFromInline
final class TypedOutcome<Item, Value>: StepOutcome {
  /// The outcome of the step before, which has these types because the chain was built with them.
  @inlinable
  static func typed(_ outcome: StepOutcome) -> TypedOutcome { unsafeDowncast(outcome, to: TypedOutcome.self) }

  @usableFromInline let value: Value
  /// Nil once the item is held by its scope, or weakly.
  @usableFromInline var item: Item?

  @inlinable
  init(_ item: Item, _ value: Value, in scope: ScopedWork?) {
    self.item = item
    self.value = value
    super.init(scope: scope)
  }

  @inlinable
  static func scope(of item: Item) -> (any InteractorScope)? {
    (item as? Interactor) ?? (item as? any InteractorScope)
  }

  override var heldScope: (any InteractorScope)? { item.flatMap(TypedOutcome.scope) }

  override func dropItem() {
    let dropped = item
    item = nil
    withExtendedLifetime(dropped) {}
  }

  /// Waits until the item is active, and moves a task to its scope.
  ///
  /// - Throws: `WorkflowError` if the item was released, or its scope has ended; the reason why the chain can't continue.
  @inlinable
  nonisolated(nonsending) func enter(_ task: WorkflowTask) async throws -> Item {
    while true {
      try task.checkEntry()
      if let item = try admit(task) {
        try task.didEnter(self)
        return item
      }
      try await task.wait(for: self)
    }
  }

  /// - Returns: nil if the item is not active.
  @inlinable
  func admit(_ task: WorkflowTask) throws -> Item? {
    guard let item = item ?? awaited as? Item else { throw lost }
    guard let isHeldByScope = admit(task, to: TypedOutcome.scope(of: item)) else { return nil }
    if isHeldByScope { self.item = nil }
    return item
  }
}

extension Interactor {
  /// Whether work can be bound to this now.
  package var acceptsTasks: Bool { taskRefusal == nil }
}
