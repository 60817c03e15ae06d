// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Edits the parent's component, which provides the child's dependency in a separate extension.
///
/// What neither the component nor the parent's dependency has is handed down by ancestors that have it.
struct ComponentEdit {
  let parent: RIBParts
  let child: ChildParts
  let names: LinkNames
  let workspace: Workspace
  let style: LayoutStyle

  private var componentName: String { parent.name + "Component" }
  private var read: DependencyReader { DependencyReader(workspace: workspace) }

  private var path: String {
    let folder = OwnFiles.folder(of: parent.builder.file.path)
    return folder.isEmpty ? names.extensionFile : folder + "/" + names.extensionFile
  }

  /// The class and its extensions.
  private var pieces: [Declaration] {
    workspace.declarations(mentioning: componentName)
      .filter { $0.name == componentName && ($0.kind == .class || $0.kind == .extension) }
  }

  // MARK: Adding

  func add(templates: TemplateLibrary) throws {
    let pieces = pieces
    if try !ChildMaking(of: child, by: parent, in: workspace).needsComponent { return }
    let isEmpty = child.builder.superclass?.arguments.contains { Declaration.baseName(of: $0) == "EmptyDependency" }
    if isEmpty == true || pieces.contains(where: { $0.inherited.contains(names.dependency) }) { return }
    guard let dependency = child.dependency ?? read.alias(names.dependency) else {
      throw Failure.refused("there is no protocol '\(names.dependency)' that says what '\(child.name)' needs")
    }
    guard pieces.contains(where: { $0.kind == .class }) else {
      throw Failure.refused(
        "there is no class '\(componentName)' to provide what '\(names.dependency)' (\(dependency.place)) requires")
    }
    if workspace.exists(path) { throw Failure.refused("there is a file '\(path)' already") }
    let provision = try provision(of: dependency, by: pieces)
    guard let file = try templates.files(of: .init(name: "ComponentExtension"), part: "Sources").first else {
      throw Failure.missing("the template 'ComponentExtension' has no file in Sources")
    }
    let filled = Placeholders(rib: names.child, parent: names.parent).filled(file.text)
      .replacing(
        "extension \(componentName)", with: Self.comment(on: provision.opened) + "extension \(componentName)",
        maxReplacements: 1)
    let text = importing(
      filled + passing(provision.chain),
      from: provision.isEmpty ? [] : [dependency.file])
    guard let laidOut = try Formatter.laidOut([(names.extensionFile, text)], near: workspace.root).first else { return }
    workspace.writeNew(laidOut, to: path)
    // Before any other edit of the files, whose positions these are.
    for (path, opened) in Dictionary(grouping: provision.opened, by: \.file.path) {
      try workspace.edit(
        path,
        opened.map { TextEdit($0.modifier.positionAfterSkippingLeadingTrivia..<$0.modifier.endPosition, "") })
    }
    for declaration in provision.chain?.protocols ?? [] {
      try TypeEditor(declaration, in: workspace, style: style).addInherited(names.handedDown)
    }
    guard !provision.members.isEmpty, let extended = pieceInFile() else { return }
    let editor = TypeEditor(extended, in: workspace, style: style)
    for member in provision.members { try editor.append(member, afterBlankLine: false) }
  }

  /// What a link adds so that the child gets all that it needs.
  private struct Provision {
    /// The members of the parent's component.
    var members: [String] = []
    /// The ancestors that hand down what the parent does not have.
    var chain: DependencyChain?
    /// The private members of the parent's component that become accessible.
    var opened: [Opening] = []

    var isEmpty: Bool { members.isEmpty && chain == nil }
  }

  /// A private member that a link makes accessible.
  private struct Opening {
    let name: String
    let modifier: DeclModifierSyntax
    let file: SourceFile
  }

  /// The private member with a name; nil if there is none.
  ///
  /// - Throws: `Failure.refused` if it could not be made private again.
  private func opening(_ name: String, in pieces: [Declaration], _ access: String) throws -> Opening? {
    guard let (member, file) = read.hidden(name, in: pieces) else { return nil }
    let modifiers = Array(member.modifiers)
    guard access.isEmpty, let first = modifiers.first, first.detail == nil, first.trailingTrivia == .space,
      ["private", "fileprivate"].contains(first.name.text), member.bindings.count == 1
    else {
      throw Failure.refused(
        "'\(name)' (\(file.place(of: member))), which '\(names.dependency)' asks for, is private",
        advice: ["take 'private' or 'fileprivate' from it; then the component provides it"])
    }
    return Opening(name: name, modifier: first, file: file)
  }

