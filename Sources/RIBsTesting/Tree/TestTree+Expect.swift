// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TestTree {
  /// Expects exactly these lines since the last expectation, in order.
  ///
  /// ```swift
  /// test.expect("""
  ///   Root/Order attached
  ///   Root/Order active
  ///   Root/Order loaded
  ///   """)
  /// ```
  ///
  /// `Transcript.Contents` documents the format of the lines. Misuse and leaks are expected by their lines, `Root
  /// misuse: notAChild` and `Root/Order leaked: OrderRouter`. Empty lines are ignored, so a long transcript can be
  /// divided into paragraphs.
  ///
  /// - Parameters:
  ///   - lines: the expected lines, as one text or several; none to expect nothing.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func expect(
    _ lines: String..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    compare(transcript.takeLines(), with: lines, at: place)
  }

  /// Ignores the lines since the last expectation.
  public func skip() {
    _ = transcript.takeLines()
  }

  /// Returns the misuse since the last call or expectation, and removes it from the test's failures.
  ///
  /// ```swift
  /// router.detachChild(stranger)
  /// #expect(test.takeMisuses().map(\.kind) == [.notAChild])
  /// ```
  ///
  /// Its lines are removed from the transcript.
  public func takeMisuses() -> [Misuse] {
    transcript.removeLines(" misuse: ")
    return misuses.take()
  }

  /// Checks for leaks now, and returns those found since the last call or expectation. Returned leaks no longer fail
  /// the test.
  ///
  /// A test tree also checks for leaks five seconds after a RIB has resigned, on the test's clock, and in `finish()`.
  /// Set `expectsReattachment` for a RIB that the test keeps on purpose.
  public func takeLeaks() -> [TreeEvent.Leak] {
    tree?.lookForLeaks()
    transcript.removeLines(" leaked: ")
    return leaks.take()
  }

  /// Expects the tree to match an outline: one RIB name per line, indented by two more spaces than its parent.
  ///
  /// ```swift
  /// test.expectTree("""
  ///   Root
  ///     LoggedIn
  ///       Order
  ///   """)
  /// ```
  ///
  /// - Parameters:
  ///   - outline: the expected tree.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func expectTree(
    _ outline: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let (expected, actual) = (outline.nonEmptyLines, self.outline.nonEmptyLines)
    guard expected != actual else { return }
    fail(
      "The tree is not as expected: \"-\" is missing, \"+\" was not expected.\n"
        + "\(Difference(expected: expected, actual: actual))",
      "Check what attaches and detaches these RIBs, or correct the expectation.", at: place)
  }

  /// Compares all lines with the expected ones, and clears the recorded misuse and leaks.
  func compare(_ actual: [String], with texts: [String], at place: SourcePlace) {
    let (expected, actual) = (texts.flatMap(\.nonEmptyLines), actual.flatMap(\.nonEmptyLines))
    let reports = misuses.take().map(\.description) + leaks.take().map(\.description)
    guard expected != actual else { return }
    let details = reports.map { "\n\($0)" }.joined()
    fail(
      "The tree did not behave as expected: \"-\" did not happen, \"+\" was not expected.\n"
        + "\(Difference(expected: expected, actual: actual))" + details,
      "Correct what the tree does, or the expectation.", at: place)
  }
}
