internal import RIBs

protocol RootDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  var quoteService: any QuoteService { get }
  var dispatchService: any DispatchService { get }
  var vehicleService: any VehicleService { get }
  var paymentService: any PaymentService { get }
  var clock: any Clock<Duration> { get }
  var report: (OrderOutcome) -> Void { get }
}

/// The dependencies of Root's children.
final class RootComponent: Component<any RootDependency>, LoggedOutDependency, LoggedInDependency {
  var rootViewController: RootViewController { shared { RootViewController() } }
  var loggedInViewController: any LoggedInViewControllable { rootViewController }

  var census: Census { dependency.census }
  var narrator: Narrator { dependency.narrator }
  var rider: Rider { dependency.rider }
  var quoteService: any QuoteService { dependency.quoteService }
  var dispatchService: any DispatchService { dependency.dispatchService }
  var vehicleService: any VehicleService { dependency.vehicleService }
  var paymentService: any PaymentService { dependency.paymentService }
  var clock: any Clock<Duration> { dependency.clock }
}

protocol RootBuildable: Buildable {
  /// - Returns: the router to launch, and the handler of links.
  func build() -> (router: any RootRouting, linkHandler: any LinkHandler)
}

/// Builds the RIBs of the whole program.
final class RootBuilder: Builder<any RootDependency>, RootBuildable {
  func build() -> (router: any RootRouting, linkHandler: any LinkHandler) {
    let component = RootComponent(dependency: dependency)
    let interactor = RootInteractor(report: component.dependency.report, census: component.census)
    let router = RootRouter(
      interactor: interactor,
      viewController: component.rootViewController,
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      loggedInBuilder: LoggedInBuilder(dependency: component))
    interactor.router = router
    return (router, interactor)
  }
}
