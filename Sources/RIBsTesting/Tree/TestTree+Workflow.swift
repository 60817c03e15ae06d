// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TestTree {
  /// Starts a workflow. It runs when the test lets the tree run.
  ///
  /// The item may be an interactor of the tree, or a double such as an `InteractableDouble`, whose `activate()`
  /// starts the next step: use it to test a workflow step by step. Without a tree, a RIB named `Scope` is launched.
  ///
  /// Do not use `run(_:)` of a workflow in a test: it would wait for a tree that waits for the test.
  ///
  /// - Parameters:
  ///   - workflow: the workflow, with its chains committed.
  ///   - item: the item of its first steps.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  /// - Returns: the subscription, which cancels the workflow.
  @discardableResult
  public func start<Item>(
    _ workflow: Workflow<Item>, with item: Item,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> any Disposable {
    if tree == nil {
      launch(interactor: ScopeInteractor(), fileID: fileID, filePath: filePath, line: line, column: column)
    }
    guard let tree else { return Disposables.create() }
    return workflow.subscribe(item, in: tree.core, fileID: fileID, line: line)
  }

  /// Commits and starts a chain of steps, and records its result.
  ///
  /// ```swift
  /// let ride = test.start(RootWorkflow().onStep { root in await root.openRide(7).first() }, with: root)
  /// test.settle()
  /// #expect(ride.value == 7)
  /// ```
  ///
  /// - Parameters:
  ///   - step: the last step of the chain.
  ///   - item: the item of the first step.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  /// - Returns: the recorder of the last step's result.
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

/// The recorded result of a workflow step.
public final class StepRecorder<Value> {
  /// The value; nil until the step has ended.
  public fileprivate(set) var value: Value?
  /// The error that ended the chain.
  public fileprivate(set) var failure: (any Error)?
}
