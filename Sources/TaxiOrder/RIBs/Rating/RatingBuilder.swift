internal import RIBs

protocol RatingDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var clock: any Clock<Duration> { get }
}

/// Adds nothing to the dependencies of Rating.
final class RatingComponent: Component<any RatingDependency> {}

protocol RatingBuildable: Buildable {
  func build(withListener listener: any RatingListener, bill: Bill) -> any RatingRouting
}

/// Builds the rating of the ride.
final class RatingBuilder: Builder<any RatingDependency>, RatingBuildable {
  func build(withListener listener: any RatingListener, bill: Bill) -> any RatingRouting {
    let component = RatingComponent(dependency: dependency)
    let interactor = RatingInteractor(
      presenter: RatingPresenter(viewController: component.dependency.narrator), clock: component.dependency.clock,
      bill: bill, census: component.dependency.census)
    interactor.listener = listener
    return RatingRouter(interactor: interactor)
  }
}
