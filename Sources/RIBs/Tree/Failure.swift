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

  /// The path of the RIB that failed first, or that started the work.
  public internal(set) var path: TreePath
  /// The RIB's identity in the tree; nil if the work belonged to no RIB.
  public let node: NodeID?
  /// The work that threw the error; nil if the RIB called `fail(_:)`.
  public let work: BoundWork?
  /// The error.
  public let error: any Error
  /// How many restarts the last container had made that reached its limit; zero if none did.
  public let restarts: Int
  /// What became of the RIB.
  public let outcome: Outcome

  /// An error of bound work whose RIB stays.
  init(path: TreePath, node: NodeID?, work: BoundWork, error: any Error) {
    self.init(
      FailureSource(path: path, node: node, work: work, error: error), outcome: .stays)
  }

  init(_ source: FailureSource, outcome: Outcome) {
    path = source.path
    node = source.node
    work = source.work
    error = source.error
    restarts = source.restarts
    self.outcome = outcome
  }
}

extension Interactor {
  /// A child that has failed and was detached, for its parent to decide.
  ///
  /// `route(of:)` of a slot or a stack, and `model(of:)` of a list, say which of their children it is.
  public struct ChildFailure: Sendable {
    /// The path of the child.
    public let path: TreePath
    /// The path of the RIB that failed first: the child, or a RIB below it whose failure no RIB in between has answered.
    public let source: TreePath
    /// The bound work that threw the error; nil if the RIB called `fail(_:)`.
    public let work: BoundWork?
    /// The error.
    public let error: any Error
    /// How many restarts of the child its own container has made within the period; zero if it restarts none.
    public let restarts: Int
    /// How long the child was active the last time.
    public let lifetime: Duration
    let origin: FailureSource
    /// The container of the child, and the child's place in it.
    let container: (id: ObjectIdentifier, place: Int)?

    init(
      _ source: FailureSource, of child: RouterNode, in container: (id: ObjectIdentifier, place: Int)?, restarts: Int,
      lifetime: Duration, identity: TreeIdentity?
    ) {
      path = child.path.inTree(identity)
      self.source = source.path
      work = source.work
      error = source.error
      self.restarts = restarts
      self.lifetime = lifetime
      origin = source
      self.container = container
    }
  }
}

/// The RIB that failed first, and why.
struct FailureSource: Sendable {
  let path: TreePath
  let node: NodeID?
  let work: BoundWork?
  let error: any Error
  /// The restarts of the last container on the way up that has reached its limit.
  var restarts = 0
}

/// The default handling of failures.
enum FailureHandling {
  @Sendable
  static func standard(_ failure: TreeFailure) { writeToStandardError(failure.description + "\n") }
}
