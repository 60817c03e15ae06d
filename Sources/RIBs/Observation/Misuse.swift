/// Something that was refused because it would have broken the tree, or could not have worked.
///
/// The tree is left as it was. Where a misuse is reported to is decided by `TreeConfiguration.onMisuse`, and outside a
/// tree by `withMisuseHandler(_:_:)`.
public struct Misuse: Error, Sendable, CustomStringConvertible {
  /// What kind of misuse it is. More kinds may come, so a `switch` over them needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// The child is attached already, here or elsewhere.
    public static let alreadyAttached = Kind(description: "alreadyAttached")
    /// The child is active already: it is the root of a tree, or was activated by hand.
    public static let alreadyActive = Kind(description: "alreadyActive")
    /// The child is the router itself, or above it.
    public static let cycle = Kind(description: "cycle")
    /// The router to be detached is not attached to this one.
    public static let notAChild = Kind(description: "notAChild")
    /// The tree has ended.
    public static let treeEnded = Kind(description: "treeEnded")
    /// The interactor was activated by hand although it stands under a parent that is not active.
    public static let inactiveParent = Kind(description: "inactiveParent")
    /// A tree was launched where no actor runs: in an actor's asynchronous initializer.
    public static let noIsolation = Kind(description: "noIsolation")
    /// A tree was launched twice, or its root stands in a tree already.
    public static let alreadyLaunched = Kind(description: "alreadyLaunched")
    /// What was given as the root of a tree is no router of this package.
    public static let rootIsNotRouter = Kind(description: "rootIsNotRouter")
    /// What was given to a router as its interactor is none, or belongs to another router.
    public static let notAnInteractor = Kind(description: "notAnInteractor")
    /// What was given to a router as its view is none.
    public static let notAView = Kind(description: "notAView")
    /// A componentized builder was given the component object that it was given before.
    public static let sameComponent = Kind(description: "sameComponent")
    /// A list of children was asked to follow a model of a kind for which no builder is registered.
    public static let unknownModel = Kind(description: "unknownModel")
    /// A list of children was asked to follow two models with the same identity, where no error could be thrown.
    public static let repeatedIdentity = Kind(description: "repeatedIdentity")
    /// Asynchronous work was started by an interactor that is not active, or by a worker that does not run.
    public static let taskWhileInactive = Kind(description: "taskWhileInactive")
    /// Asynchronous work was started by an interactor outside a tree, or a router was launched without one.
    public static let taskOutsideTree = Kind(description: "taskOutsideTree")
    /// A worker was started on a scope although it is started on another one.
    public static let workerStarted = Kind(description: "workerStarted")
    /// A workflow was started of which no step has been committed.
    public static let workflowWithoutSteps = Kind(description: "workflowWithoutSteps")
    /// A subscription was bound to an interactor that is not active, or to a worker that does not run; or something was
    /// asked for that is made for each activation.
    public static let subscriptionWhileInactive = Kind(description: "subscriptionWhileInactive")
    /// A batch of a `Pager` was forgotten: nobody can complete it any more.
    public static let abandonedPageRequest = Kind(description: "abandonedPageRequest")
  }

  /// How bad it is.
  public enum Severity: Hashable, Sendable {
    /// It can come from a late callback, and nothing is broken. Never stops the process.
    case warning
    /// It is a mistake in the program.
    case error
  }

  /// What kind of misuse it is.
  public let kind: Kind
  /// How bad it is.
  public let severity: Severity
  /// Where the RIB stands that was misused.
  public let path: TreePath
  /// What happened.
  public let message: String
  /// What to do about it.
  public let advice: String

  /// One line with everything a developer needs.
  public var description: String { "RIBs: \(path): \(message) \(advice)" }
}

/// Runs a closure with a handler for misuse outside any tree, in place of the default one.
///
/// In a tree, its configuration decides. This is for tests that build and activate RIBs by hand.
///
/// - Parameters:
///   - handler: called with each misuse, where it happens.
///   - body: what the handler is in force for.
public func withMisuseHandler<Result>(
  _ handler: @escaping @Sendable (Misuse) -> Void, _ body: () throws -> Result
) rethrows -> Result {
  try MisuseHandling.$handler.withValue(handler, operation: body)
}

/// Where misuse outside a tree is reported to.
enum MisuseHandling {
  @TaskLocal static var handler: @Sendable (Misuse) -> Void = standard

  static func report(_ problem: Misuse.Problem, path: TreePath, to onMisuse: (@Sendable (Misuse) -> Void)?) {
    (onMisuse ?? handler)(Misuse(problem, path: path))
  }

  /// Stops a debug build at a mistake; otherwise tells it on standard error and goes on.
  @Sendable
  static func standard(_ misuse: Misuse) {
    // Not an assertion: with `-Ounchecked` the compiler takes for granted that those hold.
    #if DEBUG
      if misuse.severity == .error { fatalError(misuse.description) }
    #endif
    writeToStandardError(misuse.description + "\n")
  }
}
