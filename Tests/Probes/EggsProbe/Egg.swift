import Foundation
import RIBs
import RIBsStore

final class EggInteractor: Interactor, Saving {
  var savedState = Date.now + 180

  override func didBecomeActive() {
    super.didBecomeActive()
    task {
      if self.savedState > .now { print("\(Int(self.savedState.timeIntervalSinceNow)) s left") }
      fflush(nil)  // otherwise a pipe prints this line only when the process exits
      try await self.sleep(until: self.savedState)
      print("The egg is done.")
      self.endTree()
    }
  }
}
