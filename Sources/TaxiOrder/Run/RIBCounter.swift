internal import Synchronization

/// Counts the RIBs in memory, of one order or of all orders of a run.
final class Census: Sendable {
  private let whole: Census?
  private let count = Atomic(0)
  private let mostEver = Atomic(0)

  /// - Parameter whole: the count that this one is part of.
  init(partOf whole: Census? = nil) { self.whole = whole }

  /// The number of RIBs now.
  var living: Int { count.load(ordering: .acquiring) }

  /// The maximum number so far. Only kept by a count that is not part of another.
  var peak: Int { mostEver.load(ordering: .relaxed) }

  fileprivate func add() {
    let new = count.add(1, ordering: .relaxed).newValue
    if let whole {
      whole.add()
    } else if new > mostEver.load(ordering: .relaxed) {
      mostEver.max(new, ordering: .relaxed)
    }
  }

  fileprivate func remove() {
    count.subtract(1, ordering: .acquiringAndReleasing)
    whole?.remove()
  }

  /// Held by an interactor. The RIB is counted from its creation until the interactor is released.
  struct Presence: ~Copyable {
    private let census: Census

    init(in census: Census) {
      self.census = census
      census.add()
    }

    deinit { census.remove() }
  }
}
