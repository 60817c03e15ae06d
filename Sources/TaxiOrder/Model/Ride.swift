/// A ride that is over.
struct Ride: Hashable, Sendable {
  let duration: Duration
  let distance: Distance
  let bill: Bill
}
