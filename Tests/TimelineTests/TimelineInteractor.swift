// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

protocol TimelineRouting: ViewableRouting {
  func routeToDetail(of tweet: Tweet)
  func routeBackToTimeline()
}

protocol TimelinePresentableListener: AnyObject {
  func didSelect(_ tweet: Tweet)
}

protocol TimelinePresentable: Presentable {
  var listener: TimelinePresentableListener? { get set }
  func show(_ tweets: [Tweet])
}

protocol TimelineListener: AnyObject {
  func timelineDidOpen(_ tweet: Tweet)
}

final class TimelineInteractor: PresentableInteractor<TimelinePresentable>, TimelineInteractable,
  TimelinePresentableListener
{
  weak var router: TimelineRouting?
  weak var listener: TimelineListener?
  private let timelineStream: TimelineStream

  init(presenter: TimelinePresentable, timelineStream: TimelineStream) {
    self.timelineStream = timelineStream
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    timelineStream.tweets
      .subscribe(onNext: { [weak self] tweets in self?.presenter.show(tweets) })
      .disposeOnDeactivate(interactor: self)
  }

  func didSelect(_ tweet: Tweet) {
    router?.routeToDetail(of: tweet)
    listener?.timelineDidOpen(tweet)
  }

  func tweetDetailDidClose() { router?.routeBackToTimeline() }
}
