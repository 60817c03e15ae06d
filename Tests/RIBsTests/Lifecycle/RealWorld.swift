import RIBs
import RIBsTesting

/// The world as the runtime makes it.
final class RealWorld: World {
  let script: Script
  private(set) var nodes: [Node] = []
  let reports = Reports()
  private let tree: Tree

  /// - Parameters:
  ///   - shape: the tree. All nodes numbered beyond it are free.
  ///   - count: how many nodes there are.
  init(_ shape: Shape, count: Int, isObserved: Bool, script: Script) {
    self.script = script
    nodes = (0..<count).map(Node.init)
    let reports = reports
    var configuration = TreeConfiguration(onMisuse: { (misuse: Misuse) in reports.record(misuse) }, onFailure: { _ in })
    configuration.inspector = TestTree.inspector
    if isObserved { configuration.onEvent = { (event: TreeEvent) in reports.record(event) } }
    tree = Tree(root: nodes[0], configuration: configuration)
    reports.world = self
    for (index, parent) in shape.parents.enumerated() { nodes[parent].attachChild(nodes[index + 1]) }
    for node in nodes { node.join(self) }
    script.isRecording = true
  }

  func launch(on stage: isolated Stage) { tree.launch() }

  func perform(_ action: Action) {
    switch action {
    case .attach(let child, let parent): nodes[parent].attachChild(nodes[child])
    case .detach(let child, let parent): nodes[parent].detachChild(nodes[child])
    case .activate(let node): nodes[node].interactor.activate()
    case .deactivate(let node): nodes[node].interactor.deactivate()
    case .load(let node): nodes[node].load()
    case .fail(let node): nodes[node].interactor.fail(Failure())
    case .end: tree.end()
    }
  }

  var picture: [Picture] {
    nodes.map { node in
      Picture(isActive: node.interactor.isActive, children: node.children.map { ($0 as? Node)?.number ?? -1 })
    }
  }

  private var numbers: [NodeID: Int] = [:]

  var snapshot: TreeSnapshot { tree.snapshot() }

  fileprivate func record(_ moment: Moment, _ node: Int) { script.record(Line(moment: moment, node: node), to: self) }

  fileprivate func record(_ misuse: Misuse) {
    script.record(Line(moment: .misuse, misuse: misuse.kind), to: self)
  }

  fileprivate func record(_ event: TreeEvent) {
    let moment: Moment
    switch event.kind {
    case .attached: moment = .attached
    case .activated: moment = .activated
    case .loaded: moment = .loaded
    case .resigned: moment = .resigned
    case .detached: moment = .detached
    case .failed: moment = .failed
    case .ended: return record(.ended, -1)
    default: return script.record(Line(moment: .misuseEvent, misuse: event.misuse?.kind), to: self)
    }
    // A detached RIB has no id any more.
    if let id = event.node, let node = nodes.first(where: { $0.interactor.nodeID == id }) { numbers[id] = node.number }
    record(moment, event.node.flatMap { numbers[$0] } ?? -1)
  }
}

/// Lets the handlers of a configuration, which may not capture anything of a tree, reach a world on the same actor.
final class Reports: @unchecked Sendable {
  fileprivate weak var world: RealWorld?

  func record(_ misuse: Misuse) { world?.record(misuse) }

  func record(_ event: TreeEvent) { world?.record(event) }
}

extension RealWorld {
  /// A RIB that reports each callback to its world.
  final class Node: Router<Heart> {
    let number: Int

    init(number: Int) {
      self.number = number
      super.init(interactor: Heart(number))
    }

    fileprivate func join(_ world: RealWorld) {
      let number = number
      interactor.world = world
      _ = interactor.isActiveStream.subscribe { [unowned world] isActive in
        world.record(isActive ? .streamTrue : .streamFalse, number)
      }
      _ = lifecycle.subscribe { [unowned world] _ in world.record(.lifecycle, number) }
    }

    override func didLoad() {
      super.didLoad()
      interactor.record(.didLoad)
    }
  }

  final class Heart: Interactor {
    private let number: Int
    fileprivate unowned(unsafe) var world: RealWorld?

    init(_ number: Int) { self.number = number }

    override func didBecomeActive() {
      super.didBecomeActive()
      Disposables.create { [unowned self] in record(.disposed) }.disposeOnDeactivate(interactor: self)
      record(.didBecomeActive)
    }

    override func willResignActive() {
      super.willResignActive()
      record(.willResignActive)
    }

    fileprivate func record(_ moment: Moment) { world?.record(moment, number) }
  }
}
