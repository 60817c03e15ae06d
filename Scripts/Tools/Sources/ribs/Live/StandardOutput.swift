import Foundation

/// What goes to the user or into a pipe, at once.
enum StandardOutput {
  static func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
