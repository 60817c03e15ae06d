import ArgumentParser
import Generation

/// Which target is meant, where two have RIBs of the same name.
struct TargetOption: ParsableArguments {
  @Option(help: "The target to look at, with those that depend on it. (default: all)")
  var target: String?

  /// The workspace, looking at the target.
  func applied(to workspace: Workspace) throws -> Workspace {
    if let target { try workspace.focus(on: target) }
    return workspace
  }
}
