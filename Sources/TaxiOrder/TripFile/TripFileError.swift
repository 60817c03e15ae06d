/// An error because of which a file can't be replayed.
package enum TripFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case malformedHeader(column: Int, String)
  case missingColumns([String])
  case repeatedColumn(String)
  /// The message of the operating system.
  case unreadable(String)

  package var description: String {
    switch self {
    case .empty: "it is empty; the first line must name the columns"
    case .malformedHeader(let column, let reason): "column \(column) of the first line is malformed: \(reason)"
    case .missingColumns(let names):
      "the first line has no column \(names.map { "'\($0)'" }.joined(separator: ", "))"
    case .repeatedColumn(let name): "the first line names the column '\(name)' twice"
    case .unreadable(let reason): reason
    }
  }
}
