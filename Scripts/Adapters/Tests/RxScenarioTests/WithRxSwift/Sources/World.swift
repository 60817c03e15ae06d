// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RxSwift

/// The time and the singles of a scenario, with RxSwift.
final class World {
  let scheduler = HistoricalScheduler()

  func advanceSecond() { scheduler.advanceTo(scheduler.clock.addingTimeInterval(1)) }

  func subscribe<Element>(
    _ single: Single<Element>, onSuccess: @escaping (Element) -> Void, onFailure: @escaping (any Error) -> Void
  ) -> any Disposable { single.subscribe(onSuccess: onSuccess, onFailure: onFailure) }

  func stream<Element>(of single: Single<Element>) -> Observable<Element> { single.asObservable() }

  func end() {}
}

@main
enum Main {
  static func main() {
    print("RxSwift 6.5.0")
    for line in allScenarios() { print(line) }
  }
}
