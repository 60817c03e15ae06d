public import RIBs

extension TestTree {
  /// Starts a workflow, which goes on when the test lets the tree do something.
  ///
  /// The item may be an interactor of the tree, or a double such as an `InteractableDouble`, whose `activate()` lets the
  /// next step begin: this is how a workflow is tested step by step. Without a tree, a RIB named `Scope` is launched.
  ///
  /// `run(_:)` of a workflow is not for tests: it would wait for a tree that waits for the test.
  ///
  /// - Parameters:
  ///   - workflow: the workflow, with its chains committed.
  ///   - item: what its first steps work on.
  ///   - fileID: leave out; says where the workflow was started, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  /// - Returns: what cancels the workflow.
  @discardableResult
  public func start<Item>(
    _ workflow: Workflow<Item>, with item: Item,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    if tree == nil {
      launch(interactor: ScopeInteractor(), fileID: fileID, filePath: filePath, line: line, column: column)
    }
    guard let tree else { return Disposables.create() }
    return workflow.subscribe(item, in: tree, fileID: fileID, line: line)
  }

  /// Commits and starts a chain of steps, and keeps what comes of it.
  ///
  /// ```swift
  /// let ride = test.start(RootWorkflow().onStep { root in await root.openRide(7).first() }, with: root)
  /// test.settle()
  /// #expect(ride.value == 7)
  /// ```
  ///
  /// - Parameters:
  ///   - step: the last step of the chain.
  ///   - item: what the first step works on.
  ///   - fileID: leave out; says where the workflow was started, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  /// - Returns: what the step ends with, when the test has let it get there.
  public func start<WorkflowItem, Item, Value>(
    _ step: Step<WorkflowItem, Item, Value>, with item: WorkflowItem,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StepRecorder<Value> {
    let recorder = StepRecorder<Value>()
    let workflow =
      step
      .onError { error in recorder.failure = error }
      .onStep { item, value in
        recorder.value = value
        return (item, ())
      }
      .commit()
    start(workflow, with: item, fileID: fileID, filePath: filePath, line: line, column: column)
    return recorder
  }
}

/// What a step of a workflow has ended with.
public final class StepRecorder<Value> {
  /// The value; nil until the step has ended.
  public fileprivate(set) var value: Value?
  /// The error that ended the step, or one before it.
  public fileprivate(set) var failure: (any Error)?
}
