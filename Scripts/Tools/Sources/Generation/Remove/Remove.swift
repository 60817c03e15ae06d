import SourceModel
import SwiftSyntax

/// Deletes a RIB: its files, and optionally its links.
public struct Remove {
  public var name: RIBName
  /// Whether to unlink it from its parents first.
  public var unlinks = false

  public init(name: RIBName) { self.name = name }

  /// Performs the removal.
  ///
  /// - Returns: notes for the user about the changes.
  /// - Throws: `Failure.refused` if the RIB is linked and `unlinks` is false, or if other code uses one of its types.
  ///   The workspace is unchanged then.
  public func apply(to workspace: Workspace) throws -> [String] {
    let start = workspace.mark()
    do {
      try workspace.refuseUnreadable(mentioning: [name.text])
      let path = try RIBParts.find(name.text, in: workspace).builder.file.path
      return try workspace.focused(on: path) { try edit(workspace) }
    } catch {
      workspace.goBack(to: start)
      throw error
    }
  }

  private func edit(_ workspace: Workspace) throws -> [String] {
    let children = self.children(in: workspace)
    let parents = Self.parents(of: name, in: workspace)
    if !parents.isEmpty && !unlinks {
      throw Failure.refused(
        "'\(name)' is linked to \(parents.map { "'\($0)'" }.joined(separator: ", "))",
        advice: ["'ribs remove \(name) --unlink' takes it from there, too"])
    }
    var notes: [String] = []
    for parent in parents { notes += try Unlink(child: name, parent: try RIBName(parent)).apply(to: workspace) }
    let (paths, others) = try files(in: workspace)
    let declarations = try paths.flatMap { try workspace.source(at: $0).declarations }
    let gone = Set(declarations.filter { $0.kind != .extension && $0.namespace.isEmpty }.map(\.name))
    for path in paths { try workspace.delete(path) }
    try refuseUsed(gone, in: workspace)
    notes += others.map { "left where it is: \($0)" }
    for child in children where Self.parents(of: child, in: workspace).isEmpty {
      notes.append("'\(child)' has no parent now")
    }
    return notes
  }

  /// The RIBs whose routers hold a RIB's builder.
  static func parents(of name: RIBName, in workspace: Workspace) -> [String] {
    let types: Set<String> = [name.text + "Builder", name.text + "Buildable"]
    let routers = workspace.declarations(mentioning: name.text + "Build").filter { declaration in
      declaration.kind == .class && declaration.name.hasSuffix("Router")
        && declaration.variables.contains { $0.isStored && $0.typeName.map(types.contains) ?? false }
    }
    return Set(routers.map { String($0.name.dropLast("Router".count)) }).sorted()
  }

  private func children(in workspace: Workspace) -> [RIBName] {
    let router = try? RIBParts.find(name.text, in: workspace).router
    return (router?.variables ?? []).compactMap { variable in
      guard let type = variable.bindings.first?.typeAnnotation?.type else { return nil }
      let name = Declaration.baseName(of: type)
      guard let role = ["Buildable", "Builder"].first(where: { name.hasSuffix($0) }) else { return nil }
      return try? RIBName(String(name.dropLast(role.count)))
    }.filter { RIBParts.exists($0.text, in: workspace) }
  }

  /// The sources to delete, and other files in the RIB's folders, which are kept.
  private func files(in workspace: Workspace) throws -> (sources: [String], others: [String]) {
    let files = OwnFiles(RoleNames(rib: name), in: workspace)
    let sources = Set(workspace.sourcePaths)
    let builders = sources.filter { files.moves($0) }.compactMap { try? workspace.source(at: $0) }
      .flatMap(\.declarations).map(\.name).filter { $0.hasSuffix("Builder") }
    let ribs = builders.compactMap { try? RIBName(String($0.dropLast("Builder".count))) }.filter { $0 != name }
      .map { OwnFiles(RoleNames(rib: $0), in: workspace) }
    var deleted: [String] = []
    var others: [String] = []
    for path in workspace.paths where files.moves(path) {
      let stem = OwnFiles.stem(of: path)
      let isOthers = !files.names.ownsFile(stem) && ribs.contains { $0.owns(path) }
      if isOthers { continue }
      if sources.contains(path) { deleted.append(path) } else { others.append(path) }
    }
    return (deleted, others)
  }

  private func refuseUsed(_ gone: Set<String>, in workspace: Workspace) throws {
    var places: [String] = []
    let paths = Set(gone.flatMap { workspace.paths(mentioning: $0) })
    for file in try paths.sorted().map({ try workspace.source(at: $0) }) {
      for token in file.syntax.tokens(viewMode: .sourceAccurate) {
        if case .identifier(let word) = token.tokenKind, gone.contains(word) {
          places.append("\(file.place(of: token)): \(word)")
        }
      }
    }
    guard places.isEmpty else {
      throw Failure.refused("other code uses '\(name)'", advice: ["take this out first:"] + places.map { "  " + $0 })
    }
  }
}
