/// What happens when work is asked for while work of the same name is running.
public enum OverlapPolicy: Hashable, Sendable {
  /// The new work is not started: for what should not be done twice at once, such as a reload.
  case ignoreWhileRunning
  /// The new work is started and the old is cancelled, with all that waits; its result is not delivered any more: for
  /// what only the newest answer matters of, such as a search.
  case cancelPrevious
  /// The new work waits until all that was asked for before has ended, and the results have been delivered: for what
  /// must be done in order, such as sending.
  case enqueue
  /// The new work is started beside the old.
  case concurrent
}

/// What became of a request to start bound work; decided before the request returns, and before any task exists.
public enum TaskStart: Hashable, Sendable {
  /// The work was started.
  case started
  /// Nothing was started: work of that name is running.
  case ignored
  /// The work is started when the work of that name that came before has ended.
  case queued
  /// The work was started, and the work of that name that came before was cancelled.
  case replaced
  /// Nothing was started: the interactor is not active, belongs to no tree, or its tree is ending.
  case inactive
}
