// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

protocol TimelineDependency: Dependency {
  var timelineStream: TimelineStream { get }
  var timelineViewController: TimelineViewControllable & TimelinePresentable { get }
}

final class TimelineComponent: Component<TimelineDependency>, TweetDetailDependency {
  var timelineStream: TimelineStream { dependency.timelineStream }
}

protocol TimelineBuildable: Buildable {
  func build(withListener listener: TimelineListener) -> TimelineRouting
}

final class TimelineBuilder: Builder<TimelineDependency>, TimelineBuildable {
  func build(withListener listener: TimelineListener) -> TimelineRouting {
    let component = TimelineComponent(dependency: dependency)
    let viewController = dependency.timelineViewController
    let interactor = TimelineInteractor(presenter: viewController, timelineStream: component.timelineStream)
    interactor.listener = listener
    return TimelineRouter(
      interactor: interactor, viewController: viewController,
      detailBuilder: TweetDetailBuilder(dependency: component))
  }
}
