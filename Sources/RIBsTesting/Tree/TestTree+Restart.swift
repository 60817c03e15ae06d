// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsStore

extension TestTree {
  /// Expects the tree to be the same after a restart of the process.
  ///
  /// Saves the tree, encodes and decodes it, restores it into a second tree with a new root, and lets that settle. The
  /// second tree must have the same RIBs in the same order, with the same summaries and the same running work. Work is
  /// compared by its key, or else by the file and line that started it, and sleeps until the same wall time. Saving the second tree must result in the same
  /// bytes, and so must what the tree itself has last asked to be saved.
  ///
  /// A failure names what was forgotten: a state, a route, work that `didBecomeActive()` does not start again, or
  /// `setNeedsSave()` after a change of a state.
  ///
  /// The root must have been launched with `launch(building:)`. The second tree shares the clock of the first, with its wall
  /// time: work that sleeps until a wall time in the state sleeps the rest, and runs at once if the time has come. It is
  /// ended before this returns, and writes nothing to the transcript.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func expectSurvivesRestart(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    settle(fileID: fileID, filePath: filePath, line: line, column: column)
    expectSurvivesRestart(at: place)
  }

  func expectSurvivesRestart(at place: SourcePlace) {
    guard let tree, let build else {
      return fail(
        "The tree can't be restored into a second one: nothing builds its root again.",
        "Launch it with launch(building: { … }).", at: place)
    }
    let (saved, lines) = (tree.save(), tree.snapshot().comparableLines)
    let coder = JSONStateCoder()
    let document: [UInt8]
    let copy: SavedTree
    do {
      document = try saved.encoded(by: coder)
      copy = try SavedTree(document)
    } catch {
      return fail(
        "The tree can't be saved: \(error)", "Correct what is saved: states and routes that encode as JSON.", at: place)
    }
    if let last = try? saves.last?.encoded(by: coder), last != document {
      return fail(
        "The tree has changed and was not saved: \"-\" was saved, \"+\" is new.\n\(difference(last, document))",
        "Call setNeedsSave() when savedState has changed.", at: place)
    }
    transcript.withoutLines {
      let second = TestTree(
        restoring: copy, coder: coder, recording: [], clock: clock, fileID: place.fileID, filePath: place.filePath,
        line: place.line, column: place.column)
      second.launch(
        build(), fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
      second.settle(fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
      if second.tree?.isActive == true {
        compare(second, with: lines, document, by: coder, at: place)
      }
      second.abandon(at: place)
    }
  }

  private func compare(
    _ second: TestTree, with lines: [String], _ document: [UInt8], by coder: JSONStateCoder, at place: SourcePlace
  ) {
    guard let tree = second.tree else { return }
    let restored = tree.snapshot().comparableLines
    guard restored == lines else {
      return fail(
        "The tree does not survive a restart: \"-\" is missing in the restored tree, \"+\" is new.\n"
          + "\(Difference(expected: lines, actual: restored))",
        "Save the state or the container that this depends on, and start in didBecomeActive() what the state requires.",
        at: place
      )
    }
    let again = try? tree.save().encoded(by: coder)
    guard again != document else { return }
    fail(
      "The tree saves something else after a restart: \"-\" was saved before, \"+\" after.\n"
        + difference(document, again ?? []),
      "Don't reset or change the state in didBecomeActive(). Start there what the state requires.", at: place)
  }

  private func difference(_ before: [UInt8], _ after: [UInt8]) -> String {
    let texts = [before, after].map { String(decoding: $0, as: UTF8.self).nonEmptyLines }
    return "\(Difference(expected: texts[0], actual: texts[1]))"
  }

  /// Ends a tree that is not tested itself. Misuse in it fails the test.
  private func abandon(at place: SourcePlace) {
    isFinished = true
    tree?.end()
    clock.advance(by: .zero)
    for misuse in misuses.take() {
      fail("Misuse in the restored tree: \(misuse.path): \(misuse.message)", misuse.advice, at: place)
    }
    _ = leaks.take()
    subscription?.dispose()
    tree = nil
    root = nil
    endSleepers()
  }
}

extension TreeSnapshot {
  /// What a restored tree must have in common: each RIB by name, label and depth, with its summary and its running work.
  fileprivate var comparableLines: [String] {
    var depths: [Int] = []
    var lines: [String] = []
    for node in nodes {
      let depth = node.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      let indent = String(repeating: "  ", count: depth)
      lines.append(indent + node.title + (node.summary.map { ": \($0)" } ?? ""))
      lines += node.workers.map { "\(indent)  worker \($0)" }
      lines += node.tasks.map { "\(indent)  work \($0.keyOrPlace)" }.sorted()
      if let wakes = node.wakes { lines.append("\(indent)  sleeps until \(wakes)") }
    }
    return lines
  }
}

extension String {
  /// The key of a piece of work, as its name has it, or the file and line that started it.
  fileprivate var keyOrPlace: String {
    guard let end = range(ofLast: " (") else { return self }
    return String(self[..<end])
  }

  private func range(ofLast text: String) -> Index? {
    indices.last { self[$0...].hasPrefix(text) }
  }
}
