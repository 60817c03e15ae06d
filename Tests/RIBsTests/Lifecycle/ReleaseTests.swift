import RIBs
import Testing

@Suite("The release of routers")
struct ReleaseTests {
  @Test("that are still active makes the subtree resign first, children before parents")
  func whileActive() {
    let log = Log()
    do {
      let parent = ProbeRouter("parent", log)
      parent.attachChild(ProbeRouter("first", log))
      parent.attachChild(ProbeRouter("second", log))
      parent.interactor.activate()
      parent.load()
      withExtendedLifetime(parent) { log.lines = [] }
    }
    #expect(
      log.lines == [
        "parent deinit", "second resigns true", "first resigns true", "parent resigns true",
        "first deinit", "first gone", "second deinit", "second gone", "parent gone",
      ])
  }

  @Test("leaves a child whole that somebody else holds, with its children")
  func childHeldElsewhere() {
    let log = Log()
    var parent: ProbeRouter? = ProbeRouter("parent", log)
    let child = ProbeRouter("child", log)
    child.attachChild(ProbeRouter("grandchild", log))
    parent?.attachChild(child)
    parent = nil
    #expect(log.lines == ["parent deinit", "parent gone"])
    #expect(child.childNames == ["grandchild"])
    let other = ProbeRouter("other", log)
    other.attachChild(child)
    #expect(other.childNames == ["child"])
  }

  @Test("may attach a sibling that waits for its release elsewhere")
  func siblingMovesDuringRelease() {
    let log = Log()
    let home = ProbeRouter("home", log)
    home.interactor.activate()
    home.load()
    var parent: ProbeRouter? = ProbeRouter("parent", log)
    let second = ProbeRouter("second", log)
    // Not inlined, so that nothing here holds a child for longer than it takes to attach it.
    @inline(never)
    func attach(_ name: String, onDeinit: @escaping () -> Void = {}) {
      let child = ProbeRouter(name, log)
      child.onDeinit = onDeinit
      parent?.attachChild(child)
    }
    attach("first") { home.attachChild(second) }
    parent?.attachChild(second)
    attach("third")
    parent = nil
    #expect(home.childNames == ["second"])
    #expect(
      log.lines.suffix(9) == [
        "home didLoad", "parent deinit", "first deinit", "second active true", "second didLoad", "first gone",
        "third deinit", "third gone", "parent gone",
      ])
  }

  @Test("of a parent in a callback of its last resigning child makes the parent resign first, once")
  func parentDroppedByChild() {
    let log = Log()
    var parent: ProbeRouter? = ProbeRouter("parent", log)
    let child = ProbeRouter("child", log)
    parent?.attachChild(ProbeRouter("sibling", log))
    parent?.attachChild(child)
    parent?.interactor.activate()
    parent?.load()
    log.lines = []
    child.interactor.onResign = { _ in parent = nil }
    child.interactor.deactivate()
    #expect(
      log.lines == [
        "child resigns true", "parent deinit", "sibling resigns true", "parent resigns true", "sibling deinit",
        "sibling gone", "parent gone",
      ])
    child.interactor.onResign = { _ in }
    let other = ProbeRouter("other", log)
    other.interactor.activate()
    other.load()
    other.attachChild(child)
    #expect(child.interactor.isActive)
    child.interactor.deactivate()
    #expect(other.childNames == ["child"])
  }

  @Test("of a parent in its own callback, called because its child has resigned, waits for the callback")
  func parentDroppedByItself() {
    let log = Log()
    var parent: ProbeRouter? = ProbeRouter("parent", log)
    let child = ProbeRouter("child", log)
    parent?.attachChild(child)
    parent?.interactor.activate()
    parent?.load()
    log.lines = []
    child.interactor.onResign = { _ in parent?.interactor.deactivate() }
    parent?.interactor.onResign = { interactor in
      parent = nil
      log.lines.append("still \(interactor.name)")
    }
    child.interactor.deactivate()
    #expect(
      log.lines == ["child resigns true", "parent resigns true", "still parent", "parent deinit", "parent gone"])
  }

  @Test("of the tree in a callback of a resigning RIB ends it, the rest after that callback")
  func treeDroppedByRIB() async {
    let lines = await Stage().run { stage in
      let log = Log()
      let child = ProbeRouter("child", log)
      var tree: Tree?
      do {
        let root = ProbeRouter("root", log)
        root.attachChild(child)
        tree = Tree(root: root)
        tree?.launch()
      }
      log.lines = []
      child.interactor.onResign = { _ in tree = nil }
      child.interactor.deactivate()
      return withExtendedLifetime(child) { log.lines }
    }
    #expect(lines == ["child resigns true", "root resigns true", "root deinit", "root gone"])
  }
}
