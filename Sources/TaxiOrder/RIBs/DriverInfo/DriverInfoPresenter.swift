// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class DriverInfoPresenter: Presenter<Narrator>, DriverInfoPresentable {
  func show(_ driver: Driver) { viewController.line("Driver: \(driver)") }
  func showWaiting(_ driver: Driver) { viewController.line("\(driver.name) is waiting") }
}
