/// The failures of a tree, and the RIBs that are asked about them.
extension TreeCore {
  /// The RIB that is asked about a failure.
  enum AskedRIB {
    case none
    case asked(RouterNode)
    /// It passes the failure on.
    case unanswered(RouterNode)
  }

  /// Calls `childDidFail(_:)` of the parent of a failed child.
  ///
  /// - Returns: whether its default implementation was called, which passes the failure on.
  func isUnanswered(_ failure: ChildFailure, by interactor: Interactor) -> Bool {
    guard let node = interactor.node?.takeUnretainedValue() else { return false }
    let outer = asked
    asked = .asked(node)
    defer { asked = outer }
    interactor.childDidFail(failure)
    if case .unanswered = asked { return true }
    return false
  }

  /// Records that a RIB passes a failure on. An override that calls `super` twice passes it on once.
  ///
  /// - Returns: false if it was not asked.
  func notesUnanswered(by node: RouterNode) -> Bool {
    switch asked {
    case .asked(let other) where other === node: asked = .unanswered(node)
    case .unanswered(let other) where other === node: break
    case .none, .asked, .unanswered: return false
    }
    return true
  }

  /// Reports a failure that was not handled.
  func report(_ failure: TreeFailure) {
    var failure = failure
    failure.path = failure.path.inTree(identity)
    if let onFailure = configuration.value.onFailure { return onFailure(failure) }
    let log = failureLog ?? FailureLog(of: pathOfTurns.description)
    failureLog = log
    write(log.lines(for: failure.description, endsTree: failure.outcome == .treeEnded, at: now()))
  }

  /// Writes how many failures were not written. Called when the tree has ended.
  func writeUnwrittenFailures() {
    if let failureLog { write(failureLog.lastLines()) }
  }

  private func write(_ lines: [String]) {
    if !lines.isEmpty { writeToStandardError(lines.joined(separator: "\n") + "\n") }
  }
}
