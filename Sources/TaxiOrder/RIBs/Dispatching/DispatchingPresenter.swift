// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class DispatchingPresenter: Presenter<Narrator>, DispatchingPresentable {
  func showOrdered(for time: OrderTime) { viewController.line("Ordered for \(time.offset.clockText)") }

  func showSearch() { viewController.line("Looking for a taxi") }

  func showNoTaxi(nextSearch pause: Duration) {
    viewController.line("None is free; looking again in \(pause.clockText)")
  }

  func show(_ assignment: Assignment) { viewController.line("Taken by \(assignment.driver.name)") }
}
