/// A row that is no trip, and why.
struct RejectedRow: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line the row begins on, from 1.
  let line: Int
  /// The column at fault, from 1.
  let column: Int
  /// Its name; nil where the header names none.
  let name: String?
  let reason: String

  var description: String { "line \(line), column \(column) (\(name ?? "unnamed")): \(reason)" }
}
