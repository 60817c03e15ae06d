import TestSupport
import RIBs
import Testing

@Suite("Work that leaves the tree")
struct AwayWorkTests {
  @Test("runs off the main actor, keeps its task-local values, and hands its result back on the main actor")
  @MainActor
  func mainActor() async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    Mark.$value.withValue(42) {
      _ = root.interactor.run({ [MainQueue.isCurrent, Mark.value == 42] }) { [unowned root] seen in
        MainActor.preconditionIsolated()
        result.yield(seen + [MainQueue.isCurrent, root.interactor.isActive])
      }
    }
    #expect(await first(of: results) == [false, true, true, true])
    await tree.shutdown()
  }

  @Test("runs off any other actor, and hands its result back there")
  func queueActor() async {
    let home = QueueActor()
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        interactor.run({ home.isCurrent }) { wasHome in result.yield([wasHome, home.isCurrent]) }
      }
      return root
    }
    #expect(await first(of: results) == [false, true])
    await home.shutdown()
  }

  @Test("tells its error on the actor of its tree, as other work does", arguments: [false, true])
  @MainActor
  func failing(isAway: Bool) async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let (errors, error) = AsyncStream<String>.makeStream()
    root.interactor.onFail = { failure in
      MainActor.preconditionIsolated()
      error.yield("\(failure)")
    }
    if isAway {
      root.interactor.run({ throw Failure() }, then: {})
    } else {
      root.interactor.task { throw Failure() }
    }
    #expect(await first(of: errors) == "Failure")
    await tree.shutdown()
  }
}
