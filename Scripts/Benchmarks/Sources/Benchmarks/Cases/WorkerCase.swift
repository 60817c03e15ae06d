// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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

/// A worker's start and stop in an active RIB, compared with an object that is notified and holds its scope weakly, and with
/// a subscription that is bound to the RIB and disposed of.
@MainActor
func workerCase() -> [Measurement] {
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  let (plain, worker) = (PlainWorker(), CountingWorker())
  let relay = PublishRelay<Int>()
  let count = 100_000
  let startAndStop = {
    for _ in 0..<count {
      worker.start(root.interactor)
      worker.stop()
    }
  }
  let object = Comparison(operations: count) {
    for _ in 0..<count {
      plain.start(root.interactor)
      plain.stop()
    }
  } _: {
    startAndStop()
  }
  let subscription = Comparison(operations: count) {
    for _ in 0..<count {
      relay.subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: root.interactor).dispose()
    }
  } _: {
    startAndStop()
  }
  keep(plain.starts + worker.starts)
  tree.end()
  return [
    Measurement("start and stop of a worker", object),
    Measurement("start and stop of a worker, beside a bound and disposed subscription", subscription, .atMost(2)),
  ]
}
