import RIBs
import Testing

@Suite("A list of children")
struct ChildListTests {
  private func makeRouter(_ ids: [Int] = []) -> ListRouter {
    let router = ListRouter()
    router.start()
    router.show(ids)
    router.log.lines = []
    return router
  }

  @Test("builds, then detaches from the end, puts in order, attaches from the front, and tells of changed models")
  func order() throws {
    let parent = makeRouter([1, 2, 3, 4, 5])
    let second = try #require(parent.row(2))
    try parent.list.update([6, 5, Row(2, "b"), 7, Row(1, "b")])
    #expect(parent.rows == ["6", "5", "2", "7", "1"])
    #expect(parent.row(2) === second)
    #expect(parent.list.models == [6, 5, Row(2, "b"), 7, Row(1, "b")])
    #expect(
      parent.log.lines == [
        "build 6", "build 7", "4 resigns true", "4 deinit", "4 gone", "3 resigns true", "3 deinit", "3 gone",
        "6 active true", "7 active true", "2:  → b", "1:  → b",
      ])
  }

  @Test("finds a child by the identity of its model")
  func find() {
    let parent = makeRouter([1, 2])
    #expect(parent.row(2)?.id == 2)
    #expect(parent.list[id: 3] == nil)
    parent.show([2])
    #expect(parent.list[id: 1] == nil)
    #expect(parent.list.count == 1)
    #expect(parent.list.children.count == 1)
  }

  @Test("refuses an identity that comes twice before anything is touched")
  func repeated() {
    let parent = makeRouter([1, 2])
    #expect(throws: RepeatedIdentity.self) { try parent.list.update([3, 1, 1]) }
    #expect(throws: RepeatedIdentity.self) { try parent.list.update([1, 2, 4, 4]) }
    #expect(parent.log.lines == [])
    #expect(parent.rows == ["1", "2"])
  }

  @Test("keeps its children in order among other children of the router")
  func amongOthers() {
    let parent = ListRouter()
    parent.attachChild(ProbeRouter("x"))
    parent.show([1, 2, 3])
    parent.attachChild(ProbeRouter("y"))
    parent.start()
    #expect(parent.rows == ["x", "1", "2", "3", "y"])
    parent.show([0, 3, 4, 1, 5])
    #expect(parent.rows == ["x", "0", "3", "4", "1", "5", "y"])
    parent.show([])
    parent.show([9, 8])
    #expect(parent.rows == ["x", "y", "9", "8"])
  }

  @Test("does an update that is asked for during an update after it, before that returns")
  func updateInside() {
    let parent = makeRouter()
    parent.onBuild = { router, child in
      guard child.id == 1 else { return }
      child.interactor.onActive = { _ in
        router.show([3])
        router.log.lines.append("asked")
      }
    }
    parent.show([1, 2])
    #expect(parent.rows == ["3"])
    #expect(
      parent.log.lines == [
        "build 1", "build 2", "1 active true", "asked", "2 active true", "build 3", "2 resigns true", "2 deinit",
        "2 gone", "1 resigns true", "1 deinit", "1 gone", "3 active true",
      ])
  }

  @Test("refuses a repeated identity at once also during an update")
  func repeatedInside() {
    let parent = makeRouter()
    parent.onBuild = { router, _ in
      #expect(throws: RepeatedIdentity.self) { try router.list.update([1, 1]) }
    }
    parent.show([1])
    #expect(parent.rows == ["1"])
  }

  @Test("forgets the model of a child that somebody else detaches, and builds it anew when asked to")
  func detachedByHand() throws {
    let parent = makeRouter([1, 2, 3])
    try parent.detachChild(#require(parent.row(2)))
    #expect(parent.list.models == [1, 3])
    #expect(parent.list[id: 2] == nil)
    #expect(parent.list.count == 2)
    #expect(parent.log.lines == ["2 resigns true", "2 deinit", "2 gone"])
    parent.show([1, 2, 3])
    #expect(parent.rows == ["1", "2", "3"])
  }

  @Test("forgets a child that is detached while it becomes active")
  func detachedInside() {
    let parent = makeRouter()
    parent.onBuild = { router, child in
      if child.id == 2 { child.interactor.onActive = { _ in router.detachChild(child) } }
    }
    parent.show([1, 2, 3])
    #expect(parent.rows == ["1", "3"])
    #expect(parent.list.models == [1, 3])
  }

  @Test("under an inactive router keeps inactive children in order, which become active with it")
  func inactive() {
    let parent = ListRouter()
    parent.show([1, 2, 3])
    parent.show([3, 1])
    #expect(parent.rows == ["3", "1"])
    parent.log.lines = []
    parent.start()
    #expect(parent.log.lines == ["3 active true", "1 active true"])
  }

  @Test("can be reordered while the router activates its children, and all become active once")
  func reorderedWhileActivating() {
    let parent = ListRouter()
    parent.onBuild = { router, child in
      if child.id == 2 { child.interactor.onActive = { _ in router.show([4, 3, 2, 1, 0]) } }
    }
    parent.show([1, 2, 3, 4])
    parent.log.lines = []
    parent.start()
    #expect(parent.rows == ["4", "3", "2", "1", "0"])
    #expect(
      parent.log.lines == [
        "1 active true", "2 active true", "build 0", "0 active true", "4 active true", "3 active true",
      ])
  }

  @Test("can be reordered while the router's children resign, and all resign once")
  func reorderedWhileResigning() {
    let parent = makeRouter()
    parent.onBuild = { router, child in
      if child.id == 3 { child.interactor.onResign = { _ in router.show([4, 3, 2, 1, 0]) } }
    }
    parent.show([1, 2, 3, 4])
    parent.log.lines = []
    parent.interactor.deactivate()
    #expect(parent.rows == ["4", "3", "2", "1", "0"])
    #expect(
      parent.log.lines == [
        "4 resigns true", "3 resigns true", "build 0", "1 resigns true", "2 resigns true",
      ])
    parent.log.lines = []
    parent.row(3)?.interactor.onResign = { _ in }
    parent.interactor.activate()
    #expect(parent.log.lines == ["4", "3", "2", "1", "0"].map { "\($0) active true" })
  }

  @Test("tells of each update that has changed something with one event, after those of the children")
  func event() async {
    let (lines, changes) = await Stage().run { _ in
      let log = Log()
      var changes: [ListChanges] = []
      let parent = ListRouter()
      let tree = Tree(root: parent)
      tree.launch()
      let subscription = tree.events.subscribe { event in
        log.lines.append("\(event.path) \(event.kind)")
        if let change = event.changes { changes.append(change) }
      }
      parent.show([1, 2])
      parent.show([1, 2])
      try? parent.list.update([3, Row(2, "a"), 1])
      subscription.dispose()
      tree.end()
      return (log.lines, changes)
    }
    #expect(
      lines.filter { $0.hasPrefix("List children") } == ["List childrenUpdated", "List childrenUpdated"])
    #expect(lines.last == "List childrenUpdated")
    #expect(
      changes.map { [$0.inserted, $0.deleted, $0.moved, $0.updated] } == [[2, 0, 0, 0], [1, 0, 1, 1]])
  }

  @Test("shows the order of its models in snapshots")
  func snapshot() async {
    let states = await Stage().run { _ in
      let parent = ListRouter()
      let tree = Tree(root: parent)
      tree.launch()
      parent.show([1, 2, 3])
      for id in 1...3 { parent.row(id)?.attachChild(ProbeRouter("below \(id)")) }
      let before = tree.snapshot().nodes.compactMap(\.id?.rawValue)
      parent.show([3, 1, 2])
      let after = tree.snapshot().nodes.compactMap(\.id?.rawValue)
      tree.end()
      return [before, after]
    }
    #expect(states == [[1, 2, 5, 3, 6, 4, 7], [1, 4, 7, 2, 5, 3, 6]])
  }

  @Test("stays as it was when the tree has ended, which is reported once; emptying it goes on")
  func treeEnded() async {
    let (kinds, lines) = await Stage().run { _ in
      let misuses = MisuseLog()
      let parent = ListRouter()
      let tree = Tree(root: parent, configuration: TreeConfiguration(onMisuse: { misuses.add($0) }))
      tree.launch()
      parent.show([1, 2])
      tree.end()
      parent.log.lines = []
      parent.show([3, 4, 5])
      parent.log.lines.append("\(parent.rows)")
      parent.show([])
      return (misuses.kinds, parent.log.lines)
    }
    #expect(kinds == [.treeEnded])
    #expect(lines == [#"["1", "2"]"#, "2 deinit", "2 gone", "1 deinit", "1 gone"])
  }

  @Test("holds what could be attached when the tree ends in the middle of an update")
  func treeEndsInside() async {
    let (kinds, models) = await Stage().run { _ in
      let misuses = MisuseLog()
      let parent = ListRouter()
      let tree = Tree(root: parent, configuration: TreeConfiguration(onMisuse: { misuses.add($0) }))
      tree.launch()
      parent.onBuild = { _, child in if child.id == 2 { child.interactor.onActive = { _ in tree.end() } } }
      parent.show([1, 2, 3, 4])
      return (misuses.kinds, parent.list.models.map(\.id))
    }
    #expect(kinds == [])
    #expect(models == [1, 2])
  }

  @Test("detaches its children when it goes, the last first, and holds none when its router goes")
  func goes() {
    var parent: ListRouter? = makeRouter([1, 2])
    let log = parent?.log ?? Log()
    if let router = parent { router.list = ChildList(of: router) { router, row in RowRouter(row.id, router.log) } }
    #expect(parent?.rows == [])
    #expect(log.lines == ["2 resigns true", "2 deinit", "2 gone", "1 resigns true", "1 deinit", "1 gone"])
    parent?.show([3, 4])
    let list = parent?.list
    withExtendedLifetime(parent) { log.lines = [] }
    parent = nil
    #expect(log.lines == ["4 resigns true", "3 resigns true", "3 deinit", "3 gone", "4 deinit", "4 gone"])
    #expect(list?.models == [])
    #expect(throws: Never.self) { try list?.update([5]) }
    #expect(list?.models == [])
  }

  @Test("coalesces requests into one update at the next turn of the tree, to what the last one says")
  func coalesces() async {
    let journal = Journal()
    let host = await TreeHost { ListRouter() }
    try? await host.perform { parent in
      parent.onBuild = { _, child in journal.write("build \(child.id)") }
      for id in 1...3 {
        parent.list.setNeedsUpdate {
          journal.write("asked \(id)")
          return [Row(id)]
        }
      }
      journal.write("returned \(parent.rows)")
    }
    await journal.wait(for: "build 3")
    let rows = try? await host.perform { $0.rows }
    #expect(rows == ["3"])
    #expect(journal.lines == ["returned []", "asked 3", "build 3"])
    await host.shutdown()
  }

  @Test("lets a request go that waits when the interactor resigns, and follows those that come afterwards")
  func requestOfResigned() async {
    let journal = Journal()
    let host = await TreeHost { ListRouter() }
    try? await host.perform { parent in
      parent.onBuild = { _, child in journal.write("build \(child.id)") }
      parent.list.setNeedsUpdate { [1] }
      parent.interactor.deactivate()
      parent.interactor.activate()
      parent.list.setNeedsUpdate { [2] }
    }
    await journal.wait(for: "build 2")
    try? await host.perform { parent in
      parent.list.setNeedsUpdate { [3] }
      parent.interactor.deactivate()
    }
    await host.shutdown()
    #expect(journal.lines == ["build 2"])
  }

  @Test("hands an error of a requested update to the interactor")
  func requestFails() async {
    let journal = Journal()
    let host = await TreeHost { ListRouter() }
    try? await host.perform { parent in
      parent.interactor.onFail = { journal.write("\(type(of: $0))") }
      parent.list.setNeedsUpdate { [1, 1] }
    }
    await journal.wait(for: "RepeatedIdentity")
    await host.shutdown()
  }

  @Test("follows a request at once where there is no turn to wait for, and reports what it can't follow")
  func requestOutside() {
    let parent = ListRouter()
    parent.list.setNeedsUpdate { [1] }
    #expect(parent.rows == ["1"])
    parent.start()
    parent.list.setNeedsUpdate { [2] }
    #expect(parent.rows == ["2"])
    #expect(misuses { parent.list.setNeedsUpdate { [3, 3] } } == [.repeatedIdentity])
    #expect(parent.rows == ["2"])
  }
}
