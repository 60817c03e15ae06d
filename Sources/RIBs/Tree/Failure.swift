// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A failure that was not handled in the tree.
///
/// `TreeConfiguration.onFailure` receives it: an error of bound work that no interactor handled in `didFail(_:of:)`,
/// while the RIB stays as it is, or a failure of a RIB that no RIB above it answered, with which the tree has ended.
/// Calls of a tree that has ended with a failure throw it.
public struct TreeFailure: Error, Sendable {
  /// What became of the failed RIB.
  public enum Outcome: Hashable, Sendable {
    /// It stays: only its work has failed, and no container above it restarts children.
    case stays
    /// It was detached, and no RIB decided: another route was set before, its parent resigned, or its override of
    /// `didFail(_:of:)` ended it.
    case detached
    /// Its container restarts it from what was last saved of it, so changes since then are lost. Thrown by the calls that
    /// wait until the tree's changes are saved.
    case restarts
    /// It was detached, no RIB above it answered, and the tree has ended.
    case treeEnded
  }

  var source: FailureSource
  /// What became of the RIB.
  public let outcome: Outcome

  /// The path of the RIB that failed first, or that started the work.
  public var path: TreePath { source.path }
  /// The RIB's identity in the tree; nil if the work belonged to no RIB.
  public var node: NodeID? { source.node }
  /// The work that threw the error; nil if the RIB called `fail(_:)`.
  public var work: BoundWork? { source.work }
  /// The error.
  public var error: any Error { source.error }
  /// How many restarts the last container had made that reached its limit; zero if none did.
  public var restarts: Int { source.restarts }
}

extension Interactor {
  /// A child that has failed and was detached, for its parent to decide.
  ///
  /// `route(of:)` of a slot or a stack, and `model(of:)` of a list, say which of their children it is.
  public struct ChildFailure: Sendable {
    /// The path of the child.
    public let path: TreePath
    let origin: FailureSource
    /// The container of the child, and the child's place in it.
    let container: (id: ObjectIdentifier, place: Int)?
    /// How many restarts of the child its own container has made within the period; zero if it restarts none.
    public let restarts: Int
    /// How long the child was active the last time.
    public let lifetime: Duration

    /// The path of the RIB that failed first: the child, or a RIB below it whose failure no RIB in between has answered.
    public var source: TreePath { origin.path }
    /// The bound work that threw the error; nil if the RIB called `fail(_:)`.
    public var work: BoundWork? { origin.work }
    /// The error.
    public var error: any Error { origin.error }
  }
}

/// The RIB that failed first, and why.
struct FailureSource: Sendable {
  var path: TreePath
  let node: NodeID?
  let work: BoundWork?
  let error: any Error
  /// The restarts of the last container on the way up that has reached its limit.
  var restarts = 0
}

extension TreeFailure {
  /// An error of bound work whose RIB stays.
  init(path: TreePath, node: NodeID?, work: BoundWork, error: any Error) {
    self.init(source: FailureSource(path: path, node: node, work: work, error: error), outcome: .stays)
  }

  /// Writes the failure to standard error, because there is no tree that handles it.
  func write() { writeToStandardError(description + "\n") }
}
