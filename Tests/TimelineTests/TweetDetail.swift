// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

protocol TweetDetailDependency: Dependency {
  var timelineStream: TimelineStream { get }
}

protocol TweetDetailListener: AnyObject {
  func tweetDetailDidClose()
}

protocol TweetDetailRouting: ViewableRouting {}

protocol TweetDetailPresentable: Presentable {
  var title: String { get set }
}

protocol TweetDetailBuildable: Buildable {
  func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting
}

final class TweetDetailBuilder: Builder<TweetDetailDependency>, TweetDetailBuildable {
  func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting {
    let viewController = TweetDetailViewController()
    let interactor = TweetDetailInteractor(
      presenter: viewController, tweet: tweet, timelineStream: dependency.timelineStream)
    interactor.listener = listener
    return TweetDetailRouter(interactor: interactor, viewController: viewController)
  }
}

final class TweetDetailViewController: TweetDetailPresentable, ViewControllable {
  var title = ""
}

final class TweetDetailRouter: ViewableRouter<TweetDetailInteractor, TweetDetailViewController>, TweetDetailRouting {}

/// Shows a tweet, and closes when the tweet is removed from the timeline.
final class TweetDetailInteractor: PresentableInteractor<TweetDetailPresentable> {
  weak var listener: TweetDetailListener?
  private let tweet: Tweet
  private let timelineStream: TimelineStream

  init(presenter: TweetDetailPresentable, tweet: Tweet, timelineStream: TimelineStream) {
    self.tweet = tweet
    self.timelineStream = timelineStream
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.title = tweet.text
    timelineStream.tweets
      .map { [tweet] tweets in tweets.contains(tweet) }
      .distinctUntilChanged()
      .filter { !$0 }
      .subscribe(onNext: { [weak self] _ in self?.listener?.tweetDetailDidClose() })
      .disposeOnDeactivate(interactor: self)
  }
}
