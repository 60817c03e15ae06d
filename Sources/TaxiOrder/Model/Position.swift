/// A place on the map, in metres east and north of its middle.
struct Position: Hashable, Sendable {
  let east: Int
  let north: Int

  /// The place a part of the way to another one.
  func moved(towards other: Position, part: Int, of whole: Int) -> Position {
    guard whole > 0 else { return other }
    func share(of length: Int) -> Int { Int(Int128(length) * Int128(part) / Int128(whole)) }
    return Position(east: east + share(of: other.east - east), north: north + share(of: other.north - north))
  }
}
