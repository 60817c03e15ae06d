/// What became of a request to start bound work; decided before the request returns, and before any task exists.
public enum Admission: Hashable, Sendable {
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
