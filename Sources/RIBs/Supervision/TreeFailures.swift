// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The part of a tree that has failures: the RIBs that are asked about them, the pauses before restarts, and what was
/// written of them. Created with the first failure.
final class TreeFailures: TreePart {
  /// The RIB that is asked about a failure, and whether it passes that on.
  private var asked: (node: RouterNode, isUnanswered: Bool)?
  /// The random numbers of the pauses before restarts.
  var random: TreeRandom
  /// What the default handler of failures has written; nil before the first one.
  private var log: FailureLog?

  fileprivate init(of tree: TreeCore) {
    random = TreeRandom(seed: tree.settings.randomSeed)
    super.init([])
  }

  /// Calls `childDidFail(_:)` of the parent of a failed child.
  ///
  /// - Returns: whether its default implementation was called, which passes the failure on.
  func isUnanswered(_ failure: Interactor.ChildFailure, by interactor: Interactor) -> Bool {
    guard let node = interactor.node else { return false }
    let outer = asked
    asked = (node, false)
    defer { asked = outer }
    interactor.childDidFail(failure)
    return asked?.isUnanswered == true
  }

  /// Records that a RIB passes a failure on. An override that calls `super` twice passes it on once.
  ///
  /// - Returns: false if it was not asked.
  func notesUnanswered(by node: RouterNode) -> Bool {
    guard asked?.node === node else { return false }
    asked?.isUnanswered = true
    return true
  }

  /// Writes a failure that the program does not handle.
  fileprivate func write(_ failure: TreeFailure, in tree: TreeCore) {
    let log = log ?? FailureLog(of: tree.pathOfTurns.description)
    self.log = log
    write(log.lines(for: failure.description, endsTree: failure.outcome == .treeEnded, at: tree.now()))
  }

  override func treeDidEnd(_ tree: TreeCore) {
    if let log { write(log.lastLines()) }
  }

  private func write(_ lines: [String]) {
    if !lines.isEmpty { writeToStandardError(lines.joined(separator: "\n") + "\n") }
  }
}

extension TreeCore {
  /// The part that has the failures of this tree.
  var failures: TreeFailures { part { TreeFailures(of: self) } }

  /// Reports a failure that was not handled.
  func report(_ failure: TreeFailure) {
    var failure = failure
    failure.source.path = failure.path.inTree(identity)
    if let onFailure = settings.onFailure { onFailure(failure) } else { failures.write(failure, in: self) }
  }
}
