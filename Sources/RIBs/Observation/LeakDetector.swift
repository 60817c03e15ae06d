// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeEvent {
  /// A part of a RIB that stayed alive after the RIB had left its tree.
  ///
  /// A part that stays alive keeps its memory, and often continues to work. `TreeConfiguration.leakDetection` sets
  /// whether and when a tree checks for leaks. `TreeConfiguration.onLeak` receives them.
  public struct Leak: Sendable, Hashable, CustomStringConvertible {
    /// The part of a RIB that leaked.
    public enum Part: String, Sendable, Hashable, Codable {
      /// The router is alive, and with it the whole RIB and everything attached to it.
      case router
      /// The interactor is alive after its router was released.
      case interactor
      /// A workflow is alive after it was done. The path and the RIB are those that its last step worked on.
      case workflow
    }

    /// The path of the RIB when it resigned. For a workflow, the path of the RIB that its last step worked on.
    public let path: TreePath
    /// The RIB's identity in the tree.
    public let node: NodeID?
    /// The part that is alive.
    public let part: Part
    /// The type of the part.
    public let type: String
    /// How long it has been alive since it resigned or was done, on the tree's clock.
    public let age: Duration
    /// The bound work of the RIB that has not ended although it was cancelled. It may hold the leaked part.
    public let work: [String]

    /// The leak as one line: path, part, age and advice.
    public var description: String {
      "RIBs: \(path)\(node.map { " (\($0))" } ?? ""): \(type) is still alive \(age) after \(end). \(advice)"
    }

    private var end: String { part == .workflow ? "it was done" : "its RIB has resigned for good" }

    private var advice: String {
      if !work.isEmpty {
        return "Work that ignores its cancellation may retain it: \(work.joined(separator: ", "))."
      }
      switch part {
      case .router:
        return
          "Look for a property that was not set to nil, and for a closure that captures it; set expectsReattachment if it is kept on purpose."
      case .interactor:
        return "Look for a closure or a listener that retains it."
      case .workflow:
        return
          "Look for a step that captures the workflow or one of its steps; set isKeptWhenDone if it is kept to be started again."
      }
    }
  }
}

/// What may stay alive after it was done: a workflow.
protocol LeakSuspect: AnyObject {
  /// Whether it is kept on purpose.
  var isKeptWhenDone: Bool { get }
  /// The number of its starts so far.
  var runCount: UInt32 { get }
}

/// Finds RIBs and workflows that stay alive after they have left a tree.
///
/// Records each RIB that resigns and checks it again one to two `delay`s later, using one timer. A RIB that was
/// released by then, or is in a tree again, is discarded. Weak references identify the RIBs, never their addresses.
final class LeakDetector: TreePart, TreeConfined {
  private struct Suspect {
    /// A workflow that is done, or an interactor. That leads to the router too, which owns it: a released router has cleared
    /// `node`. A second weak reference would take a side table more and as much time again.
    weak var object: AnyObject?
    let isWorkflow: Bool
    /// The router's epoch when it resigned, or the number of starts of the workflow. A different one means that it was
    /// active again.
    let epoch: UInt32
    let path: TreePath
    let node: NodeID?
    /// In nanoseconds on the clock of the tree.
    let since: Int64
  }

  private enum Verdict {
    case innocent
    /// Kept on purpose: checked again together with later suspects.
    case kept
    case leaked(TreeEvent.Leak.Part, any AnyObject.Type)
  }

  private let delay: Duration
  private let settings: TreeSettings
  private let onLeak: (@Sendable (TreeEvent.Leak) -> Void)?
  /// Called with the event of a leak that is found after the tree was released.
  private let afterTree: (@Sendable (TreeEvent) -> Void)?
  private let now: Stopwatch
  /// Weak, so that the timer does not keep the actor alive. When the actor is released, its tree ends and no check is
  /// needed.
  private weak var home: (any Actor)?
  private weak var tree: TreeCore?
  /// The suspects to check when the timer fires.
  private var due: [Suspect] = []
  /// The suspects recorded since the timer was started.
  private var later: [Suspect] = []
  private var sweepAt = 1_024
  private var isWaiting = false

