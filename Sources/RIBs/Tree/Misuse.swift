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

extension Misuse {
  /// All programming errors that the runtime refuses, with their messages.
  package enum Problem {
    case alreadyAttached(child: RouterNode)
    case alreadyActive(child: RouterNode)
    case cycle(child: RouterNode)
    case notAChild(String)
    case treeEnded(String)
    case inactiveParent
    case noIsolation
    case alreadyLaunched
    case launchedWithoutTree
    case rootIsNotRouter(String)
    case notAnInteractor(String)
    case sharedInteractor(String)
    case noView(String)
    case unknownModel(String)
    case repeatedIdentity(String)
    case taskWhileInactive
    case taskOutsideTree
    case subscriptionWhileInactive
    case scopedWhileInactive(String)
    case taskWhileStopped(String)
    case subscriptionWhileStopped(String)
    case failedWhileInactive(String)
    case failedChildReturned(child: RouterNode)
    case workerStarted(String)
    case workflowWithoutSteps(String)
    case workflowOutsideTree(String)
    case abandonedPageRequest(String)
    case repeatedSavedName(String)
    case lostValues(String)
    case startNotCalledOnce(work: String, times: Int)
  }

  init(_ problem: Problem, path: TreePath) {
    let text = problem.text
    self.init(kind: text.kind, severity: text.severity, path: path, message: text.message, advice: text.advice)
  }
}

extension Misuse.Problem {
  fileprivate struct Text {
    var kind: Misuse.Kind
    var severity = Misuse.Severity.error
    var message: String
    var advice: String
  }

