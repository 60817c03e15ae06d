internal import Synchronization

/// Counts the RIBs that are in memory: those of one order, or of all orders of a run.
final class Census: Sendable {
  private let whole: Census?
  private let count = Atomic(0)
  private let mostEver = Atomic(0)

  /// - Parameter whole: the census that this one is a part of.
  init(partOf whole: Census? = nil) { self.whole = whole }

  /// How many there are.
  var living: Int { count.load(ordering: .acquiring) }

  /// The most there ever were. Not known of a part.
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

  /// Held by an interactor: the RIB is counted from the moment this is made until the interactor is gone.
  struct Presence: ~Copyable {
    private let census: Census

    init(in census: Census) {
      self.census = census
      census.add()
    }

    deinit { census.remove() }
  }
}
