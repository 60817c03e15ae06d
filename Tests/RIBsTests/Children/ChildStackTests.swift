import RIBs
import Testing

@Suite("A stack")
struct ChildStackTests {
  private let log = Log()

  private func makeRouter(_ covered: CoveredChildren) -> StackRouter {
    let router = StackRouter(log, covered)
    router.interactor.activate()
    router.load()
    log.lines = []
    return router
  }

  @Test("keeps covered children, detached and inactive, and attaches them again")
  func kept() {
    let parent = makeRouter(.kept)
    parent.stack.push("a")
    parent.stack.push("b")
    #expect(parent.stack.routes == ["a", "b"])
    #expect(parent.childNames == ["b"])
    #expect(
      log.lines == [
        "build a", "a active true", "a didLoad", "build b", "a resigns true", "b active true", "b didLoad",
      ])
    log.lines = []
    #expect(parent.stack.pop() == "b")
    #expect(parent.childNames == ["a"])
    #expect(log.lines == ["b resigns true", "b deinit", "b gone", "a active true"])
  }

  @Test("releases covered children if asked to, and builds them anew before it uncovers them")
  func released() {
    let parent = makeRouter(.released)
    parent.stack.push("a")
    log.lines = []
    parent.stack.push("b")
    #expect(log.lines == ["build b", "a resigns true", "a deinit", "a gone", "b active true", "b didLoad"])
    log.lines = []
    parent.stack.pop()
    #expect(log.lines == ["build a", "b resigns true", "b deinit", "b gone", "a active true", "a didLoad"])
    #expect(parent.childNames == ["a"])
  }

  @Test("pops to the highest of equal routes, and says when there is none")
  func popTo() {
    let parent = makeRouter(.kept)
    for route in ["a", "b", "a", "c", "d"] { parent.stack.push(route) }
    let isThere = parent.stack.pop(to: "a")
    #expect(isThere)
    #expect(parent.stack.routes == ["a", "b", "a"])
    #expect(parent.childNames == ["a"])
    #expect(!parent.stack.pop(to: "x"))
    #expect(parent.stack.routes == ["a", "b", "a"])
    #expect(log.lines.filter { $0.hasSuffix("gone") } == ["c gone", "d gone"])
  }

  @Test("replaces what is on top, and pushes on an empty stack")
  func replace() {
    let parent = makeRouter(.kept)
    parent.stack.replace(with: "a")
    parent.stack.push("b")
    parent.stack.replace(with: "c")
    #expect(parent.stack.routes == ["a", "c"])
    #expect(parent.childNames == ["c"])
    #expect(log.lines.contains("b gone"))
  }

  @Test("brings a covered child to the front alive, and pushes what is not there")
  func bringToFront() {
    let parent = makeRouter(.kept)
    for route in ["a", "b", "c"] { parent.stack.push(route) }
    log.lines = []
    parent.stack.bringToFront("a")
    #expect(parent.stack.routes == ["b", "c", "a"])
    #expect(log.lines == ["c resigns true", "a active true"])
    parent.stack.bringToFront("d")
    #expect(parent.stack.routes == ["b", "c", "a", "d"])
    #expect(parent.childNames == ["d"])
  }

  @Test("does nothing when a route is pushed that is on top already")
  func pushTwice() {
    let parent = makeRouter(.kept)
    parent.stack.push("a")
    parent.stack.push("a")
    parent.stack.replace(with: "a")
    parent.stack.bringToFront("a")
    #expect(parent.stack.routes == ["a"])
    #expect(log.lines.filter { $0.hasPrefix("build") } == ["build a"])
  }

  @Test("empties itself")
  func empties() {
    let parent = makeRouter(.kept)
    #expect(parent.stack.pop() == nil)
    for route in ["a", "b"] { parent.stack.push(route) }
    parent.stack.removeAll()
    #expect(parent.stack.top == nil)
    #expect(parent.childNames.isEmpty)
    #expect(log.lines.filter { $0.hasSuffix("gone") }.count == 2)
  }

  @Test("follows changes made in callbacks when those have returned, and comes back to a child that was on its way out")
  func changesInside() {
    let parent = makeRouter(.kept)
    parent.onBuild = { router, child in
      if child.name == "a" { child.interactor.onResign = { _ in router.stack.pop() } }
    }
    parent.stack.push("a")
    log.lines = []
    parent.stack.push("b")
    #expect(parent.stack.routes == ["a"])
    #expect(parent.childNames == ["a"])
    #expect(log.lines == ["build b", "a resigns true", "b deinit", "b gone", "a active true"])
    parent.stack.removeAll()
  }

  @Test("builds a child anew that is covered and uncovered while it resigns with its router")
  func whileResigning() {
    let parent = makeRouter(.kept)
    parent.onBuild = { router, child in
      guard child.name == "a" else { return }
      child.interactor.onResign = { interactor in
        interactor.onResign = { _ in }
        router.onBuild = { _, _ in }
        router.stack.push("b")
        router.stack.pop()
      }
    }
    parent.stack.push("a")
    log.lines = []
    parent.interactor.deactivate()
    #expect(parent.childNames == ["a"])
    parent.interactor.activate()
    #expect(
      log.lines == [
        "a resigns true", "build b", "b deinit", "b gone", "build a", "a deinit", "a gone", "parent resigns true",
        "parent active true", "a active true", "a didLoad",
      ])
  }

  @Test("leaves the route of a child that somebody else has detached, and builds it anew when it comes to the top")
  func detachedByHand() throws {
    let parent = makeRouter(.kept)
    parent.stack.push("a")
    try parent.detachChild(#require(parent.stack.child))
    #expect(parent.stack.routes == ["a"])
    #expect(parent.stack.child == nil)
    parent.stack.push("b")
    log.lines = []
    parent.stack.pop()
    #expect(log.lines == ["build a", "b resigns true", "b deinit", "b gone", "a active true", "a didLoad"])
    try parent.detachChild(#require(parent.stack.child))
    parent.stack.push("a")
    #expect(parent.childNames == ["a"])
    #expect(parent.stack.routes == ["a", "a"])
  }

  @Test("does as the last asks when its builder changes it")
  func changedWhileBuilding() {
    let parent = makeRouter(.kept)
    parent.onBuild = { router, child in
      if child.name == "a" { router.stack.push("b") }
    }
    parent.stack.push("a")
    #expect(parent.stack.routes == ["b", "a"])
    #expect(parent.childNames == ["a"])
  }

  @Test("detaches and releases all when it goes, or its router does")
  func goes() {
    var parent: StackRouter? = makeRouter(.kept)
    parent?.stack.push("a")
    parent?.stack.push("b")
    if let router = parent { router.stack = ChildStack(of: router, covered: .kept) { _, name in ProbeRouter(name) } }
    #expect(parent?.childNames == [])
    #expect(log.lines.filter { $0.hasSuffix("gone") }.sorted() == ["a gone", "b gone"])
    parent?.stack.push("c")
    let stack = parent?.stack
    parent = nil
    #expect(stack?.child == nil)
    stack?.push("d")
    #expect(stack?.child == nil)
  }
}

/// A router with a stack whose routes are the names of its children.
private final class StackRouter: Router<ProbeInteractor> {
  var onBuild: (StackRouter, ProbeRouter) -> Void = { _, _ in }
  private let log: Log
  private let covered: CoveredChildren

  lazy var stack = ChildStack<String>(of: self, covered: covered) { router, name in
    router.log.lines.append("build \(name)")
    let child = ProbeRouter(name, router.log)
    router.onBuild(router, child)
    return child
  }

  init(_ log: Log, _ covered: CoveredChildren) {
    self.log = log
    self.covered = covered
    super.init(interactor: ProbeInteractor("parent", log))
  }

  var childNames: [String] { children.map { ($0 as? ProbeRouter)?.name ?? "?" } }
}
