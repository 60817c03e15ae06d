/// A ride that has ended.
struct Ride: Hashable, Sendable {
  let duration: Duration
  let distance: Distance
  let bill: Bill
}
