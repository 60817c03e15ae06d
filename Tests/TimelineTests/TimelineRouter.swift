// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

protocol TimelineInteractable: Interactable, TweetDetailListener {
  var router: TimelineRouting? { get set }
  var listener: TimelineListener? { get set }
}

protocol TimelineViewControllable: ViewControllable {
  func present(_ viewController: ViewControllable)
  func dismiss(_ viewController: ViewControllable)
}

final class TimelineRouter: ViewableRouter<TimelineInteractable, TimelineViewControllable>, TimelineRouting {
  private let detailBuilder: TweetDetailBuildable
  private var detail: TweetDetailRouting?

  init(
    interactor: TimelineInteractable, viewController: TimelineViewControllable, detailBuilder: TweetDetailBuildable
  ) {
    self.detailBuilder = detailBuilder
    super.init(interactor: interactor, viewController: viewController)
    interactor.router = self
  }

  func routeToDetail(of tweet: Tweet) {
    guard detail == nil else { return }
    let detail = detailBuilder.build(withListener: interactor, tweet: tweet)
    self.detail = detail
    viewController.present(detail.viewControllable)
    attachChild(detail)
  }

  func routeBackToTimeline() {
    guard let detail else { return }
    self.detail = nil
    detachChild(detail)
    viewController.dismiss(detail.viewControllable)
  }
}
