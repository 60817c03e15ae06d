/// The services that an order needs.
struct OrderServices: Sendable {
  var quote: any QuoteService
  var dispatch: any DispatchService
  var vehicle: any VehicleService
  var payment: any PaymentService
}

extension OrderServices {
  /// All services of one backend.
  init(_ backend: some QuoteService & DispatchService & VehicleService & PaymentService) {
    self.init(quote: backend, dispatch: backend, vehicle: backend, payment: backend)
  }
}
