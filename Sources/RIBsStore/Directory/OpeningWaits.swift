/// Which builders of a directory wait for other openings, to refuse one that would wait for itself.
///
/// A builder is known by the task that runs it: a call from another task that it has started is not its own.
struct OpeningWaits: Sendable {
  /// The openings whose builders run, by the identity of the task.
  private var builders: [Int: ObjectIdentifier] = [:]
  /// The opening that the builder of another one waits for.
  private var waits: [ObjectIdentifier: ObjectIdentifier] = [:]

  mutating func begin(_ opening: ObjectIdentifier, by task: Int) { builders[task] = opening }

  mutating func end(_ task: Int) { builders[task] = nil }

  func isBuilder(_ task: Int) -> Bool { builders[task] != nil }

  /// - Returns: false if the opening waits for that of the task, directly or through others.
  mutating func begin(waitingFor opening: ObjectIdentifier, _ task: Int) -> Bool {
    guard let own = builders[task] else { return true }
    var next: ObjectIdentifier? = opening
    while let current = next {
      guard current != own else { return false }
      next = waits[current]
    }
    waits[own] = opening
    return true
  }

  mutating func endWaiting(_ task: Int) {
    if let own = builders[task] { waits[own] = nil }
  }
}
