// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
    /// Methods that attach and detach the child. The tree does not save that it is attached.
    case attach
    /// A slot whose route is saved with the tree, and methods that set the route.
    case slot
    /// No methods, only the builder.
    case none
  }

  public var child: RIBName
  public var parent: RIBName
  public var route: Route
  public var templates: TemplateLibrary

  public init(child: RIBName, parent: RIBName, route: Route = .attach, templates: TemplateLibrary) {
    self.child = child
    self.parent = parent
    self.route = route
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
    try workspace.refuseUnreadable(mentioning: [child.text, parent.text])
    let path = try RIBParts.find(parent.text, in: workspace).builder.file.path
    try refuseOtherTarget(path, in: workspace)
    try refuseOtherModule(in: workspace)
    return try workspace.focused(on: path) { try applyFocused(to: workspace) }
  }

  private func applyFocused(to workspace: Workspace) throws -> [String] {
    let start = workspace.mark()
    let before = try workspace.plan()
    do {
      let tree = TreeCheck(workspace, mentioning: [child.text, parent.text])
      try edit(workspace)
      try tree.expectAdded(child, to: parent)
    } catch Failure.refused(let reason, let advice) {
      let byHand = advice.isEmpty ? self.byHand(workspace) : []
      workspace.goBack(to: start)
      throw Failure.refused(reason, advice: advice + byHand)
    }
    let end = workspace.mark()
    defer { workspace.goBack(to: end) }
    let unlink = Unlink(child: child, parent: parent)
    // What was just written needs no check of its uses, which reads all files that have a word of it.
    if (try? unlink.removeLink(workspace)) != nil, try workspace.plan() == before { return [] }
    workspace.goBack(to: end)
    guard (try? unlink.apply(to: workspace)) != nil, try workspace.plan() == before else {
      return ["taking '\(child)' from '\(parent)' again may not leave every file as it was"]
    }
    return []
  }

  private func edit(_ workspace: Workspace) throws {
    let style = LayoutStyle(near: workspace.root)
    let parent = try RIBParts.find(parent.text, in: workspace)
    let child = try ChildParts.find(child.text, in: workspace)
    try refuseAncestor(in: workspace)
    let interface = try ChildInterface(child, names: names, in: workspace).within(parent)
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
    if route == .slot {
      try refuseValues(interface, workspace)
      try refuseOtherUse(of: names.routeType, in: parent, workspace)
      try SavedChildrenEdit(router: router, names: names).refuseOther()
    }
    try ComponentEdit(parent: parent, child: child, names: names, workspace: workspace, style: style)
      .add(templates: templates)
    try BuilderEdit(parent: parent, child: child, names: names, workspace: workspace, style: style).add()
    try RouterEdit(router: router, interface: interface).add(route: route)
    if route != .none {
      try RoutingEdit(parent: parent, interface: interface, workspace: workspace, style: style).add()
    }
    if interface.listenerLabel != nil {
      try ListenerEdit(
        parent: parent, interface: interface, detaches: route != .none, workspace: workspace, style: style
      ).add()
    }
  }

  /// Throws if the child is built with values: a slot has them in its route, and only the user can decide whether they
  /// can be saved.
  private func refuseValues(_ interface: ChildInterface, _ workspace: Workspace) throws {
    guard !interface.parameters.isEmpty else { return }
    let values = interface.parameters.map { "'\($0.declaration)'" }.joined(separator: ", ")
    throw Failure.refused(
      "\(interface.buildPlace) takes \(values), which a slot has to get from its route",
      advice: [
        "'--route attach' writes methods that take this; a restored tree has the child only if they are called again.",
        "For a slot, use '--route none'. If all values are Hashable, Codable and Sendable, write by hand:", "",
        "in \(parent)Router:",
      ] + routeByHand(interface, route: .slot, workspace))
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

  /// Throws if the child is in another package, unless its types are public and the parent's files import their module.
  private func refuseOtherModule(in workspace: Workspace) throws {
    guard let child = try? ChildParts.find(child.text, in: workspace),
      let parent = try? RIBParts.find(parent.text, in: workspace)
    else { return }
    let own = workspace.module(of: parent.builder.file.path)
    let needed =
      [(child.builder, parent.builder.file)]
      + [child.buildable, child.listener, child.dependency].compactMap { $0 }.map { ($0, parent.router.file) }
    for (declaration, user) in needed {
      guard let module = workspace.module(of: declaration.file.path), module != own else { continue }
      let isImported = user.imports.contains { $0.split(separator: " ").last.map(String.init) == module }
      if isImported && Access(declaration) == .public { continue }
      let problem = isImported ? "'\(declaration.name)' is not public" : "'\(user.path)' does not import it"
      throw Failure.refused(
        "'\(self.child)' (\(declaration.place)) is in the module \(module), and \(problem)", advice: byHand(workspace))
    }
  }

  /// The lines of the link, for writing it by hand.
  private func byHand(_ workspace: Workspace) -> [String] {
    guard let found = try? ChildParts.find(child.text, in: workspace),
      let found = try? ChildInterface(found, names: names, in: workspace)
    else { return [] }
    let interface = (try? RIBParts.find(parent.text, in: workspace)).map(found.within) ?? found
    var lines = ["To write it by hand:", "", "in \(parent)Builder, as another argument of \(parent)Router:"]
    lines.append("  \(names.builderProperty): \(names.builder)(dependency: component)")
    lines.append("in \(parent)Router, set by its initializer:")
    lines.append("  private let \(names.builderProperty): \(interface.builderType)")
    lines += routeByHand(interface, route: route, workspace)
    if interface.listenerLabel != nil {
      lines.append("in the protocol \(parent)Interactable, as another protocol it inherits from:")
      lines.append("  \(names.listener)")
      lines.append("in \(parent)Interactor:")
      lines += interface.callbacks.map { "  " + interface.stub(of: $0, detaches: route != .none) }
    }
    lines.append("in a file \(names.extensionFile):")
    lines.append("  extension \(parent)Component: \(names.dependency) {}")
    return lines
  }

  /// The lines of a route, for writing them by hand.
  private func routeByHand(_ interface: ChildInterface, route: Route, _ workspace: Workspace) -> [String] {
    var members: [String]
    var others: [String] = []
    switch route {
    case .none: return []
    case .attach:
      members = ["private var \(names.property): (any Routing)?", interface.attachMethod, interface.detachMethod]
    case .slot:
      members = [interface.slotProperty(), interface.routeTypeDeclaration]
      let element = LinkNames.saved(names.property)
      if (try? RIBParts.find(parent.text, in: workspace))?.router.variable(named: "savedChildren") == nil {
        members.append("override var savedChildren: [SavedChildren] { [\(element)] }")
      } else {
        others = ["in 'savedChildren' of \(parent)Router, as another element:", "  " + element]
      }
      members += [interface.slotAttachMethod(), interface.slotDetachMethod()]
    }
    return members.flatMap { $0.split(separator: "\n").map { "  " + $0 } } + others
      + ["in the protocol \(parent)Routing:", "  " + interface.attachDeclaration, "  " + interface.detachDeclaration]
  }
}
