/// Why a file can't be replayed at all.
enum TripFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case malformedHeader(column: Int, String)
  case missingColumns([String])
  case repeatedColumn(String)
  /// The operating system's words for it.
  case unreadable(String)

  var description: String {
    switch self {
    case .empty: "it is empty; the first line has to name the columns"
    case .malformedHeader(let column, let reason): "the first line goes wrong in column \(column): \(reason)"
    case .missingColumns(let names):
      "the first line names no column \(names.map { "'\($0)'" }.joined(separator: ", "))"
    case .repeatedColumn(let name): "the first line names the column '\(name)' twice"
    case .unreadable(let reason): reason
    }
  }
}
