/// What became of a request to start bound work; decided before the request returns, and before any task exists.
public enum Admission: Hashable, Sendable {
  /// The work was started.
  case started
  /// Nothing was started: the interactor is not active, belongs to no tree, or its tree is ending.
  case inactive
}
