/// A programming error that the runtime refused.
///
/// The refused call leaves the tree unchanged. In a tree, misuse is reported to `TreeConfiguration.onMisuse`; outside,
/// to the handler of `withMisuseHandler(_:_:)`.
public struct Misuse: Error, Sendable, CustomStringConvertible {
  /// The kind of a misuse. More kinds may be added, so a `switch` over them needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// The child is already attached, to this router or another.
    public static let alreadyAttached = Kind(description: "alreadyAttached")
    /// The child is already active: it is the root of a tree, or was activated by hand.
    public static let alreadyActive = Kind(description: "alreadyActive")
    /// The child is the router itself, or one of its ancestors.
    public static let cycle = Kind(description: "cycle")
    /// The router to detach is not a child of this router.
    public static let notAChild = Kind(description: "notAChild")
    /// The tree has ended.
    public static let treeEnded = Kind(description: "treeEnded")
    /// The interactor was activated by hand although its router's parent is not active.
    public static let inactiveParent = Kind(description: "inactiveParent")
    /// A tree was launched without an actor: in an actor's asynchronous initializer.
    public static let noIsolation = Kind(description: "noIsolation")
    /// A tree was launched twice, or its root is in a tree already.
    public static let alreadyLaunched = Kind(description: "alreadyLaunched")
    /// The root of a tree is not a router of this package.
    public static let rootIsNotRouter = Kind(description: "rootIsNotRouter")
    /// The interactor passed to a router is not an interactor, or belongs to another router.
    public static let notAnInteractor = Kind(description: "notAnInteractor")
    /// The view passed to a router is not a view.
    public static let notAView = Kind(description: "notAView")
    /// A componentized builder received the same component object as before.
    public static let sameComponent = Kind(description: "sameComponent")
    /// An update of a list of children has a model of a kind that has no registered builder.
    public static let unknownModel = Kind(description: "unknownModel")
    /// An update of a list of children has two models with the same identity, where no error can be thrown.
    public static let repeatedIdentity = Kind(description: "repeatedIdentity")
    /// An interactor that is not active, or a worker that is not running, started asynchronous work.
    public static let taskWhileInactive = Kind(description: "taskWhileInactive")
    /// An interactor outside a tree started asynchronous work, or a router was launched without a tree.
    public static let taskOutsideTree = Kind(description: "taskOutsideTree")
    /// A worker was started on a scope while it is started on another one.
    public static let workerStarted = Kind(description: "workerStarted")
    /// A workflow was started without a committed step.
    public static let workflowWithoutSteps = Kind(description: "workflowWithoutSteps")
    /// A subscription was bound, or an object of an activation was requested, while the interactor is not active or the
    /// worker is not running.
    public static let subscriptionWhileInactive = Kind(description: "subscriptionWhileInactive")
    /// A page request of a `Pager` was released before it was completed.
    public static let abandonedPageRequest = Kind(description: "abandonedPageRequest")
  }

  /// The severity of a misuse.
  public enum Severity: Hashable, Sendable {
    /// A late callback can cause it, and nothing is broken. Never stops the process.
    case warning
    /// A mistake in the program.
    case error
  }

  /// The kind of the misuse.
  public let kind: Kind
  /// The severity of the misuse.
  public let severity: Severity
  /// The path of the RIB that was misused.
  public let path: TreePath
  /// What happened.
  public let message: String
  /// What to do about it.
  public let advice: String

  /// The misuse as one line: path, message and advice.
  public var description: String { "RIBs: \(path): \(message) \(advice)" }
}

/// Runs a closure with a handler for misuse outside any tree, in place of the default one.
///
/// In a tree, the tree's configuration applies instead. Use this in tests that build and activate RIBs by hand.
///
/// - Parameters:
///   - handler: called with each misuse, synchronously.
///   - body: the closure that the handler applies to.
public func withMisuseHandler<Result>(
  _ handler: @escaping @Sendable (Misuse) -> Void, _ body: () throws -> Result
) rethrows -> Result {
  try MisuseHandling.$handler.withValue(handler, operation: body)
}

/// The handling of misuse outside a tree.
enum MisuseHandling {
  @TaskLocal static var handler: @Sendable (Misuse) -> Void = standard

  static func report(_ problem: Misuse.Problem, path: TreePath, to onMisuse: (@Sendable (Misuse) -> Void)?) {
    (onMisuse ?? handler)(Misuse(problem, path: path))
  }

  /// Stops a debug build on an error. Otherwise writes the misuse to standard error and continues.
  @Sendable
  static func standard(_ misuse: Misuse) {
    // Not an assertion: with `-Ounchecked` the compiler assumes that assertions hold.
    #if DEBUG
      if misuse.severity == .error { fatalError(misuse.description) }
    #endif
    writeToStandardError(misuse.description + "\n")
  }
}
