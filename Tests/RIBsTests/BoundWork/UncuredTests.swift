// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("Bound work without its precautions")
struct UncuredTests {
  @Test("leaves its actor without a task executor preference", arguments: Form.defective)
  func withoutPreference(_ form: Form) async {
    let home = QueueActor()
    let (finished, finish) = AsyncStream<Void>.makeStream()
    let strays = StrayCount { home.isCurrent }
    await home.launch {
      let interactor = Counting(form, tasks: 1, rounds: 100, strays: strays, finished: finish)
      interactor.uncured = home
      return BeginningRouter(interactor: interactor, count: AsyncStream<Int>.makeStream().continuation)
    }
    for await _ in finished {}
    await home.drop()
    expectNeeded(strays.value > 0, "The form \(form) stays on its actor without a task executor preference.")
  }

  @Test("leaves its actor when the isolation is not used before the call")
  func withElidedHop() async {
    let home = QueueActor()
    let strays = StrayCount { home.isCurrent }
    try? await home.runWithElidedHop(Uncured { strays.check() })
    expectNeeded(strays.value > 0, "The hop to the actor is not left out any more.")
  }
}

/// Expects a defect of the compiler where it is known, and elsewhere says that it is gone.
private func expectNeeded(_ isNeeded: Bool, _ comment: Comment) {
  if isKnownToNeedCure {
    #expect(isNeeded, comment)
  } else if !isNeeded {
    print("No longer needed: \(comment)")
  }
}

#if compiler(<6.4)
  private let isKnownToNeedCure = true
#else
  private let isKnownToNeedCure = false
#endif
