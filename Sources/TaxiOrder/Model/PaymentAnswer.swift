/// The result of a payment request.
enum PaymentAnswer: Hashable, Sendable {
  case paid
  case declined
}