  init(
    delay: Duration, tree: TreeCore, onLeak: (@Sendable (TreeEvent.Leak) -> Void)?,
    afterTree: (@Sendable (TreeEvent) -> Void)?
  ) {
    self.delay = delay
    self.tree = tree
    self.onLeak = onLeak
    self.afterTree = afterTree
    settings = tree.settings
    now = tree.now
    home = tree.actor
    super.init(.left)
  }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) { suspect(node) }

  /// Records a router that resigns.
  private func suspect(_ router: RouterNode) {
    guard let interactor = router.interactorCore else { return }
    later.append(
      Suspect(
        object: interactor, isWorkflow: false, epoch: router.state.epoch, path: router.path, node: router.nodeID,
        since: now.lastTick()))
    didAdd()
  }

  /// Records a workflow that is done.
  ///
  /// - Parameter task: the last chain that has ended.
  func suspect(_ workflow: any LeakSuspect, after task: BoundTask) {
    guard !workflow.isKeptWhenDone else { return }
    later.append(
      Suspect(
        object: workflow, isWorkflow: true, epoch: workflow.runCount, path: task.path, node: task.node?.nodeID,
        since: now.inNanoseconds()))
    didAdd()
  }

  private func didAdd() {
    if later.count >= sweepAt {
      later.removeAll { $0.object == nil }
      sweepAt = max(1_024, later.count * 2)
    }
    if !isWaiting { wait() }
  }

  /// Records all inactive routers under the root of a tree whose owner has released it.
  func suspectAll(under root: RouterNode) {
    let known = Set((due + later).compactMap { $0.object.map(ObjectIdentifier.init) })
    root.forEachBelow { node in
      guard node.state.isInactive, let interactor = node.interactorCore else { return }
      if !known.contains(ObjectIdentifier(interactor)) { suspect(node) }
    }
  }

  private func wait() {
    guard let home else { return }
    isWaiting = true
    due += later
    later = []
    let box = IsolationBox(self)
    let host: (any Actor)? = home as? any HostedActor
    _ = StartedTimer(on: settings.clock, after: delay, executor: settings.offTreeExecutor) { [weak home] in
      await (host ?? home)?.with(box) { (leaks: LeakDetector) in leaks.timerFired() }
    }
  }

  /// Checks the suspects whose delay has passed.
  func timerFired() {
    isWaiting = false
    let (time, delay) = (now.inNanoseconds(), delay.wholeNanoseconds)
    let ripe = later.prefix { time - $0.since >= delay }
    later.removeFirst(ripe.count)
    let looked = due + ripe
    due = []
    if !later.isEmpty { wait() }
    look(at: looked)
  }

  /// Checks all RIBs now, regardless of their delay. Workflows are not checked, because they may be held for a while
  /// after they are done.
  func checkAll() {
    let looked = (due + later).filter { !$0.isWorkflow }
    (due, later) = ([], (due + later).filter(\.isWorkflow))
    look(at: looked)
  }

  private func look(at suspects: [Suspect]) {
    let time = now()
    for suspect in suspects {
      switch verdict(on: suspect) {
      case .innocent: break
      case .kept: later.append(suspect)
      case .leaked(let part, let type): report(suspect, part, type, age: time - .nanoseconds(suspect.since))
      }
    }
  }

  private func verdict(on suspect: Suspect) -> Verdict {
    if suspect.isWorkflow {
      // A later start is checked when it is done.
      guard let workflow = suspect.object as? any LeakSuspect, workflow.runCount == suspect.epoch,
        !workflow.isKeptWhenDone
      else { return .innocent }
      return .leaked(.workflow, type(of: workflow))
    }
    guard let interactor = suspect.object as? Interactor else { return .innocent }
    if let router = interactor.node {
      if router.state.epoch != suspect.epoch || !router.state.isInactive || router.state.isBeingReleased {
        return .innocent
      }
      var top = router
      while let parent = top.parentNode { top = parent }
      // A tree keeps its root. Below another root, only that root is the leak.
      if top.membership.isRoot || top.owningTrees > 0 { return .innocent }
      if top.expectsReattachment || top.container != nil { return .kept }
      return top === router ? .leaked(.router, type(of: router)) : .innocent
    }
    return .leaked(.interactor, type(of: interactor))
  }

  private func report(_ suspect: Suspect, _ part: TreeEvent.Leak.Part, _ type: any AnyObject.Type, age: Duration) {
    let path = suspect.path.inTree(settings.identity)
    let leak = TreeEvent.Leak(
      path: path, node: suspect.node, part: part, type: String(describing: type), age: age,
      work: tree?.unfinishedWork(of: suspect.node) ?? [])
    let event = TreeEvent(
      kind: .leaked, node: leak.node, parent: nil, path: leak.path, time: now(), duration: leak.age,
      detail: .other(leak))
    if let tree { tree.emit(event) } else { afterTree?(event) }
    if let onLeak { onLeak(leak) } else { writeToStandardError(leak.description + "\n") }
  }
}

extension TreeEvent {
  /// The leak that was found.
  public var leak: Leak? { detail() }
}

extension TreeCore {
  /// The leak detector, if leak detection is on.
  var leaks: LeakDetector? { part() }
}
