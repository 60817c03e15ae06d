import Foundation
import SourceModel
import SwiftSyntax

/// Edits the parent's component, which provides the child's dependency in a separate extension.
struct ComponentEdit {
  let parent: RIBParts
  let child: ChildParts
  let names: LinkNames
  let workspace: Workspace
  let style: LayoutStyle

  private struct Requirement: Hashable {
    let name: String
    let type: String
  }

  private var componentName: String { parent.name + "Component" }

  private var path: String {
    let folder = parent.builder.file.path.split(separator: "/").dropLast().joined(separator: "/")
    return folder.isEmpty ? names.extensionFile : folder + "/" + names.extensionFile
  }

  /// The class and its extensions.
  private var pieces: [Declaration] {
    workspace.declarations(mentioning: componentName)
      .filter { $0.name == componentName && ($0.kind == .class || $0.kind == .extension) }
  }

  func add(templates: TemplateLibrary) throws {
    let pieces = pieces
    if try !ChildMaking(of: child, by: parent, in: workspace).needsComponent { return }
    let isEmpty = child.builder.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription.contains(
      "EmptyDependency")
    if isEmpty == true || pieces.contains(where: { $0.inherited.contains(names.dependency) }) { return }
    guard let dependency = child.dependency else {
      let alias = workspace.declarations(mentioning: names.dependency)
        .first { $0.kind == .typealias && $0.name == names.dependency }
      if let alias {
        throw Failure.refused("'\(names.dependency)' (\(alias.place)) is a type alias, which only you can provide for")
      }
      throw Failure.refused("there is no protocol '\(names.dependency)' that says what '\(child.name)' needs")
    }
    guard pieces.contains(where: { $0.kind == .class }) else {
      throw Failure.refused("there is no class '\(componentName)' to provide what '\(child.name)' needs")
    }
    if workspace.exists(path) { throw Failure.refused("there is a file '\(path)' already") }
    let members = try forwarded(dependency, by: pieces)
    guard let file = try templates.files(of: .init(name: "ComponentExtension"), part: "Sources").first else {
      throw Failure.missing("the template 'ComponentExtension' has no file in Sources")
    }
    let text = Placeholders(rib: names.child, parent: names.parent).filled(file.text)
    guard let laidOut = try Formatter.laidOut([(names.extensionFile, text)], near: workspace.root).first else { return }
    workspace.writeNew(laidOut, to: path)
    guard !members.isEmpty, let extended = pieceInFile() else { return }
    let editor = TypeEditor(extended, in: workspace, style: style)
    for member in members { try editor.append(member, afterBlankLine: false) }
  }

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
    let onlyThis = extended.file.declarations.count == 1 && extended.inherited == [names.dependency]
    guard onlyThis else { throw Failure.refused("'\(path)' holds more than what a link writes") }
    try refuseNeededElsewhere(extended)
    try workspace.delete(path)
  }

  private func pieceInFile() -> Declaration? { pieces.first { $0.file.path == path && $0.kind == .extension } }

  /// The members that the component forwards from its own dependency to the child.
  private func forwarded(_ dependency: Declaration, by pieces: [Declaration]) throws -> [String] {
    var provided = Set(pieces.flatMap(\.variables).compactMap(\.firstName))
    provided.formUnion(pieces.flatMap(\.functions).map(\.name.text))
    provided.formUnion(providedByProtocols(pieces.flatMap(\.inherited)))
    var members: [String] = []
    var missing: [Requirement] = []
    let needed = try requirements(of: dependency).filter { !provided.contains($0.name) }
    if needed.isEmpty { return [] }
    let inherited = try parent.dependency.map { try requirements(of: $0) } ?? []
    for requirement in needed {
      if inherited.contains(requirement) {
        members.append("var \(requirement.name): \(requirement.type) { dependency.\(requirement.name) }")
      } else {
        missing.append(requirement)
      }
    }
    if missing.isEmpty { return members }
    throw Failure.refused(
      "'\(componentName)' does not have what '\(names.dependency)' (\(dependency.place)) asks for",
      advice: ["add to \(componentName), or to \(parent.name)Dependency:"]
        + missing.map { "  var \($0.name): \($0.type)" })
  }

  /// The properties that extensions of protocols provide, as those of dependencies that a component forwards.
  ///
  /// - Parameter names: the protocols that the component conforms to; those that they inherit from count too.
  private func providedByProtocols(_ names: [String]) -> Set<String> {
    var names = names
    var seen: Set<String> = []
    var provided: Set<String> = []
    while let name = names.popLast() {
      guard seen.insert(name).inserted else { continue }
      let declarations = workspace.declarations(mentioning: name).filter { $0.name == name }
      guard let declared = declarations.first(where: { $0.kind == .protocol }) else { continue }
      names += declared.inherited
      for declaration in declarations where declaration.node.as(ExtensionDeclSyntax.self)?.genericWhereClause == nil {
        if declaration.kind == .extension { provided.formUnion(declaration.variables.compactMap(\.firstName)) }
      }
    }
    return provided
  }

  private func requirements(of dependency: Declaration) throws -> [Requirement] {
    var all: [Requirement] = []
    for name in dependency.inherited where !["Dependency", "EmptyDependency", "AnyObject"].contains(name) {
      let found = workspace.declarations(mentioning: name)
        .first { $0.kind == .protocol && $0.name == name }
      guard let found else {
        throw Failure.refused(
          "'\(dependency.name)' (\(dependency.place)) inherits from '\(name)', which is not declared here")
      }
      all += try requirements(of: found)
    }
    for member in dependency.members {
      guard let variable = member.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
        let name = variable.firstName, let type = binding.typeAnnotation?.type
      else {
        throw Failure.refused(
          "'\(dependency.name)' asks for more than a property (\(dependency.file.place(of: member)))")
      }
      all.append(Requirement(name: name, type: type.trimmedDescription))
    }
    return all
  }

  /// Throws if another child now needs members that are forwarded for this one.
  private func refuseNeededElsewhere(_ extended: Declaration) throws {
    let own = Set(extended.variables.compactMap(\.firstName))
    guard !own.isEmpty else { return }
    let others = Set(pieces.filter { $0.file.path != path }.flatMap(\.inherited))
    for name in others where name.hasSuffix("Dependency") {
      let found = workspace.declarations(mentioning: name)
        .first { $0.kind == .protocol && $0.name == name }
      let needed = try found.map { try requirements(of: $0) } ?? []
      if let member = needed.first(where: { own.contains($0.name) }) {
        throw Failure.refused(
          "'\(member.name)' in '\(path)' is what '\(name)' needs too",
          advice: [
            "move it to \(componentName) first: var \(member.name): \(member.type) { dependency.\(member.name) }"
          ])
      }
    }
  }
}
