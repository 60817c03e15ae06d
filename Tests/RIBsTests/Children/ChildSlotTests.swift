import RIBs
import Testing

@Suite("A slot")
struct ChildSlotTests {
  private let log = Log()

  @Test("attaches the child of its route, and replaces it: the new one is built, the old detached, the new attached")
  func replaces() {
    let parent = SlotRouter(log)
    parent.start()
    parent.slot.route = "a"
    #expect(parent.childNames == ["a"])
    log.lines = []
    parent.slot.route = "b"
    #expect(parent.childNames == ["b"])
    #expect(
      log.lines == ["build b", "a resigns true", "a deinit", "a gone", "b active true", "b didLoad"])
    log.lines = []
    parent.slot.route = nil
    #expect(parent.childNames.isEmpty)
    #expect(parent.slot.child == nil)
    #expect(log.lines == ["b resigns true", "b deinit", "b gone"])
  }

  @Test("does nothing when an equal route is set, also inside the attaching and the building of that route")
  func equal() {
    let parent = SlotRouter(log)
    parent.start()
    parent.onBuild = { router, child in
      router.slot.route = child.name
      child.interactor.onActive = { _ in router.slot.route = "a" }
    }
    parent.slot.route = "a"
    parent.slot.route = "a"
    #expect(log.lines.filter { $0.hasPrefix("build") } == ["build a"])
    #expect(parent.childNames == ["a"])
  }

  @Test("shows its callbacks the new route with the new child, and never one without the other")
  func halfState() {
    let parent = SlotRouter(log)
    parent.start()
    parent.onBuild = { router, child in
      let look = { [unowned router, log] (moment: String) in
        let name = (router.slot.child as? ProbeRouter)?.name
        log.lines.append("\(moment): \(router.slot.route ?? "none") \(name ?? "none")")
      }
      look("building")
      child.interactor.onActive = { _ in look("activating") }
      child.interactor.onResign = { _ in look("resigning") }
      child.onDeinit = { look("releasing") }
    }
    parent.slot.route = "a"
    parent.slot.route = "b"
    #expect(
      log.lines.filter { $0.contains(": ") } == [
        "building: none none", "activating: a a", "building: a a", "resigning: b b", "releasing: b b",
        "activating: b b",
      ])
    parent.slot.route = nil
  }

  @Test("that is set again in a callback follows when the callback has returned, and leaves out what came to nothing")
  func setInside() {
    let parent = SlotRouter(log)
    parent.start()
    parent.onBuild = { router, child in
      if child.name == "a" { child.interactor.onResign = { _ in router.slot.route = "c" } }
      if child.name == "c" { child.interactor.onActive = { _ in router.slot.route = "d" } }
    }
    parent.slot.route = "a"
    log.lines = []
    parent.slot.route = "b"
    #expect(parent.slot.route == "d")
    #expect(parent.childNames == ["d"])
    #expect(
      log.lines == [
        "build b", "a resigns true", "build c", "b deinit", "b gone", "a deinit", "a gone", "c active true", "build d",
        "c didLoad", "c resigns true", "c deinit", "c gone", "d active true", "d didLoad",
      ])
  }

  @Test("goes through ten thousand routes, each set by the child of the one before, without a deep stack")
  func chain() async {
    let count = await SmallStage(stackSize: 128 * 1_024).run { _ in
      let parent = SlotRouter(Log())
      parent.start()
      parent.onBuild = { router, child in
        guard let number = Int(child.name), number < 10_000 else { return }
        child.interactor.onActive = { _ in router.slot.route = "\(number + 1)" }
      }
      parent.slot.route = "1"
      return parent.slot.route.flatMap { Int($0) }
    }
    #expect(count == 10_000)
  }

  @Test("in a slot in a slot, twenty thousand deep, is released without a deep stack")
  func deep() async {
    let lines = await SmallStage(stackSize: 128 * 1_024).run { _ in
      let log = Log()
      func build() {
        let top = DeepRouter(log)
        var last = top
        for _ in 0..<20_000 {
          last.slot.route = true
          guard let next = last.slot.child as? DeepRouter else { return }
          last = next
        }
      }
      build()
      return log.lines.count
    }
    #expect(lines == 20_001)
  }

  @Test("notices that somebody else has detached its child, and builds the route anew")
  func detachedByHand() throws {
    let parent = SlotRouter(log)
    parent.start()
    parent.slot.route = "a"
    try parent.detachChild(#require(parent.slot.child))
    #expect(parent.slot.route == nil)
    #expect(parent.slot.child == nil)
    #expect(log.lines.suffix(2) == ["a deinit", "a gone"])
    parent.slot.route = "a"
    #expect(parent.childNames == ["a"])
  }

  @Test("holds nothing when its child was detached while it became active")
  func detachedWhileAttached() {
    let parent = SlotRouter(log)
    parent.start()
    parent.onBuild = { router, child in child.interactor.onActive = { _ in router.detachChild(child) } }
    parent.slot.route = "a"
    #expect(parent.slot.route == nil)
    #expect(parent.childNames.isEmpty)
  }

  @Test("under an inactive router holds an inactive child, which becomes active with it")
  func inactive() {
    let parent = SlotRouter(log)
    parent.slot.route = "a"
    #expect(log.lines == ["build a"])
    parent.start()
    #expect(log.lines.suffix(2) == ["a active true", "a didLoad"])
  }

  @Test("refuses a route when the tree has ended, and stays as it was; emptying it goes on")
  func treeEnded() async {
    let (kinds, lines, route) = await Stage().run { _ in
      let log = Log()
      let misuses = MisuseLog()
      let parent = SlotRouter(log)
      let tree = Tree(root: parent, configuration: TreeConfiguration(onMisuse: { misuses.add($0) }))
      tree.launch()
      parent.slot.route = "a"
      tree.end()
      log.lines = []
      parent.slot.route = "b"
      let route = parent.slot.route
      parent.slot.route = nil
      return withExtendedLifetime(parent) { (misuses.kinds, log.lines, route) }
    }
    #expect(kinds == [.treeEnded])
    #expect(route == "a")
    #expect(lines == ["a deinit", "a gone"])
  }

  @Test("holds nothing when the tree ends while the old child resigns, which is reported")
  func treeEndsInside() async {
    let (kinds, route, children) = await Stage().run { _ in
      let misuses = MisuseLog()
      let parent = SlotRouter(Log())
      let tree = Tree(root: parent, configuration: TreeConfiguration(onMisuse: { misuses.add($0) }))
      tree.launch()
      parent.slot.route = "a"
      (parent.slot.child as? ProbeRouter)?.interactor.onResign = { _ in tree.end() }
      parent.slot.route = "b"
      return (misuses.kinds, parent.slot.route, parent.childNames)
    }
    #expect(kinds == [.treeEnded])
    #expect(route == nil)
    #expect(children.isEmpty)
  }

  @Test("detaches its child when it goes itself")
  func slotGoes() {
    let parent = SlotRouter(log)
    parent.start()
    parent.slot.route = "a"
    parent.slot = ChildSlot(of: parent) { _, name in ProbeRouter(name) }
    #expect(parent.childNames.isEmpty)
    #expect(log.lines.suffix(3) == ["a resigns true", "a deinit", "a gone"])
  }

  @Test("that outlives its router holds nothing, and does nothing")
  func routerGoes() {
    var parent: SlotRouter? = SlotRouter(log)
    parent?.start()
    parent?.slot.route = "a"
    let slot = parent?.slot
    parent = nil
    #expect(log.lines.suffix(3) == ["a deinit", "a gone", "parent gone"])
    #expect(slot?.child == nil)
    slot?.route = "b"
    #expect(slot?.route == nil)
  }

  @Test("takes a test double for a child")
  func double() {
    final class Child: Routing {
      let interactable: any Interactable = Interactor()
      let children: [any Routing] = []
      let lifecycle = Observable<RouterLifecycle>.never()
      func load() {}
      func attachChild(_ child: any Routing) {}
      func detachChild(_ child: any Routing) {}
    }
    let parent = SlotRouter(log)
    parent.start()
    let child = Child()
    parent.slot = ChildSlot(of: parent) { _, _ in child }
    parent.slot.route = "a"
    #expect(child.interactable.isActive)
    #expect(parent.slot.child === child)
    parent.slot.route = nil
    #expect(!child.interactable.isActive)
  }
}

/// A router whose child is like itself.
private final class DeepRouter: Router<Interactor> {
  private let log: Log
  private(set) lazy var slot = ChildSlot<Bool>(of: self) { router, _ in DeepRouter(router.log) }

  init(_ log: Log) {
    self.log = log
    super.init(interactor: Interactor())
  }

  deinit { log.lines.append("gone") }
}

/// A router with a slot whose routes are the names of its children.
private final class SlotRouter: Router<ProbeInteractor> {
  var onBuild: (SlotRouter, ProbeRouter) -> Void = { _, _ in }
  private let log: Log

  lazy var slot = ChildSlot<String>(of: self) { router, name in
    let child = ProbeRouter(name, router.log)
    router.log.lines.append("build \(name)")
    router.onBuild(router, child)
    return child
  }

  init(_ log: Log) {
    self.log = log
    super.init(interactor: ProbeInteractor("parent", log))
  }

  func start() {
    interactor.activate()
    load()
  }

  var childNames: [String] { children.map { ($0 as? ProbeRouter)?.name ?? "?" } }
}
