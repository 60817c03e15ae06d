// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import TestSupport

/// The world as the runtime makes it.
final class RealWorld: World {
  let script: Script
  private(set) var nodes: [Node] = []
  private let reference = WorldReference<RealWorld>()
  private let tree: Tree

  /// - Parameters:
  ///   - shape: the tree. All nodes numbered beyond it are free.
  ///   - count: how many nodes there are.
  ///   - executors: where the jobs of the tree run; nil for those of the actor.
  init(_ shape: Shape, count: Int, isObserved: Bool, script: Script, executors: DrivenExecutors? = nil) {
    self.script = script
    nodes = (0..<count).map(Node.init)
    let reference = reference
    var configuration = TreeConfiguration(onMisuse: { reference.world?.record($0) }, onFailure: { _ in })
    configuration.inspector = TestTree.inspector
    configuration.executors = executors
    if isObserved { configuration.onEvent = { reference.world?.record($0) } }
    tree = Tree(root: nodes[0], configuration: configuration)
    reference.world = self
    for (index, parent) in shape.parents.enumerated() { nodes[parent].attachChild(nodes[index + 1]) }
    for node in nodes { node.join(self) }
    script.isRecording = true
  }

  func launch(on stage: isolated any Actor) { tree.launch() }

  /// The work of a tree does not inherit the handler of the code around it.
  func perform(_ action: Action) {
    withMisuseHandler({ [reference] misuse in reference.world?.record(misuse) }) { performHandled(action) }
  }

  private func performHandled(_ action: Action) {
    switch action {
    case .attach(let child, let parent): nodes[parent].attachChild(nodes[child])
    case .detach(let child, let parent): nodes[parent].detachChild(nodes[child])
    case .activate(let node): nodes[node].interactor.activate()
    case .deactivate(let node): nodes[node].interactor.deactivate()
    case .load(let node): nodes[node].load()
    case .fail(let node): nodes[node].interactor.fail(Failure())
    case .end: tree.end()
    case .route(let route, let node): nodes[node].slot.route = route
    case .push(let route, let node): nodes[node].stack.push(route)
    case .pop(let node): nodes[node].stack.pop()
    case .bringToFront(let route, let node): nodes[node].stack.bringToFront(route)
    case .clear(let node): nodes[node].stack.removeAll()
    case .update(let rows, let node):
      do { try nodes[node].list.update(rows) } catch { preconditionFailure("\(error)") }
    case .startWorker(let worker, let node): nodes[worker].worker.start(nodes[node].interactor)
    case .stopWorker(let worker): nodes[worker].worker.stop()
    case .prepare(let node): prepareChild(of: nodes[node])
    case .workflow(let first, let second): startWorkflow(nodes[first].interactor, nodes[second].interactor)
    case .dispose(let number): pending[number].dispose()
    case .finish(let number): pending[number].finish()
    }
  }

  private func prepareChild(of node: Node) {
    let work = Preparation()
    work.handle = node.attach(
      preparing: { [mark = work.mark] in
        await mark.pass()
        return Node(number: -1)
      },
      connect: { [unowned self] child in
        work.isConnected = true
        add(child)
      })
    if work.handle?.start == .started { pending.append(work) }
  }

  private func startWorkflow(_ first: MomentInteractor, _ second: MomentInteractor) {
    let work = Steps()
    let progress = work.progress
    work.onStep { item in
      await progress.pass(item)
      return (second, ())
    }
    .onStep { item, _ in
      await progress.pass(item)
      return (item, ())
    }
    .commit()
    let before = misuseCount
    work.run = work.subscribe(first)
    if misuseCount == before { pending.append(work) }
  }

  /// Adds a node that was built for another one.
  fileprivate func add(_ node: Node) {
    node.number = nodes.count
    nodes.append(node)
    // The stream publishes its current value to each subscriber.
    script.isRecording = false
    node.join(self)
    script.isRecording = true
    record(.built, node.number)
  }

  var count: Int { nodes.count }

  var picture: [Picture] {
    nodes.map { node in
      func numbers(_ routers: [any Routing]) -> [Int] { routers.map { ($0 as? Node)?.number ?? -1 } }
      return Picture(
        isActive: node.interactor.isActive, children: numbers(node.children), route: node.slot.route,
        routes: node.stack.routes, top: node.stack.child.flatMap { numbers([$0]).first },
        rows: node.list.models.map(\.id), rowChildren: numbers(node.list.children),
        isWorkerStarted: node.worker.isStarted, isWorkerRunning: node.worker.isRunning)
    }
  }

