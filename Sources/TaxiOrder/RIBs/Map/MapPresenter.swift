// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class MapPresenter: Presenter<any MapViewControllable>, MapPresentable {
  func showCount(_ count: Int) { viewController.showCount(count) }
  func showFailure(_ reason: String) { viewController.showFailure(reason) }
}
