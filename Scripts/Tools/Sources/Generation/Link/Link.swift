import Foundation
import SourceModel
import SwiftSyntax

/// Links a child to a parent.
///
/// The parent's builder creates the child's builder, its router holds it and attaches the child, its interactor
/// listens, and its component provides the child's dependency.
public struct Link {
  /// The methods that the parent's router gets for routing to the child.
  public enum Route: String, CaseIterable, Sendable {
    /// Methods that attach and detach the child.
    case attach
    /// No methods, only the builder.
    case none
  }

  public var child: RIBName
  public var parent: RIBName
  public var route = Route.attach
  public var templates: TemplateLibrary

  public init(child: RIBName, parent: RIBName, templates: TemplateLibrary) {
    self.child = child
    self.parent = parent
    self.templates = templates
  }

  private var names: LinkNames { LinkNames(child: child, parent: parent) }

  /// Performs the link.
  ///
  /// - Returns: notes for the user about the changes.
  /// - Throws: `Failure.refused`, with the lines to write by hand, if a file can't be edited safely. The workspace is
  ///   unchanged then.
  public func apply(to workspace: Workspace) throws -> [String] {
    if child == parent { throw Failure.usage("'\(child)' can't be its own parent") }
    let path = try RIBParts.find(parent.text, in: workspace).builder.file.path
    try refuseOtherTarget(path, in: workspace)
    return try workspace.focused(on: path) { try applyFocused(to: workspace) }
  }

  private func applyFocused(to workspace: Workspace) throws -> [String] {
    let start = workspace.mark()
    let before = try workspace.plan()
    do {
      try edit(workspace)
    } catch Failure.refused(let reason, let advice) {
      let byHand = advice.isEmpty ? self.byHand(workspace) : []
      workspace.goBack(to: start)
      throw Failure.refused(reason, advice: advice + byHand)
    }
    let end = workspace.mark()
    defer { workspace.goBack(to: end) }
    guard (try? Unlink(child: child, parent: parent).apply(to: workspace)) != nil, try workspace.plan() == before else {
      return ["taking '\(child)' from '\(parent)' again may not leave every file as it was"]
    }
    return []
  }

  private func edit(_ workspace: Workspace) throws {
    let style = LayoutStyle(near: workspace.root)
    let parent = try RIBParts.find(parent.text, in: workspace)
    let child = try ChildParts.find(child.text, in: workspace)
    try refuseAncestor(in: workspace)
    let interface = try ChildInterface(child, names: names, in: workspace)
    let router = TypeEditor(parent.router, in: workspace, style: style)
    let held: Set<String> = [names.buildable, names.builder]
    let known = parent.router.variables.first { $0.isStored && $0.typeName.map(held.contains) ?? false }
    if let property = known ?? parent.router.variable(named: names.builderProperty) {
      throw Failure.refused(
        "'\(child.name)' is linked to '\(parent.name)' already (\(parent.router.file.place(of: property)))",
        advice: ["'ribs unlink \(child.name) --parent \(parent.name)' takes it out"])
    }
    for member in [names.property, names.attach, names.detach] where has(member, in: parent.router) {
      throw Failure.refused("'\(parent.router.name)' (\(parent.router.place)) has a member '\(member)' of its own")
    }
    try refuseOtherUse(of: names.builderProperty, in: parent, workspace)
    try ComponentEdit(parent: parent, child: child, names: names, workspace: workspace, style: style)
      .add(templates: templates)
    try BuilderEdit(parent: parent, child: child, names: names, workspace: workspace, style: style).add()
    try RouterEdit(router: router, interface: interface).add(route: route)
    if route == .attach {
      try RoutingEdit(parent: parent, interface: interface, workspace: workspace, style: style).add()
    }
    if interface.listenerLabel != nil {
      try ListenerEdit(
        parent: parent, interface: interface, detaches: route == .attach, workspace: workspace, style: style
      ).add()
    }
  }

  /// Throws if the parent's router uses a name for something else, such as a member of another object.
  private func refuseOtherUse(of name: String, in parent: RIBParts, _ workspace: Workspace) throws {
    let pieces = workspace.declarations(mentioning: parent.router.name).filter { $0.name == parent.router.name }
    for piece in pieces {
      let use = piece.node.tokens(viewMode: .sourceAccurate).first { $0.tokenKind == .identifier(name) }
      guard let use else { continue }
      throw Failure.refused(
        "'\(parent.router.name)' uses the name '\(name)' for something else (\(piece.file.place(of: use)))")
    }
  }

  /// Throws if the child is an ancestor of its parent, which would make a cycle.
  private func refuseAncestor(in workspace: Workspace) throws {
    var ways: [[String]] = [[parent.text]]
    var known: Set<String> = [parent.text]
    while let way = ways.popLast() {
      guard let last = way.last, let name = try? RIBName(last) else { continue }
      for above in Remove.parents(of: name, in: workspace) where known.insert(above).inserted {
        if above == child.text {
          let path = (way + [above]).reversed().joined(separator: " → ")
          throw Failure.refused(
            "'\(child)' is above '\(parent)' (\(path)); below it, the tree would have no end",
            advice: ["link a RIB of its own below '\(parent)' instead"])
        }
        ways.append(way + [above])
      }
    }
  }

  private func has(_ member: String, in router: Declaration) -> Bool {
    router.variable(named: member) != nil || router.functions.contains { $0.name.text == member }
  }

  private func refuseOtherTarget(_ path: String, in workspace: Workspace) throws {
    let child = try? ChildParts.find(child.text, in: workspace).builder.file.path
    guard let from = child.flatMap({ workspace.package?.target(of: $0) }),
      let to = workspace.package?.target(of: path), from != to
    else { return }
    throw Failure.refused(
      "'\(self.child)' is in the target \(from.name) and '\(parent)' in \(to.name); "
        + "a link between targets needs public types and an import, which only you can decide on",
      advice: byHand(workspace))
  }

  /// The lines of the link, for writing it by hand.
  private func byHand(_ workspace: Workspace) -> [String] {
    guard let found = try? ChildParts.find(child.text, in: workspace),
      let interface = try? ChildInterface(found, names: names, in: workspace)
    else { return [] }
    var lines = ["To write it by hand:", "", "in \(parent)Builder, as another argument of \(parent)Router:"]
    lines.append("  \(names.builderProperty): \(names.builder)(dependency: component)")
    lines.append("in \(parent)Router, set by its initializer:")
    lines.append("  private let \(names.builderProperty): \(interface.builderType)")
    if route == .attach {
      lines.append("  private var \(names.property): (any Routing)?")
      let methods = interface.attachMethod + "\n" + interface.detachMethod
      lines += methods.split(separator: "\n").map { "  " + $0 }
      lines.append("in the protocol \(parent)Routing:")
      lines += ["  " + interface.attachDeclaration, "  " + interface.detachDeclaration]
    }
    if interface.listenerLabel != nil {
      lines.append("in the protocol \(parent)Interactable, as another protocol it inherits from:")
      lines.append("  \(names.listener)")
      lines.append("in \(parent)Interactor:")
      lines += interface.callbacks.map { "  " + interface.stub(of: $0, detaches: route == .attach) }
    }
    lines.append("in a file \(names.extensionFile):")
    lines.append("  extension \(parent)Component: \(names.dependency) {}")
    return lines
  }
}