  var work: [WorkPhase] { pending.map(\.phase) }

  private var numbers: [NodeID: Int] = [:]
  private var pending: [any PendingWork] = []
  private var misuseCount = 0

  fileprivate func record(_ moment: Moment, _ node: Int) { script.record(Line(moment: moment, node: node), to: self) }

  fileprivate func record(_ misuse: Misuse) {
    misuseCount += 1
    script.record(Line(moment: .misuse, misuse: misuse.kind), to: self)
  }

  fileprivate func record(_ event: TreeEvent) {
    switch event.kind {
    case .attached, .activated, .loaded, .resigned, .detached, .failed: break
    case .ended: return record(.ended, -1)
    case .misuse: return script.record(Line(moment: .misuseEvent, misuse: event.misuse?.kind), to: self)
    // Of work and updates, whose callbacks are recorded.
    default: return
    }
    // A detached RIB has no id any more.
    if let id = event.node, let node = nodes.first(where: { $0.interactor.nodeID == id }) { numbers[id] = node.number }
    guard let moment = Moment(rawValue: event.kind.description) else { preconditionFailure("\(event) has no moment.") }
    record(moment, event.node.flatMap { numbers[$0] } ?? -1)
  }
}

extension RealWorld {
  /// A RIB that reports each callback to its world.
  final class Node: MomentRouter, ModelRouting {
    fileprivate(set) var number: Int
    private unowned(unsafe) var world: RealWorld?
    fileprivate lazy var slot = ChildSlot<Int>(of: self) { node, _ in node.build() }
    fileprivate lazy var stack = ChildStack<Int>(of: self, covered: number.isMultiple(of: 2) ? .kept : .released) {
      node, _ in node.build()
    }
    fileprivate lazy var list = ChildList<Row>(of: self) { node, _ in node.build() }
    fileprivate let worker = ScriptedWorker()

    init(number: Int) {
      self.number = number
      super.init()
    }

    private func build() -> Node {
      let child = Node(number: -1)
      world?.add(child)
      return child
    }

    func didUpdate(to model: Row, from previous: Row) { interactor.record(.updated) }

    fileprivate func join(_ world: RealWorld) {
      self.world = world
      report { [number, unowned(unsafe) world] moment in world.record(moment, number) }
      worker.onStart = { [unowned interactor] _ in interactor.record(.workerStarted) }
      worker.onStop = { [unowned interactor] _ in interactor.record(.workerStopped) }
    }
  }
}

extension RealWorld {
  /// A point that work reaches, and passes when the walk says so, also if the work was cancelled.
  fileprivate final class Mark: Sendable {
    private let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)

    var isReached: Bool { waiting.withLock { $0 != nil } }

    nonisolated(nonsending) func pass() async {
      await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
    }

    func open() {
      let waiting = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      waiting?.resume()
    }
  }

  fileprivate final class Preparation: PendingWork {
    let mark = Mark()
    var handle: BoundWork.Handle?
    var isConnected = false

    var phase: WorkPhase {
      if isConnected { return .completed }
      if handle?.hasEnded != false { return .failed }
      return mark.isReached ? .working : .waiting
    }

    func dispose() {}
    func finish() { mark.open() }
  }

  fileprivate final class Steps: Workflow<MomentInteractor>, PendingWork {
    /// Apart, because the steps use it.
    final class Progress {
      var phase = WorkPhase.waiting
      var mark = Mark()

      nonisolated(nonsending) func pass(_ item: MomentInteractor) async {
        phase = .working
        await mark.pass()
        mark = Mark()
        item.record(.stepped)
        phase = phase == .disposedWorking ? .disposed : .waiting
      }
    }

    var run: (any Disposable)?
    let progress = Progress()

    init() { super.init(timeout: nil) }

    var phase: WorkPhase { progress.phase }

    override func didComplete() { progress.phase = .completed }
    override func didReceiveError(_ error: any Error) { progress.phase = .failed }

    func dispose() {
      switch phase {
      case .waiting: progress.phase = .disposed
      case .working: progress.phase = .disposedWorking
      case .disposedWorking, .completed, .failed, .disposed: return
      }
      run?.dispose()
    }

    func finish() { progress.mark.open() }
  }
}

/// Asynchronous work of a tree.
private protocol PendingWork: AnyObject {
  var phase: WorkPhase { get }
  func dispose()
  func finish()
}
