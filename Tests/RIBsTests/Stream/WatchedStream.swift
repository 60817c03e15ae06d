// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

extension ObservableType {
  /// The same stream, which says when it has one subscriber more, and one less.
  func watched(_ change: @escaping (Int) -> Void) -> Observable<Element> {
    Observable.create { observer in
      change(1)
      let subscription = self.subscribe(onNext: observer.onNext)
      return Disposables.create {
        subscription.dispose()
        change(-1)
      }
    }
  }
}
