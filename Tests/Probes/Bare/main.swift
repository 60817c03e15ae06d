// A program that uses the runtime and nothing else, so that what it is linked with can be looked at.
import RIBs

final class BareInteractor: Interactor {
  override func didBecomeActive() {
    super.didBecomeActive()
    task { print("The tree runs.") }
  }
}

let tree = Tree(root: Router(interactor: BareInteractor()))
tree.launch()
await Task.yield()
let report = await tree.shutdown(deadline: .seconds(5))
print(report)
