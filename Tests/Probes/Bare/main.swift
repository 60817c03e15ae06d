// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// A program that uses only the runtime, to inspect the libraries it is linked with.
import RIBs

final class BareInteractor: Interactor {
  private let end: AsyncStream<Void>.Continuation

  init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

  override func didBecomeActive() {
    super.didBecomeActive()
    task {
      print("The tree runs.")
      self.end.finish()
    }
  }
}

let (hasRun, end) = AsyncStream<Void>.makeStream()
let tree = Tree(root: Router(interactor: BareInteractor(end)))
tree.launch()
for await _ in hasRun {}
let report = await tree.shutdown(timeout: .seconds(5))
print(report)
