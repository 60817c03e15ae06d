/// Notices what stays alive of RIBs that have left a tree.
///
/// Each RIB that resigns is taken down, and looked at after the delay, or at most two of them, with one timer for all: what
/// is gone by then, or is part of a tree again, is forgotten. RIBs are told apart by weak references, never by their
/// addresses.
final class LeakDetector {
  private struct Suspect {
    /// Nil from the start if the router resigned because it was released.
    weak var router: RouterNode?
    weak var interactor: Interactor?
    /// The router's when it resigned: another one means that it has been active again.
    let epoch: UInt32
    let path: TreePath
    let node: NodeID?
    let since: Duration
    /// A workflow that is done, in place of a RIB.
    var workflow: WeakWorkflow?

    var isGone: Bool { router == nil && interactor == nil && workflow?.workflow == nil }
  }

  /// Apart, because there are many more RIBs than workflows.
  private final class WeakWorkflow {
    weak var workflow: (any WorkflowHooks)?

    init(_ workflow: any WorkflowHooks) { self.workflow = workflow }
  }

  private enum Verdict {
    case innocent
    /// Kept on purpose: it is looked at again when there is something else to look at.
    case kept
    case leaked(Leak.Part, any AnyObject.Type)
  }

  private let delay: Duration
  private let configuration: TreeConfiguration
  private let now: Stopwatch
  /// Where the timer waits; nil for the global executor.
  private let executor: (any TaskExecutor)?
  /// An actor that may be dropped is not kept from it: with it goes its tree, and nobody is left to look.
  private weak var home: (any Actor)?
  private weak var tree: TreeCore?
  /// Those to be looked at when the timer fires.
  private var due: [Suspect] = []
  /// Those that have resigned since it was set.
  private var later: [Suspect] = []
  private var sweepAt = 1_024
  private var isWaiting = false

  init(delay: Duration, tree: TreeCore) {
    self.delay = delay
    self.tree = tree
    configuration = tree.configuration
    now = tree.now
    executor = tree.offTreeExecutor
    home = tree.actor
  }

  /// Takes down a router that resigns.
  func suspect(_ router: RouterNode) {
    guard let interactor = router.interactorCore?.takeUnretainedValue() else { return }
    later.append(
      Suspect(
        // No weak reference can be made to what is being released.
        router: router.state.isBeingReleased ? nil : router, interactor: interactor, epoch: router.state.epoch,
        path: router.path,
        node: router.nodeID, since: now()))
    didAdd()
  }

  /// Records a workflow that is done.
  ///
  /// - Parameter task: the chain that has ended last.
  func suspect(_ workflow: any WorkflowHooks, after task: WorkflowTask) {
    guard !workflow.isKeptWhenDone else { return }
    later.append(
      Suspect(
        router: nil, interactor: nil, epoch: workflow.runCount, path: task.path,
        node: task.node?._withUnsafeGuaranteedRef { $0.nodeID },
        since: now(), workflow: WeakWorkflow(workflow)))
    didAdd()
  }

  private func didAdd() {
    if later.count >= sweepAt {
      later.removeAll { $0.isGone }
      sweepAt = max(1_024, later.count * 2)
    }
    if !isWaiting { wait() }
  }

  /// Takes down all that has resigned under the root of a tree that nobody owns any more.
  func suspectAll(under root: RouterNode) {
    let known = Set((due + later).compactMap { $0.router.map(ObjectIdentifier.init) })
    root.forEachBelow { node in
      if node.state.isInactive, !known.contains(ObjectIdentifier(node)) { suspect(node) }
    }
  }

  private func wait() {
    guard let home else { return }
    isWaiting = true
    due += later
    later = []
    let box = IsolationBox(self)
    let (clock, delay, executor) = (configuration.clock, delay, configuration.executors?.away)
    // The timer belongs to no request that happens to detach a RIB.
    let context = WorkContext.own()
    if let host = home as? TreeActor {
      _ = context.task(on: executor) {
        try? await clock.sleep(for: delay)
        await host.leakTimerFired(box)
      }
    } else {
      _ = context.task(on: executor) { [weak home] in
        try? await clock.sleep(for: delay)
        await home?.leakTimerFired(box)
      }
    }
  }

  /// The time is over: looks at those that have had enough of it.
  func timerFired() {
    isWaiting = false
    let time = now()
    let ripe = later.prefix { time - $0.since >= delay }
    later.removeFirst(ripe.count)
    let looked = due + ripe
    due = []
    if !later.isEmpty { wait() }
    look(at: looked)
  }

  /// Checks all RIBs now, however long ago they have resigned. A workflow may be held for a while after it is done.
  func lookAtAll() {
    let looked = (due + later).filter { $0.workflow == nil }
    (due, later) = ([], (due + later).filter { $0.workflow != nil })
    look(at: looked)
  }

  private func look(at suspects: [Suspect]) {
    let time = now()
    for suspect in suspects {
      switch verdict(on: suspect) {
      case .innocent: break
      case .kept: later.append(suspect)
      case .leaked(let part, let type): report(suspect, part, type, age: time - suspect.since)
      }
    }
  }

  private func verdict(on suspect: Suspect) -> Verdict {
    if let held = suspect.workflow {
      // A later start is looked at when that is done.
      guard let workflow = held.workflow, workflow.runCount == suspect.epoch, !workflow.isKeptWhenDone else {
        return .innocent
      }
      return .leaked(.workflow, type(of: workflow))
    }
    if let router = suspect.router {
      if router.state.epoch != suspect.epoch || !router.state.isInactive { return .innocent }
      var top = router
      while let parent = top.parentNode { top = parent }
      // The root is kept by its tree; below another one, that is what is kept.
      if top.membership.isRoot || top.owningTrees > 0 { return .innocent }
      if top.expectsReattachment || top.hold?.container != nil { return .kept }
      return top === router ? .leaked(.router, type(of: router)) : .innocent
    }
    guard let interactor = suspect.interactor, interactor.node == nil else { return .innocent }
    return .leaked(.interactor, type(of: interactor))
  }

  private func report(_ suspect: Suspect, _ part: Leak.Part, _ type: any AnyObject.Type, age: Duration) {
    let leak = Leak(
      path: suspect.path, node: suspect.node, part: part, type: String(describing: type), age: age,
      work: tree?.work(outliving: suspect.node) ?? [])
    let event = TreeEvent(
      kind: .leaked, node: suspect.node, parent: nil, path: suspect.path, time: now(), duration: age,
      detail: .leak(leak))
    if let tree { tree.emit(event) } else { configuration.tell(event) }
    if let onLeak = configuration.onLeak { onLeak(leak) } else { writeToStandardError(leak.description + "\n") }
  }
}
