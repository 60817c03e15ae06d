// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The start or destination of a ride.
public enum Place: Hashable, Codable, Sendable, CustomStringConvertible {
  /// A zone of the city.
  case zone(name: String)
  /// The current position of the rider's device.
  case riderPosition

  /// The place in words.
  public var description: String {
    switch self {
    case .zone(let name): name
    case .riderPosition: "the rider's position"
    }
  }
}

/// A position on the map, in meters east and north of its center.
public struct Position: Hashable, Codable, Sendable {
  /// Meters east of the center.
  public let east: Int
  /// Meters north of the center.
  public let north: Int

  /// Creates a position.
  public init(east: Int, north: Int) {
    self.east = east
    self.north = north
  }

  /// The position `part / whole` of the way to another.
  func moved(towards other: Position, part: Int, of whole: Int) -> Position {
    guard whole > 0 else { return other }
    func share(of length: Int) -> Int { Int(Int128(length) * Int128(part) / Int128(whole)) }
    return Position(east: east + share(of: other.east - east), north: north + share(of: other.north - north))
  }
}

/// The movement of a vehicle between two positions.
struct Movement: Hashable, Sendable {
  enum Heading: String, Sendable {
    case north, northEast = "north-east", east, southEast = "south-east"
    case south, southWest = "south-west", west, northWest = "north-west"
  }

  /// The direction; nil if the vehicle has not moved.
  let heading: Heading?
  /// The distance along the blocks, in meters.
  let distance: Int

  init(from start: Position, to end: Position) {
    let (east, north) = (end.east - start.east, end.north - start.north)
    distance = abs(east) + abs(north)
    // One of the four main directions if the other axis is less than half of it.
    let isStraight = abs(east) > 2 * abs(north) || abs(north) > 2 * abs(east)
    heading =
      switch (east.signum(), north.signum()) {
      case (0, 0): nil
      case _ where isStraight && abs(east) > abs(north): east > 0 ? .east : .west
      case _ where isStraight: north > 0 ? .north : .south
      case (1, 1): .northEast
      case (1, _): .southEast
      case (_, 1): .northWest
      default: .southWest
      }
  }
}

/// The length of a ride, in millionths of a mile.
public struct Distance: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The number of decimals of a mile.
  package static let decimals = 6

  /// The number of millionths of a mile.
  public let micromiles: Int

  /// Creates a length.
  public init(micromiles: Int) { self.micromiles = micromiles }

  /// The distance in meters, limited to a million miles.
  var meters: Int { min(micromiles, 1_000_000_000_000) / 1000 * 1609 / 1000 }

  /// Miles to two decimals: `1.60 mi`.
  public var description: String { FixedPoint.text(Int128(micromiles / 10_000), decimals: 2) + " mi" }
}
