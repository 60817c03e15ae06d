/// A source of trips.
protocol TripSource {
  /// The next trip or rejected row; nil at the end.
  mutating func next() throws -> TripReader.Row?
}

extension TripReader: TripSource {}

/// A given number of generated trips.
struct InventedTrips: TripSource {
  private let count: Int
  private let seed: UInt64
  private var number = 0

  init(count: Int, seed: UInt64) {
    self.count = count
    self.seed = seed
  }

  mutating func next() -> TripReader.Row? {
    guard number < count else { return nil }
    number += 1
    return .trip(.invented(number: number, seed: seed))
  }
}
