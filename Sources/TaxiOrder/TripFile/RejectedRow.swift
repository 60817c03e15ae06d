/// An invalid row, with the reason.
package struct RejectedRow: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line on which the row starts, from 1.
  let line: Int
  /// The invalid column, from 1.
  let column: Int
  /// Its name; nil if the header has none.
  let name: String?
  let reason: String

  package var description: String { "line \(line), column \(column) (\(name ?? "unnamed")): \(reason)" }
}
