// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An expectation of a test that was not met.
public struct TestFailure: Sendable, CustomStringConvertible {
  /// What was expected, and what happened.
  public let message: String
  /// How to fix it.
  public let advice: String
  /// The call site of the expectation.
  public let place: SourcePlace

  /// The message and the advice, on separate lines.
  public var description: String { "\(message)\n\(advice)" }
}

/// A location in the source of a test.
public struct SourcePlace: Sendable {
  /// The module and the file name.
  public let fileID: StaticString
  /// The path of the file.
  public let filePath: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt
}
