/// What happens when work is asked for while work of the same name is running.
public enum Overlap: Hashable, Sendable {
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
