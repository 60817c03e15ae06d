/// A completed ride: a row of a trip file, or a generated one.
package struct Trip: Hashable, Sendable {
  /// The number of the order in the run, from 1.
  let number: Int
  package let rider: Rider
  let duration: Duration
  let distance: Distance
  let bill: Bill
}
