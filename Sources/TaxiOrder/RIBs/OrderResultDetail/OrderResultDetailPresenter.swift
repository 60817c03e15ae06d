// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class OrderResultDetailPresenter: Presenter<Narrator>, OrderResultDetailPresentable {
  func show(_ state: TaxiState) {
    switch state {
    case .assigned: viewController.line("A taxi has taken the order")
    case .approaching: viewController.line("The taxi is on its way")
    case .arrived: viewController.line("The taxi has arrived")
    case .riding: viewController.line("Riding")
    case .ended: viewController.line("The ride has ended")
    }
  }

  func showDriverCancellation() { viewController.line("The driver has cancelled") }

  func show(_ movement: Movement) {
    viewController.line(
      movement.heading.map { "Moved \(movement.distance) m, heading \($0.rawValue)" } ?? "The vehicle has not moved")
  }
}