  /// The comment by which unlinking makes members private again.
  private static func comment(on opened: [Opening]) -> String {
    ["private", "fileprivate"].map { modifier in
      let names = opened.filter { $0.modifier.name.text == modifier }.map(\.name)
      return names.isEmpty ? "" : openedPrefix + modifier + ": " + names.joined(separator: ", ") + "\n"
    }.joined()
  }

  private static let openedPrefix = "/// Without the link, these are "

  private func provision(of dependency: Declaration, by pieces: [Declaration]) throws -> Provision {
    let provided = read.provided(by: pieces)
    var needed = try read.requirements(of: dependency).filter { !provided.contains($0.name) }
    if needed.isEmpty { return Provision() }
    let access = Access.witness(in: Access(pieces.first { $0.kind == .class }), of: Access(dependency))
    let opened = try needed.compactMap { try opening($0.name, in: pieces, access) }
    let hidden = Set(opened.map(\.name))
    needed.removeAll { hidden.contains($0.name) }
    if needed.isEmpty { return Provision(opened: opened) }
    let inherited = Set(try parent.dependency.map { try read.requirements(of: $0) } ?? [])
    let missing = needed.filter { $0.type.isEmpty || !inherited.contains($0) }
    let members = needed.filter { !$0.type.isEmpty }.map { forwarding($0, access) }
    if missing.isEmpty { return Provision(members: members, opened: opened) }
    // Another type for the same name can't be handed down.
    let taken = Set(inherited.map(\.name))
    guard let start = parent.dependency, !missing.contains(where: { taken.contains($0.name) }),
      let chain = DependencyChain(of: missing, from: start, in: workspace)
    else {
      throw Failure.refused(
        "'\(componentName)' does not have what '\(names.dependency)' (\(dependency.place)) asks for, and not all RIBs "
          + "above it have it",
        advice: ["add to \(componentName), or to \(parent.name)Dependency:"] + missing.map { "  " + $0.declaration })
    }
    return Provision(members: members, chain: chain, opened: opened)
  }

  private func forwarding(_ requirement: DependencyRequirement, _ access: String) -> String {
    "\(access)\(requirement.declaration) { dependency.\(requirement.name) }"
  }

  /// The declarations by which ancestors hand down what the child needs.
  private func passing(_ chain: DependencyChain?) -> String {
    guard let chain else { return "" }
    let access = chain.protocols.map { Access($0) }.max() ?? .internal
    let members = chain.requirements.map { "  \($0.declaration) { get }\n" }.joined()
    let handed = """

      /// What RIBs above \(names.parent) hand down for \(names.child).
      \(access.prefix)protocol \(names.handedDown): Dependency {
      \(members)}

      """
    return chain.forwarded.reduce(handed) { text, entry in
      let modifier = Access.witness(in: Access(entry.component), of: access)
      let members = entry.requirements.map { "  \(forwarding($0, modifier))\n" }.joined()
      return text + "\nextension \(entry.component.name) {\n\(members)}\n"
    }
  }

  /// A text with the imports of some files, and with the runtime that the parent's builder imports.
  private func importing(_ text: String, from files: [SourceFile]) -> String {
    let own = SourceFile(path: "", text: text)
    let known = own.imports
    let runtime = parent.builder.file.imports
    // Another name of the runtime, such as 'ModernRIBs'.
    let kept = runtime.contains("import RIBs") || runtime.isEmpty ? known : runtime.filter { $0.contains("RIBs") }
    let module = child.dependency.flatMap { workspace.module(of: $0.file.path) }
    let other = module == workspace.module(of: parent.builder.file.path) ? nil : module.map { "import \($0)" }
    let all = Set(
      (kept.isEmpty ? known : kept) + files.flatMap(\.imports).filter { $0 != "import RIBs" }
        + (other.map { [$0] } ?? [])
    ).sorted()
    if all == known { return text }
    guard let first = own.syntax.statements.first(where: { $0.item.is(ImportDeclSyntax.self) }) else { return text }
    let rest = own.text(in: first.endPosition..<own.syntax.endPosition)
    return own.text(in: own.syntax.position..<first.positionAfterSkippingLeadingTrivia) + all.joined(separator: "\n")
      + rest
  }

