// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

extension TestTree {
  /// Ends the tree, and fails if anything is left: unexpected lines, misuse, work that outlives its RIB, or a leaked
  /// RIB. Call it last.
  ///
  /// The end of RIBs and of their work need not be expected. Anything else that happens at the end must be.
  ///
  /// If the root was launched with `launch(building:)` and a RIB of the tree has something to save, which is a state or
  /// `savedChildren`, the tree must also survive a restart; see `expectSurvivesRestart()`.
  ///
  /// - Parameters:
  ///   - lines: all lines of the end, as one text or several; none to expect only the usual ones.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
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
        "Expect it with expect(_:), ignore it with skip(), or record less.", at: place)
    }
    if build != nil, tree?.isActive == true, savesSomething { expectSurvivesRestart(at: place) }
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
        misuse.advice + " If it is intended, take it with takeMisuses() or expect its line.", at: place)
    }
    for leak in takeLeaks() {
      fail(
        "\(leak)",
        "If the test has a reference to it, release it before finish(), or take it with takeLeaks().", at: place)
    }
    for work in runningWork {
      fail(
        "Bound work continues although its RIB has resigned: \(work).",
        "It ignores its cancellation, or waits for something that the test does not drive. Check Task.isCancelled in "
          + "it, or rethrow what its calls throw; answer what it waits for; or wait for it with "
          + "settle(until:) before finish().", at: place)
    }
    tree = nil
    root = nil
    endSleepers()
  }

  /// Ends unbound code that sleeps on the clock, such as the timer of the leak detector, because nothing drives it any more.
  func endSleepers() {
    // The timer waits on another clock if its sleep throws, so it resumes as if its time had come; it may be set once more.
    for error in [nil, nil, CancellationError()] {
      clock.resumeSleepers(of: driver, throwing: error)
      driver.run()
    }
  }

  /// Whether a RIB of the tree has something to save. Its router, or one above, may have forgotten to list it.
  private var savesSomething: Bool {
    var rest = [tree?.rootNode].compactMap(\.self)
    while let router = rest.popLast() {
      if router.interactable is any Saving || !router.savedChildren.isEmpty { return true }
      rest += router.children.compactMap { $0 as? RouterNode }
    }
    return false
  }
}
