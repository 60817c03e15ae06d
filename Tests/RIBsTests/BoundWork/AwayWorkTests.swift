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
}

extension Journal {
  /// Writes the events of a tree: kind, path and failure. On a busy machine what was cancelled may take long to end.
  var configuration: TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off,
      onEvent: { event in
        let failure = event.failure.map { " \($0)" } ?? ""
        self.write("\(event.kind) \(event.path)" + failure)
      },
      onMisuse: { misuse in self.write("\(misuse.severity) \(misuse.kind) \(misuse.path)") })
  }
}
