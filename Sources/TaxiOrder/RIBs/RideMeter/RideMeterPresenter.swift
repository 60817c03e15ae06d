internal import RIBs

final class RideMeterPresenter: Presenter<Narrator>, RideMeterPresentable {
  func showStart() { viewController.line("The meter is running") }

  func show(_ ride: Ride) { viewController.line("Metered: \(ride.distance) in \(ride.duration.clockText)") }
}