  fileprivate var text: Text {
    switch self {
    case .alreadyAttached(let child):
      return Text(
        kind: .alreadyAttached,
        message: "\(child.title) can't be attached: it is attached already, at \(child.path).",
        advice: "Detach it there first; a RIB that is resigning can be attached again when it has resigned.")
    case .alreadyActive(let child):
      return Text(
        kind: .alreadyActive, message: "\(child.title) can't be attached: it is active already.",
        advice: "It is the root of a tree, or was activated by hand; end that first, or build a new one.")
    case .cycle(let child):
      return Text(
        kind: .cycle, message: "\(child.title) can't be attached: it is this router, or above it.",
        advice: "Build a new RIB for the child.")
    case .notAChild(let child):
      return Text(
        kind: .notAChild, message: "\(child) can't be detached: it is not a child of this router.",
        advice: "Detach it from the router that attached it, once.")
    case .treeEnded(let child):
      return Text(
        kind: .treeEnded, severity: .warning, message: "\(child) can't be attached: the tree has ended.",
        advice: "Check whether the tree still lives before routing, or launch a new one.")
    case .inactiveParent:
      return Text(
        kind: .inactiveParent, message: "The interactor can't be activated by hand: its parent is not active.",
        advice: "Activate the parent: attached children become active with it.")
    case .noIsolation:
      return Text(
        kind: .noIsolation, message: "The tree can't be launched: no actor runs here for it to live on.",
        advice: "Launch it in a method of an actor or on the main actor, not in an initializer, or use a TreeHost.")
    case .alreadyLaunched:
      return Text(
        kind: .alreadyLaunched, message: "The tree can't be launched: it was launched before, or its root is in use.",
        advice: "Build a new root and make a new tree.")
    case .launchedWithoutTree:
      return Text(
        kind: .taskOutsideTree, severity: .warning,
        message: "The router was launched without a tree: all bound work of its RIBs will be refused.",
        advice: "Launch it with Tree(root: router).launch(), and keep the Tree; a server uses a TreeHost.")
    case .rootIsNotRouter(let type):
      return Text(
        kind: .rootIsNotRouter, message: "\(type) can't be the root of a tree: it is no router of this package.",
        advice: "Pass a Router. Test doubles are attached to real routers, not launched.")
    case .notAnInteractor(let type):
      return Text(
        kind: .notAnInteractor, message: "\(type) can't be the router's interactor: it is not Interactable.",
        advice: "Make it a subclass of Interactor.")
    case .sharedInteractor(let type):
      return Text(
        kind: .notAnInteractor, message: "\(type) can't be the router's interactor: it belongs to another router.",
        advice: "Build an interactor for each router.")
    case .noView(let type):
      return Text(
        kind: .notAView, message: "\(type) can't be the RIB's view: it is not ViewControllable.",
        advice: "Make it conform to ViewControllable.")
    case .unknownModel(let kind):
      return Text(
        kind: .unknownModel, message: "A list of children was not updated: no builder is registered for a \(kind).",
        advice: "Register a builder for \(kind) in the ChildKinds of the list, or add the plugin to its PluginPoint.")
    case .repeatedIdentity(let text):
      return Text(
        kind: .repeatedIdentity, message: "A list of children was not updated. \(text)",
        advice: "Where a tree runs, the error reaches didFail(_:of:) of the interactor.")
    case .taskWhileInactive:
      return Text(
        kind: .taskWhileInactive, severity: .warning,
        message: "Work was not started: the interactor is not active, or its tree is ending.",
        advice: "Start work in didBecomeActive() or later, and before willResignActive().")
    case .taskOutsideTree:
      return Text(
        kind: .taskOutsideTree, severity: .warning, message: "Work was not started: the interactor is in no tree.",
        advice: "Launch its root in a Tree or a TreeHost; work needs an actor to run on.")
    case .subscriptionWhileInactive:
      return Text(
        kind: .subscriptionWhileInactive, severity: .warning,
        message: "A subscription was disposed of at once: the interactor is not active.",
        advice: "Subscribe in didBecomeActive() or later.")
    case .scopedWhileInactive(let type):
      return Text(
        kind: .subscriptionWhileInactive, severity: .warning,
        message: "\(type) was made and disposed of at once: the interactor is not active.",
        advice: "Call scoped in didBecomeActive() or later.")
    case .taskWhileStopped(let worker):
      return Text(
        kind: .taskWhileInactive, severity: .warning, message: "Work was not started: \(worker) does not run.",
        advice: "Start work in didStart(_:) or later, and before the worker stops.")
    case .subscriptionWhileStopped(let worker):
      return Text(
        kind: .subscriptionWhileInactive, severity: .warning,
        message: "A subscription was disposed of at once: \(worker) does not run.",
        advice: "Subscribe in didStart(_:) or later, and before the worker stops.")
    case .failedWhileInactive(let error):
      return Text(
        kind: .failedWhileInactive, severity: .warning,
        message: "A failure was ignored, because the RIB is not active or its tree is ending: \(error).",
        advice: "Call fail(_:) in didBecomeActive() or later, and before the RIB resigns.")
    case .failedChildReturned(let child):
      return Text(
        kind: .failedChildReturned,
        message: "\(child.title) was not restarted: its container was given the RIB that has failed.",
        advice: "Build a new RIB in the container's closure each time it is called.")
    case .workerStarted(let worker):
      return Text(
        kind: .workerStarted, message: "\(worker) can't be started: it was started on another scope.",
        advice: "Stop it there first, or make a worker for each scope.")
    case .workflowWithoutSteps(let type):
      return Text(
        kind: .workflowWithoutSteps, message: "\(type) was not started: none of its steps has been committed.",
        advice: "End each chain of steps with commit().")
    case .workflowOutsideTree(let type):
      return Text(
        kind: .taskOutsideTree, severity: .warning,
        message: "\(type) was not started: its item is in no tree, and it was started on no actor.",
        advice: "Start it with an interactor that is in a tree, or with subscribe(_:isolation:) on an actor.")
    case .abandonedPageRequest(let item):
      return Text(
        kind: .abandonedPageRequest,
        message: "A batch of \(item) was abandoned: it was neither completed, failed, nor cancelled.",
        advice: "Settle the batch on every path of the Pager's closure, or throw.")
    case .repeatedSavedName(let name):
      return Text(
        kind: .repeatedSavedName, message: "A container was not saved: \"\(name)\" is the name of another one.",
        advice: "Give each container in savedChildren a name of its own.")
    case .lostValues(let element):
      return Text(
        kind: .lostValues, severity: .warning,
        message: "A reader of values outside the tree was too slow, and lost a \(element).",
        advice: "Pass values(bufferingPolicy:) a policy, which says how many unread values are kept.")
    case .startNotCalledOnce(let work, let times):
      return Text(
        kind: .startNotCalledOnce,
        message:
          "\(work) was started once, although aroundWork called start \(times == 0 ? "never" : "\(times) times").",
        advice: "Call start exactly once in TreeConfiguration.aroundWork, before it returns.")
    }
  }
}
