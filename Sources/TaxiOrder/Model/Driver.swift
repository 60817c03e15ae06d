/// Who drives the taxi, and in what.
struct Driver: Hashable, Sendable, CustomStringConvertible {
  let name: String
  let plate: String

  var description: String { "\(name), \(plate)" }
}
