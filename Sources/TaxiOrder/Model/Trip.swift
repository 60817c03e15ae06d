/// A ride as it went: what a row of a trip file says, or what was made up.
struct Trip: Hashable, Sendable {
  /// Counts the orders of a run from 1.
  let number: Int
  let rider: Rider
  let duration: Duration
  let distance: Distance
  let bill: Bill
}
