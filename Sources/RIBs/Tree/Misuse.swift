// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
    /// An update of a list of children has a model of a kind that has no registered builder.
    public static let unknownModel = Kind(description: "unknownModel")
    /// An update of a list of children has two models with the same identity, where no error can be thrown.
    public static let repeatedIdentity = Kind(description: "repeatedIdentity")
    /// An interactor that is not active, or a worker that is not running, started asynchronous work.
    public static let taskWhileInactive = Kind(description: "taskWhileInactive")
    /// An interactor outside a tree started asynchronous work, or a router was launched without a tree.
    public static let taskOutsideTree = Kind(description: "taskOutsideTree")
    /// A RIB that is not active, or in no tree, called `fail(_:)`.
    public static let failedWhileInactive = Kind(description: "failedWhileInactive")
    /// A container was to restart a child, and its closure returned the one that has failed.
    public static let failedChildReturned = Kind(description: "failedChildReturned")
    /// A worker was started on a scope while it is started on another one.
    public static let workerStarted = Kind(description: "workerStarted")
    /// A workflow was started without a committed step.
    public static let workflowWithoutSteps = Kind(description: "workflowWithoutSteps")
    /// A subscription was bound, or an object of an activation was requested, while the interactor is not active or the
    /// worker is not running.
    public static let subscriptionWhileInactive = Kind(description: "subscriptionWhileInactive")
    /// A page request of a `Pager` was released before it was completed.
    public static let abandonedPageRequest = Kind(description: "abandonedPageRequest")
    /// Two containers of a router are saved under the same name.
    public static let repeatedSavedName = Kind(description: "repeatedSavedName")
    /// A reader of `TreeHost.values` without a `bufferingPolicy` was too slow for a stream that is no state.
    public static let lostValues = Kind(description: "lostValues")
    /// `TreeConfiguration.aroundWork` did not call its argument exactly once.
    public static let startNotCalledOnce = Kind(description: "startNotCalledOnce")
  }

  /// The severity of a misuse.
  public enum Severity: Hashable, Sendable {
    /// A late callback can cause it, and nothing is broken. Never stops the process.
    case warning
    /// A mistake in the program.
    case error
  }

  let problem: Problem
  /// The path of the RIB that was misused.
  public let path: TreePath
  /// The kind of the misuse.
  public var kind: Kind { problem.kind }
  /// The severity of the misuse.
  public var severity: Severity { problem.severity }
  /// What happened.
  public var message: String { problem.message }
  /// What to do about it.
  public var advice: String { problem.advice }

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
    (onMisuse ?? handler)(Misuse(problem: problem, path: path))
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

extension Misuse {
  /// A programming error that the runtime refuses, before the path of the RIB is known.
  package struct Problem: Sendable {
    let kind: Kind
    let severity: Severity
    let message: String
    let advice: String

    package static func error(_ kind: Kind, _ message: String, advice: String) -> Problem {
      Problem(kind: kind, severity: .error, message: message, advice: advice)
    }

    package static func warning(_ kind: Kind, _ message: String, advice: String) -> Problem {
      Problem(kind: kind, severity: .warning, message: message, advice: advice)
    }
  }
}

/// The problems that are found in several places, or where a child is attached or detached.
extension Misuse.Problem {
  package static func alreadyAttached(child: RouterNode) -> Self {
    .error(
      .alreadyAttached, "\(child.title) can't be attached: it is attached already, at \(child.path).",
      advice: "Detach it there first; a RIB that is resigning can be attached again when it has resigned.")
  }

  static func alreadyActive(child: RouterNode) -> Self {
    .error(
      .alreadyActive, "\(child.title) can't be attached: it is active already.",
      advice: "It is the root of a tree, or was activated by hand; end that first, or build a new one.")
  }

  static func cycle(child: RouterNode) -> Self {
    .error(
      .cycle, "\(child.title) can't be attached: it is this router, or above it.",
      advice: "Build a new RIB for the child.")
  }

  static func notAChild(_ child: String) -> Self {
    .error(
      .notAChild, "\(child) can't be detached: it is not a child of this router.",
      advice: "Detach it from the router that attached it, once.")
  }

  static func treeEnded(_ child: String) -> Self {
    .warning(
      .treeEnded, "\(child) can't be attached: the tree has ended.",
      advice: "Check whether the tree still lives before routing, or launch a new one.")
  }

  static var taskWhileInactive: Self {
    .warning(
      .taskWhileInactive, "Work was not started: the interactor is not active, or its tree is ending.",
      advice: "Start work in didBecomeActive() or later, and before willResignActive().")
  }

  static var taskOutsideTree: Self {
    .warning(
      .taskOutsideTree, "Work was not started: the interactor is in no tree.",
      advice: "Launch its root in a Tree or a TreeHost; work needs an actor to run on.")
  }
}
