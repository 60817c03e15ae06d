// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RxCompatibility

/// The time and the singles of a scenario, in a tree.
final class World {
  let scheduler = Interactor()
  private let test = TestTree(recording: [])

  init() { test.launch(interactor: scheduler) }

  func advanceSecond() { test.advance(by: .seconds(1)) }

  func subscribe<Element>(
    _ single: Single<Element>, onSuccess: @escaping (Element) -> Void, onFailure: @escaping (any Error) -> Void
  ) -> any Disposable {
    single.subscribe(onSuccess: onSuccess, onFailure: onFailure).disposeOnDeactivate(interactor: scheduler)
  }

  func stream<Element>(of single: Single<Element>) -> Observable<Element> { single.asObservable(scheduler: scheduler) }

  func end() {
    test.settle()
    test.finish()
  }
}
