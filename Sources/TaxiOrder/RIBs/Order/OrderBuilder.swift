internal import RIBs

protocol OrderDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  var quoteService: any QuoteService { get }
  var dispatchService: any DispatchService { get }
  var vehicleService: any VehicleService { get }
  var paymentService: any PaymentService { get }
  var clock: any Clock<Duration> { get }
}

/// The dependencies of Order's children.
final class OrderComponent: Component<any OrderDependency>,
  SelectingDependency, DispatchingDependency, OrderResultDetailDependency, SettlementDependency, ReceiptDependency,
  RatingDependency
{
  init(dependency: any OrderDependency, link: OrderLink?) {
    rider = link.map(dependency.rider.following) ?? dependency.rider
    super.init(dependency: dependency)
  }

  var census: Census { dependency.census }
  var narrator: Narrator { dependency.narrator }
  /// The rider, with the pickup and destination of the link if there is one.
  let rider: Rider
  var quoteService: any QuoteService { dependency.quoteService }
  var dispatchService: any DispatchService { dependency.dispatchService }
  var vehicleService: any VehicleService { dependency.vehicleService }
  var paymentService: any PaymentService { dependency.paymentService }
  var clock: any Clock<Duration> { dependency.clock }
}

protocol OrderBuildable: Buildable {
  /// - Parameter link: the link that requests the order; nil if the rider does.
  func build(withListener listener: any OrderListener, link: OrderLink?)
    -> (router: any OrderRouting, actionableItem: any OrderActionableItem)
}

/// Builds one order, from the first choice to the rating.
final class OrderBuilder: Builder<any OrderDependency>, OrderBuildable {
  func build(withListener listener: any OrderListener, link: OrderLink?)
    -> (router: any OrderRouting, actionableItem: any OrderActionableItem)
  {
    let component = OrderComponent(dependency: dependency, link: link)
    let interactor = OrderInteractor(
      presenter: OrderPresenter(viewController: component.narrator), census: component.census)
    interactor.listener = listener
    let router = OrderRouter(
      interactor: interactor,
      selectingBuilder: SelectingBuilder(dependency: component),
      dispatchingBuilder: DispatchingBuilder(dependency: component),
      orderResultDetailBuilder: OrderResultDetailBuilder(dependency: component),
      settlementBuilder: SettlementBuilder(dependency: component),
      receiptBuilder: ReceiptBuilder(dependency: component),
      ratingBuilder: RatingBuilder(dependency: component))
    interactor.router = router
    return (router, interactor)
  }
}
