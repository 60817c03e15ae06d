import Foundation

/// Writes to standard output without buffering.
enum StandardOutput {
  static func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
