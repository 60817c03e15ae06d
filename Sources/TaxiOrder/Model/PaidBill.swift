/// The paid bill and the means of payment.
struct PaidBill: Hashable, Sendable {
  let bill: Bill
  let payment: Payment
}