  // MARK: Removing

  func remove() throws {
    // The component creates the builder for others, too, and provides its dependency for that.
    let finder = CallFinder(callee: names.builder)
    for piece in pieces { finder.walk(piece.node) }
    if !finder.found.isEmpty { return }
    guard let extended = pieceInFile() else {
      if let other = pieces.first(where: { $0.inherited.contains(names.dependency) }) {
        if other.kind == .class {
          return try TypeEditor(other, in: workspace, style: style).removeInherited(names.dependency)
        }
        throw Failure.refused("'\(names.dependency)' is provided in \(other.place), which is not as a link writes it")
      }
      return
    }
    let handed = read.only(.protocol, names.handedDown).flatMap { $0.file.path == path ? $0 : nil }
    let handedNames = Set(handed?.variables.compactMap(\.firstName) ?? [])
    let others = extended.file.declarations.filter { $0.node.id != extended.node.id && $0.node.id != handed?.node.id }
    let onlyThis =
      extended.inherited == [names.dependency]
      && others.allSatisfy { other in
        other.kind == .extension && other.inherited.isEmpty
          && Set(other.variables.compactMap(\.firstName)).isSubset(of: handedNames)
          && other.members.count == other.variables.count
      }
    guard onlyThis else {
      throw Failure.refused(
        "'\(path)' has more than what a link writes",
        advice: ["take out by hand what is yours:"]
          + ([extended] + others).map { "  \($0.place): \($0.kind.rawValue) \($0.name)" })
    }
    for piece in [extended] + others { try refuseNeededElsewhere(piece) }
    try close(in: extended)
    if handed != nil {
      let users = read.declarations(mentioning: names.handedDown) { $0.inherited.contains(names.handedDown) }
      for user in users { try TypeEditor(user, in: workspace, style: style).removeInherited(names.handedDown) }
    }
    try workspace.delete(path)
  }

  /// Makes the members private again that the link made accessible, unless another child needs them.
  private func close(in extended: Declaration) throws {
    let needed = try Set(needs(of: extended).flatMap { $0.requirements.map(\.name) })
    for line in extended.file.text.split(whereSeparator: \.isNewline) where line.hasPrefix(Self.openedPrefix) {
      let parts = line.dropFirst(Self.openedPrefix.count).split(separator: ": ")
      guard parts.count == 2, ["private", "fileprivate"].contains(parts[0]) else { continue }
      for name in parts[1].components(separatedBy: ", ") where !needed.contains(name) {
        guard let piece = pieces.first(where: { $0.variable(named: name) != nil }),
          let variable = piece.variable(named: name), !DependencyReader.isPrivate(variable.modifiers)
        else { continue }
        let start =
          variable.modifiers.first?.positionAfterSkippingLeadingTrivia
          ?? variable.bindingSpecifier.positionAfterSkippingLeadingTrivia
        try workspace.edit(piece.file.path, [TextEdit(at: start, parts[0] + " ")])
      }
    }
  }

  /// What other files need of a component.
  private func needs(
    of component: Declaration
  ) throws -> [(name: String, requirements: [DependencyRequirement])] {
    let others = Set(read.pieces(of: component.name).filter { $0.file.path != path }.flatMap(\.inherited))
    return try others.filter { $0.hasSuffix("Dependency") }.sorted().compactMap { name in
      // What the protocol of this link requires ends with it.
      try read.only(.protocol, name).map { (name, try read.requirements(of: $0, below: [names.handedDown])) }
    }
  }

  private func pieceInFile() -> Declaration? { pieces.first { $0.file.path == path && $0.kind == .extension } }

  /// Throws if another child now needs members that are forwarded for this one.
  private func refuseNeededElsewhere(_ extended: Declaration) throws {
    let own = Set(extended.variables.compactMap(\.firstName))
    guard !own.isEmpty else { return }
    for (name, needed) in try needs(of: extended) {
      if let member = needed.first(where: { own.contains($0.name) }) {
        let place = extended.variable(named: member.name).map { extended.file.place(of: $0) } ?? extended.place
        throw Failure.refused(
          "'\(member.name)' (\(place)) is also required by '\(name)'",
          advice: ["move it to \(extended.name) first: \(forwarding(member, ""))"])
      }
    }
  }
}
