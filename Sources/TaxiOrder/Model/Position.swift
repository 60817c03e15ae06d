/// A position on the map, in meters east and north of its center.
struct Position: Hashable, Sendable {
  let east: Int
  let north: Int

  /// The position `part / whole` of the way to another.
  func moved(towards other: Position, part: Int, of whole: Int) -> Position {
    guard whole > 0 else { return other }
    func share(of length: Int) -> Int { Int(Int128(length) * Int128(part) / Int128(whole)) }
    return Position(east: east + share(of: other.east - east), north: north + share(of: other.north - north))
  }
}
