/// What was paid, and how.
struct PaidBill: Hashable, Sendable {
  let bill: Bill
  let payment: Payment
}
