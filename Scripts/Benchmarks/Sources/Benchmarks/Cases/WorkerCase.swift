import RIBs
import Workloads

private final class PlainWorker {
  private weak var scope: AnyObject?
  private(set) var starts = 0

  @inline(never)
  func start(_ scope: AnyObject) {
    self.scope = scope
    starts += 1
  }

  @inline(never)
  func stop() { scope = nil }
}

/// A worker's start and stop in an active RIB, compared with an object that is notified and holds its scope weakly.
@MainActor
func workerCase() -> [Measurement] {
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  let (plain, worker) = (PlainWorker(), CountingWorker())
  let count = 100_000
  let comparison = Comparison(operations: count) {
    for _ in 0..<count {
      plain.start(root.interactor)
      plain.stop()
    }
  } _: {
    for _ in 0..<count {
      worker.start(root.interactor)
      worker.stop()
    }
  }
  keep(plain.starts + worker.starts)
  tree.end()
  return [Measurement("start and stop of a worker", comparison)]
}
