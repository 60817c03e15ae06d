import RIBs
import Testing

@Suite("Attaching and detaching")
struct AttachTests {
  private let log = Log()

  private func active(_ name: String) -> ProbeRouter {
    let router = ProbeRouter(name, log)
    router.interactor.activate()
    router.load()
    log.lines = []
    return router
  }

  @Test("activates and loads a child once, and lists it")
  func attach() {
    let parent = active("parent")
    let child = ProbeRouter("child", log)
    parent.attachChild(child)
    #expect(parent.childNames == ["child"])
    #expect(log.lines == ["child active true", "child didLoad"])
  }

  @Test("activates and loads a grandchild once, after its parent is loaded")
  func attachSubtree() {
    let parent = active("parent")
    let child = ProbeRouter("child", log)
    child.onLoad = { $0.attachChild(ProbeRouter("late", self.log)) }
    child.attachChild(ProbeRouter("grandchild", log))
    parent.attachChild(child)
    #expect(
      log.lines == [
        "child active true", "child didLoad", "late active true", "late didLoad", "grandchild active true",
        "grandchild didLoad",
      ])
  }

  @Test("resigns a detached subtree, children first and the last attached first, and keeps it whole")
  func detach() {
    let parent = active("parent")
    let child = ProbeRouter("child", log)
    child.attachChild(ProbeRouter("first", log))
    child.attachChild(ProbeRouter("second", log))
    parent.attachChild(child)
    log.lines = []
    parent.detachChild(child)
    #expect(log.lines == ["second resigns true", "first resigns true", "child resigns true"])
    #expect(parent.children.isEmpty)
    #expect(child.childNames == ["first", "second"])
    log.lines = []
    parent.attachChild(child)
    #expect(log.lines == ["child active true", "first active true", "second active true"])
  }

  @Test("only links a child under a parent that is not active; it becomes active with the parent")
  func inactiveParent() {
    let parent = ProbeRouter("parent", log)
    let child = ProbeRouter("child", log)
    parent.attachChild(child)
    #expect(log.lines.isEmpty)
    parent.interactor.activate()
    #expect(log.lines == ["parent active true"])
    parent.load()
    #expect(log.lines == ["parent active true", "parent didLoad", "child active true", "child didLoad"])
  }

  @Test("does not load a child that is detached in its own didBecomeActive, until it is attached again")
  func selfDetach() {
    let parent = active("parent")
    let child = ProbeRouter("child", log)
    child.attachChild(ProbeRouter("grandchild", log))
    child.interactor.onActive = { [unowned child] _ in parent.detachChild(child) }
    parent.attachChild(child)
    #expect(log.lines == ["child active true", "child resigns true"])
    #expect(parent.children.isEmpty)
    child.interactor.onActive = { _ in }
    log.lines = []
    parent.attachChild(child)
    #expect(log.lines == ["child active true", "child didLoad", "grandchild active true", "grandchild didLoad"])
  }

  @Test("calls didLoad after all when the child was detached while its lifecycle was told")
  func detachWhileLoading() {
    let parent = active("parent")
    let child = ProbeRouter("child", log)
    var isFirst = true
    let subscription = child.lifecycle.subscribe { [log, unowned child] _ in
      log.lines.append("lifecycle")
      if isFirst { parent.detachChild(child) }
      isFirst = false
    }
    parent.attachChild(child)
    #expect(log.lines == ["child active true", "lifecycle", "child resigns true"])
    parent.attachChild(child)
    #expect(log.lines.suffix(2) == ["child active true", "child didLoad"])
    subscription.dispose()
  }

  @Test("does not activate a sibling that was detached before its turn")
  func detachSibling() {
    let parent = ProbeRouter("parent", log)
    let (first, second) = (ProbeRouter("first", log), ProbeRouter("second", log))
    parent.attachChild(first)
    parent.attachChild(second)
    first.interactor.onActive = { _ in parent.detachChild(second) }
    parent.interactor.activate()
    parent.load()
    #expect(log.lines == ["parent active true", "parent didLoad", "first active true", "first didLoad"])
    #expect(!second.interactor.isActive)
  }

  @Test("only links what is attached under a parent that resigns")
  func attachWhileResigning() {
    let parent = active("parent")
    let late = ProbeRouter("late", log)
    parent.interactor.onResign = { _ in parent.attachChild(late) }
    parent.interactor.deactivate()
    #expect(log.lines == ["parent resigns true"])
    #expect(parent.childNames == ["late"])
  }

  @Test("completes a detach from inside the resigning subtree after the callback")
  func detachWhileResigning() {
    let parent = active("parent")
    let child = ProbeRouter("child", log)
    parent.attachChild(child)
    child.interactor.onResign = { [unowned child] _ in
      parent.detachChild(child)
      #expect(parent.childNames == ["child"])
      #expect(misuses { parent.attachChild(child) } == [.alreadyAttached])
    }
    child.interactor.deactivate()
    #expect(parent.children.isEmpty)
  }

  @Test("refuses what would break the tree, and leaves it as it was")
  func refusals() {
    let parent = active("parent")
    let (child, other) = (ProbeRouter("child", log), ProbeRouter("other", log))
    parent.attachChild(child)
    #expect(misuses { parent.attachChild(child) } == [.alreadyAttached])
    #expect(misuses { other.attachChild(child) } == [.alreadyAttached])
    #expect(misuses { other.detachChild(child) } == [.notAChild])
    #expect(misuses { other.attachChild(other) } == [.cycle])
    #expect(misuses { other.attachChild(parent) } == [.alreadyActive])
    let below = ProbeRouter("below", log)
    other.attachChild(below)
    #expect(misuses { below.attachChild(other) } == [.cycle])
    #expect(misuses { below.interactor.activate() } == [.inactiveParent])
    #expect(parent.childNames == ["child"])
    #expect(other.childNames == ["below"])
    #expect(child.interactor.isActive)
    #expect(!below.interactor.isActive)
  }

  @Test("tells lifecycle once that the router loads, replays nothing, and ends it when the router goes")
  func lifecycle() {
    var told: [String] = []
    var router: ProbeRouter? = ProbeRouter("router", log)
    _ = router?.lifecycle.subscribe(onNext: { told.append("\($0)") }, onCompleted: { told.append("end") })
    #expect(told.isEmpty)
    router?.load()
    router?.load()
    #expect(told == ["didLoad"])
    _ = router?.lifecycle.subscribe { told.append("late \($0)") }
    router = nil
    #expect(told == ["didLoad", "end"])
  }
}
