/// The services that an order needs.
struct OrderServices: Sendable {
  var quote: any QuoteService
  var dispatch: any DispatchService
  var vehicle: any VehicleService
  var payment: any PaymentService
}

extension OrderServices {
  /// All services of a simulation.
  init(_ simulation: OrderSimulation) {
    self.init(quote: simulation, dispatch: simulation, vehicle: simulation, payment: simulation)
  }
}
