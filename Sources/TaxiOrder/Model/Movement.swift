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
