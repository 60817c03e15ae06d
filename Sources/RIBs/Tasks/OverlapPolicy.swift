/// What happens when work is requested while work with the same key is running.
public enum OverlapPolicy: Hashable, Sendable {
  /// Does not start the new work. Use it for work that must not run twice at once, such as a reload.
  case ignoreWhileRunning
  /// Starts the new work and cancels the running one and everything queued; their results are discarded. Use it when
  /// only the latest result matters, as in a search.
  case cancelPrevious
  /// Queues the new work until all earlier work has ended and its results are delivered. Use it for work that must run
  /// in order, such as sending.
  case enqueue
  /// Starts the new work while the old continues.
  case concurrent
}

/// The outcome of a request to start bound work. It is decided before the request returns and before any task exists.
public enum TaskStart: Hashable, Sendable {
  /// The work was started.
  case started
  /// Nothing was started: work with that key is running.
  case ignored
  /// The work starts when the earlier work with that key has ended.
  case queued
  /// The work was started, and the earlier work with that key was cancelled.
  case replaced
  /// Nothing was started: the interactor is not active, belongs to no tree, or its tree is ending.
  case inactive
}
