import SourceModel
import SwiftSyntax

/// Takes a child from a parent: everything that `Link` writes, and nothing else.
public struct Unlink {
  public var child: RIBName
  public var parent: RIBName

  public init(child: RIBName, parent: RIBName) {
    self.child = child
    self.parent = parent
  }

  private var names: LinkNames { LinkNames(child: child, parent: parent) }

  /// Does it.
  ///
  /// - Throws: `Failure.refused` if the link was changed since it was written, or if the child is still routed to. The
  ///   workspace is as before then.
  public func apply(to workspace: Workspace) throws {
    let start = workspace.mark()
    do {
      let path = try RIBParts.find(parent.text, in: workspace).builder.file.path
      try workspace.focused(on: path) { try edit(workspace) }
    } catch {
      workspace.goBack(to: start)
      throw error
    }
  }

  private func edit(_ workspace: Workspace) throws {
    let style = LayoutStyle(near: workspace.root)
    let parent = try RIBParts.find(parent.text, in: workspace)
    let child = try RIBParts.find(child.text, in: workspace)
    guard parent.router.variable(named: names.builderProperty) != nil else {
      throw Failure.missing(
        "'\(child.name)' is not linked to '\(parent.name)': \(parent.router.name) (\(parent.router.place)) has no "
          + "'\(names.builderProperty)'")
    }
    let interface = try ChildInterface(child, names: names, in: workspace)
    try RouterEdit(router: TypeEditor(parent.router, in: workspace, style: style), interface: interface).remove()
    try RoutingEdit(parent: parent, interface: interface, workspace: workspace, style: style).remove()
    if interface.listenerLabel != nil {
      try ListenerEdit(parent: parent, interface: interface, detaches: true, workspace: workspace, style: style)
        .remove()
    }
    try BuilderEdit(parent: parent, child: child, names: names, workspace: workspace, style: style).remove()
    try ComponentEdit(parent: parent, child: child, names: names, workspace: workspace, style: style).remove()
    try refuseLeftovers(parent, in: workspace)
  }

  /// Refuses if something still calls what is gone.
  private func refuseLeftovers(_ parent: RIBParts, in workspace: Workspace) throws {
    let gone: Set<String> = [names.attach, names.detach, names.builderProperty]
    var places: [String] = []
    let own = OwnFiles(RoleNames(rib: self.parent), in: workspace)
    let types: Set<String> = [parent.router.name, parent.name + "Interactor"]
    for file in workspace.sources(mentioning: parent.name)
    where own.owns(file.path) || file.declarations.contains(where: { types.contains($0.name) }) {
      for token in file.syntax.tokens(viewMode: .sourceAccurate) {
        if case .identifier(let name) = token.tokenKind, gone.contains(name) {
          places.append("\(file.place(of: token)): \(name)")
        }
      }
    }
    guard places.isEmpty else {
      throw Failure.refused(
        "'\(parent.name)' still uses '\(child)'", advice: ["take this out first:"] + places.map { "  " + $0 })
    }
  }
}
