// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

// The forms of steps and forks in uber/RIBs-iOS.
//
// A long chain in one expression, of closures without types that calculate (`.onStep { item, n in (item, n + 1) }`), takes
// the compiler too long in a file that imports this module, because `onStep` is overloaded here. Chains of closures that
// call methods of their items don't.

extension Workflow {
  /// Starts a chain with a step that waits for the first value of a stream, as in uber/RIBs-iOS.
  ///
  /// The step ends with that value. A stream that completes without one is an error, `WorkflowError.noValue`; there, the
  /// workflow completes. The subscription is disposed of when the step ends, and when the item resigns.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for the value once the item is active. Without it there is no limit.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - onStep: called with the item that the workflow is started with, when it is active. It returns a stream of the
  ///     item of the next step, with a value for it.
  /// - Returns: the step, to continue or to commit.
  public func onStep<NextItem, NextValue>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ onStep: @escaping (Item) -> Observable<(NextItem, NextValue)>
  ) -> Step<Item, NextItem, NextValue> {
    self.onStep(timeout: timeout, fileID: fileID, line: line) { item in await onStep(item).first() }
  }
}

extension Step {
  /// Appends a step that waits for the first value of a stream, as in uber/RIBs-iOS.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for the value once the item is active. Without it there is no limit.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - onStep: called with the item and the value of this step when the item is active. It returns a stream of the
  ///     item of the next step, with a value for it.
  /// - Returns: the new step.
  public func onStep<NextItem, NextValue>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ onStep: @escaping (Item, Value) -> Observable<(NextItem, NextValue)>
  ) -> Step<WorkflowItem, NextItem, NextValue> {
    self.onStep(timeout: timeout, fileID: fileID, line: line) { item, value in await onStep(item, value).first() }
  }

  /// This step, so that `step.asObservable().fork(workflow)` compiles. It is not a stream: the workflow runs its steps.
  public func asObservable() -> Step<WorkflowItem, Item, Value> { self }

  /// Starts another chain from this step. As in uber/RIBs-iOS, where the result is nil for streams of other values.
  ///
  /// - Parameter workflow: the workflow of this step.
  public func fork(_ workflow: Workflow<WorkflowItem>) -> Step<WorkflowItem, Item, Value>? { fork() }
}

extension ObservableType {
  /// Starts a chain from the first value of a stream: an item with a value for its step.
  ///
  /// As in uber/RIBs-iOS, except that the stream is subscribed to when the workflow is started and its first item is
  /// active, once for each start.
  ///
  /// - Parameter workflow: the workflow that the chain belongs to.
  /// - Returns: the step, to continue or to commit; never nil.
  public func fork<WorkflowItem, Item, Value>(
    _ workflow: Workflow<WorkflowItem>
  ) -> Step<WorkflowItem, Item, Value>? where Element == (Item, Value) {
    let source = asObservable()
    workflow.didFork()
    return workflow.onStep { _ in source }
  }
}
