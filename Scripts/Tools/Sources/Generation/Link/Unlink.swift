// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Removes a child from a parent: everything that `Link` writes, and nothing else.
public struct Unlink {
  public var child: RIBName
  public var parent: RIBName

  public init(child: RIBName, parent: RIBName) {
    self.child = child
    self.parent = parent
  }

  private var names: LinkNames { LinkNames(child: child, parent: parent) }

  /// Performs the removal: the exact code of a link if it is unchanged, or else everything that exists only for the
  /// child.
  ///
  /// - Returns: notes for the user about the changes.
  /// - Throws: `Failure.refused` if the parent would still use the child. The workspace is unchanged then.
  @discardableResult
  public func apply(to workspace: Workspace) throws -> [String] {
    try workspace.refuseUnreadable(mentioning: [child.text, parent.text])
    let path = try RIBParts.find(parent.text, in: workspace).builder.file.path
    return try workspace.focused(on: path) {
      let start = workspace.mark()
      let tree = TreeCheck(workspace, mentioning: [child.text, parent.text])
      do {
        try removeLink(workspace)
        try tree.expectRemoved(child, from: parent)
        return try EdgeCheck(names, in: workspace, since: start).notes()
      } catch is Failure {
        workspace.goBack(to: start)
      }
      do {
        let notes = try removeEdge(workspace)
        let check = EdgeCheck(names, in: workspace, since: start)
        try check.refuseForeignChanges()
        try tree.expectRemoved(child, from: parent)
        return try notes + check.notes()
      } catch {
        workspace.goBack(to: start)
        throw error
      }
    }
  }

  /// Removes code that was written by hand, or changed since a link wrote it.
  private func removeEdge(_ workspace: Workspace) throws -> [String] {
    let parent = try RIBParts.find(parent.text, in: workspace)
    let child = try ChildParts.find(child.text, in: workspace)
    let style = LayoutStyle(near: workspace.root)
    return try EdgeRemoval(parent: parent, child: child, names: names, workspace: workspace, style: style).apply()
  }

  /// Removes the code of a link, if it is unchanged.
  func removeLink(_ workspace: Workspace) throws {
    let style = LayoutStyle(near: workspace.root)
    let parent = try RIBParts.find(parent.text, in: workspace)
    let child = try ChildParts.find(child.text, in: workspace)
    guard parent.router.variable(named: names.builderProperty) != nil else {
      throw Failure.missing("'\(child.name)' is not linked to '\(parent.name)'")
    }
    let interface = try ChildInterface(child, names: names, in: workspace).within(parent)
    let router = RouterEdit(router: TypeEditor(parent.router, in: workspace, style: style), interface: interface)
    let isSlot = try router.hasSlot()
    try router.remove()
    try RoutingEdit(parent: parent, interface: interface, workspace: workspace, style: style).remove()
    if interface.listenerLabel != nil {
      try ListenerEdit(parent: parent, interface: interface, detaches: true, workspace: workspace, style: style)
        .remove()
    }
    try BuilderEdit(parent: parent, child: child, names: names, workspace: workspace, style: style).remove()
    try ComponentEdit(parent: parent, child: child, names: names, workspace: workspace, style: style).remove()
    let uses = isSlot ? MemberCheck.uses(ofSlot: names, in: parent.router.name, workspace) : []
    guard uses.isEmpty else { throw MemberCheck.stillUsed(child.name, by: parent.name, uses) }
  }
}
