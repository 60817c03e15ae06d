// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class CancelOrderPresenter: Presenter<Narrator>, CancelOrderPresentable {
  func showWish() { viewController.line("The rider wants to cancel") }
  func showRefusal() { viewController.line("Too late to cancel: the ride has begun") }
  func showCancellation() { viewController.line("The order is cancelled") }
}
