/// A source of trips.
package protocol TripSource {
  /// The next trip or rejected row; nil at the end.
  mutating func next() throws -> TripReader.Row?
}

extension TripReader: TripSource {}

/// A given number of generated trips.
package struct InventedTrips: TripSource {
  private let count: Int
  private let seed: UInt64
  private var number = 0

  package init(count: Int, seed: UInt64) {
    self.count = count
    self.seed = seed
  }

  package mutating func next() -> TripReader.Row? {
    guard number < count else { return nil }
    number += 1
    return .trip(.invented(number: number, seed: seed))
  }
}
