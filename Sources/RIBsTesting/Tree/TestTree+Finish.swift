internal import RIBs

extension TestTree {
  /// Ends the tree, and fails if anything is left: something that happened and was not expected, misuse, work that does
  /// not end with its RIB, or a RIB that nobody should hold any more. Call it last.
  ///
  /// That the RIBs resign, and that their work ends, need not be expected; what else happens at the end must be.
  ///
  /// - Parameters:
  ///   - lines: all that happens at the end, as one text or line by line, if it is to be compared as a whole.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func finish(
    expecting lines: String...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    isFinished = true
    settle(fileID: fileID, filePath: filePath, line: line, column: column)
    let unexpected = transcript.takeLines()
    if !unexpected.isEmpty {
      fail(
        "This happened and was not expected:\n\(listed(unexpected))",
        "Expect it with expect(_:), leave it out with skip(), or record less.", at: place)
    }
    transcript.isEnding = lines.isEmpty
    tree?.end()
    settle(fileID: fileID, filePath: filePath, line: line, column: column)
    let last = transcript.takeLines()
    if !lines.isEmpty || !last.isEmpty { compare(last, with: lines, at: place) }
    subscription?.dispose()
    subscription = nil
    for misuse in misuses.take() {
      fail(
        "Misuse: \(misuse.path): \(misuse.message)",
        misuse.advice + " If it is meant, take it with takeMisuses() or expect its line.", at: place)
    }
    for leak in takeLeaks() {
      fail(
        "\(leak)",
        "If it is this test that holds it, let go of it before finish(), or take it with takeLeaks().", at: place)
    }
    for work in runningWork {
      fail(
        "This still runs although its RIB has resigned: \(work).",
        "It does not heed its cancellation, or waits for something that the test does not drive. Let it look at "
          + "Task.isCancelled, or throw what its calls throw; answer what it waits for; or wait for it with "
          + "settle(until:) before finish().", at: place)
    }
    tree = nil
    root = nil
    // What looks for leaks may have set another timer.
    for _ in 1...3 {
      clock.dismissSleepers(of: driver)
      _ = driver.run()
    }
  }
}
