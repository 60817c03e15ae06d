/// How a vehicle got from one place to another.
struct Movement: Hashable, Sendable {
  enum Heading: String, Sendable {
    case north, northEast = "north-east", east, southEast = "south-east"
    case south, southWest = "south-west", west, northWest = "north-west"
  }

  /// Where to; nil if the vehicle stands.
  let heading: Heading?
  /// How far along the blocks, in metres.
  let distance: Int

  init(from start: Position, to end: Position) {
    let (east, north) = (end.east - start.east, end.north - start.north)
    distance = abs(east) + abs(north)
    // A heading is straight when it leaves the axis by less than one in two.
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
