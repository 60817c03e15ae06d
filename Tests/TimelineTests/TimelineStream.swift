// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

struct Tweet: Equatable {
  let id: Int
  let text: String
}

protocol TimelineStream: AnyObject {
  var tweets: Observable<[Tweet]> { get }
}

protocol MutableTimelineStream: TimelineStream {
  func update(_ tweets: [Tweet])
}

final class TimelineStreamImpl: MutableTimelineStream {
  private let relay = BehaviorRelay<[Tweet]>(value: [])

  var tweets: Observable<[Tweet]> { relay.asObservable() }

  func update(_ tweets: [Tweet]) { relay.accept(tweets) }
}
