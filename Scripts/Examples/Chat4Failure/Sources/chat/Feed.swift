import Foundation

/// Where headlines come from.
protocol Feed: Sendable {
  /// Waits for the headline that follows a number of others.
  func headline(after count: Int) async throws -> String
}

/// A feed whose headlines are the lines of a file.
struct FileFeed: Feed {
  let path: String

  func headline(after count: Int) async throws -> String {
    while true {
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      if lines.count > count { return String(lines[count]) }
      try await Task.sleep(for: .milliseconds(500))
    }
  }
}
