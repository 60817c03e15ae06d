public import RIBs

extension TestTree {
  /// Expects everything that has happened since the last expectation, in order, and nothing else.
  ///
  /// ```swift
  /// test.expect("""
  ///   Root/Order attached
  ///   Root/Order active
  ///   Root/Order loaded
  ///   """)
  /// ```
  ///
  /// `Transcript.Contents` says what the lines look like. Misuse and leaks are expected by their lines,
  /// `Root misuse: notAChild` and `Root/Order leaked: OrderRouter`. Empty lines do not count, so that a long transcript
  /// can be written in paragraphs.
  ///
  /// - Parameters:
  ///   - lines: what is expected, as one text or line by line; none for nothing.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func expect(
    _ lines: String..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    compare(transcript.takeLines(), with: lines, at: place)
  }

  /// Leaves out of the comparison what has happened since the last expectation: for what another test is about.
  public func skip() {
    _ = transcript.takeLines()
  }

  /// The misuse since it was last asked for, or expected as a part of the transcript; what is taken fails no test any
  /// more.
  ///
  /// ```swift
  /// router.detachChild(stranger)
  /// #expect(test.takeMisuses().map(\.kind) == [.notAChild])
  /// ```
  ///
  /// The lines on it in the transcript are taken too.
  public func takeMisuses() -> [Misuse] {
    transcript.removeLines(" misuse: ")
    return misuses.take()
  }

  /// What is alive now of RIBs that have left the tree, since it was last asked for or expected as a part of the
  /// transcript; what is taken fails no test any more.
  ///
  /// A tree in a test looks for leaks as any other does, five seconds after a RIB has resigned and on the test's clock,
  /// and whenever this is called, and when the test is finished. A RIB that the test itself holds on purpose says so with
  /// `expectsReattachment`.
  public func takeLeaks() -> [Leak] {
    tree?.lookForLeaks()
    transcript.removeLines(" leaked: ")
    return leaks.take()
  }

  /// Expects the tree to stand as a text says: each RIB by its name, with two more spaces before it than its parent.
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
  ///   - outline: what is expected.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func expectTree(
    _ outline: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let (expected, actual) = (outline.spokenLines, self.outline.spokenLines)
    guard expected != actual else { return }
    fail(
      "The tree does not stand as expected: \"-\" is missing, \"+\" was not expected.\n"
        + "\(Difference(expected: expected, actual: actual))",
      "Look for who attaches and detaches these, or correct the expectation.", at: place)
  }

  /// Compares what happened with what was expected, as a whole. Misuse that was expected is dealt with.
  func compare(_ actual: [String], with texts: [String], at place: SourcePlace) {
    let expected = texts.flatMap(\.spokenLines)
    let reports = misuses.take().map(\.description) + leaks.take().map(\.description)
    guard expected != actual else { return }
    let details = reports.map { "\n\($0)" }.joined()
    fail(
      "It did not happen as expected: \"-\" did not happen, \"+\" was not expected.\n"
        + "\(Difference(expected: expected, actual: actual))" + details,
      "Correct what the tree does, or the expectation.", at: place)
  }
}
