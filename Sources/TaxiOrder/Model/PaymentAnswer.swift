/// What became of a payment.
enum PaymentAnswer: Hashable, Sendable {
  case paid
  case declined
}
