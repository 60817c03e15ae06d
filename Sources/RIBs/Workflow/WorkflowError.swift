/// Why a workflow could not go on, or could not begin, where that was not an error of a step's own.
public enum WorkflowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The RIB that a step worked on resigned before the step had ended. The step was cancelled.
  case itemResigned(TreePath)
  /// The RIB that a step was to work on did not become active in time.
  case timedOut(TreePath, after: Duration)
  /// The RIB that a step was to work on was released before it became active.
  case itemGone(TreePath)
  /// A step that worked on the RIB has ended without a value.
  case noValue(TreePath)
  /// None of the workflow's steps has been committed.
  case notCommitted(workflow: String)
  /// The workflow's item is in no tree, and no actor runs where it was started.
  case outsideTree(workflow: String)

  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .itemResigned(let path):
      "\(name(path)) resigned while a step of a workflow worked on it. "
        + "A step that ends a RIB belongs to one that stays, such as the parent."
    case .timedOut(let path, let timeout):
      "\(name(path)) was not active within \(timeout), so that a step of a workflow could not work on it. "
        + "Attach it before the step before returns it, or give the workflow more time."
    case .itemGone(let path):
      "\(name(path)) was released before it became active, so that a step of a workflow could not work on it. "
        + "Attach it before the step before returns it."
    case .noValue(let path):
      "A step of a workflow that worked on \(name(path)) has ended without a value. "
        + "Return a value, or throw an error that says why there is none."
    case .notCommitted(let workflow):
      "\(workflow) was not started: none of its steps has been committed. End each chain of steps with commit()."
    case .outsideTree(let workflow):
      "\(workflow) was not started: its item is in no tree, and no actor runs here. "
        + "Start it with an interactor that stands in a tree, or on an actor."
    }
  }

  /// What an item is called: by its path, unless it stands in no tree and is no interactor.
  private func name(_ path: TreePath) -> String { path.components.isEmpty ? "An item outside the tree" : "\(path)" }
}
