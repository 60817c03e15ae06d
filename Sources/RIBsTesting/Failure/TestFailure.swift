/// Something that a test expected and that is not so.
public struct TestFailure: Sendable, CustomStringConvertible {
  /// What was expected, and what happened.
  public let message: String
  /// What to do next.
  public let advice: String
  /// The place in the test that expected it.
  public let place: SourcePlace

  /// Everything a developer needs.
  public var description: String { "\(message)\n\(advice)" }
}

/// A place in a test.
public struct SourcePlace: Sendable {
  /// The module and the name of the file.
  public let fileID: StaticString
  /// The path of the file.
  public let filePath: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt
}
