/// The driver of a taxi and its license plate.
struct Driver: Hashable, Sendable, CustomStringConvertible {
  let name: String
  let plate: String

  var description: String { "\(name), \(plate)" }
}
