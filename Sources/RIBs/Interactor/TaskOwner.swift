// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The base class of `Interactor` and `Worker`, which starts bound work.
///
/// Bound work belongs to one activation of an interactor, or to one run of a worker.
///
/// Subclass `Interactor` or `Worker`, never this class.
open class TaskOwner {
  /// What is bound to the current activation or run. Created for the first task or subscription, and released at the end
  /// of the activation or run.
  final var bound: BoundScope?

  #if DEBUG
    /// The tree in which this was active or running last. It must be released on the tree's actor.
    final weak var lastTree: TreeCore?
  #endif

  init() {}

  // MARK: Failure

  /// Called by the runtime on the tree when bound work throws an error without having been cancelled. `Interactor` and
  /// `Worker` override and document it.
  open func didFail(_ error: any Error, of work: BoundWork) {}

  // MARK: Overridden by interactors and workers

  /// Calls `didFail(_:of:)` with an error of bound work in a tree.
  func deliver(_ error: any Error, of work: BoundWork, _ delivery: FailureDelivery) {}

  /// The RIB's router, if there is one.
  var ownerNode: RouterNode? { nil }

  /// Why no task can be started now; nil if one can. Does not check whether there is a tree.
  var taskRefusal: Misuse.Problem? { nil }

  /// Why no subscription can be bound now; nil if one can.
  var subscriptionRefusal: Misuse.Problem? { nil }

  /// The context of work that is started now.
  ///
  /// - Parameter own: the tree's `TreeConfiguration.workContext`.
  func context(_ own: BoundWork.Context) -> BoundWork.Context { own }

  /// The interactor itself; nil for a worker.
  var asInteractor: Interactor? { nil }

  package func report(_ problem: Misuse.Problem) {
    if let ownerNode {
      ownerNode.report(problem)
    } else {
      MisuseHandling.report(problem, path: TreePath([type(of: self)]), to: nil)
    }
  }

  // MARK: Overridden by workers, which an interactor runs while it is active

  /// Whether this runs now.
  var isRunningInScope: Bool { false }

  /// Begins to run, because the interactor is active.
  func begin(in interactor: Interactor) {}

  /// Ends the run.
  ///
  /// - Parameter interactor: the interactor that this was started on, if it is alive.
  func halt(on interactor: Interactor?) {}

  /// Ends the run for good, because the interactor is being released.
  func stopForRelease() {}
}

/// What is bound to one activation of an interactor, or to one run of a worker. The layer of tasks has the only subclass.
@usableFromInline
package class BoundScope {
  /// Ends all that is bound.
  func end() {}
}
