// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Deletes a RIB: its files, and optionally its links.
public struct Remove {
  public var name: RIBName
  /// Whether to unlink it from its parents first, and to take its protocols from the types that conform to them.
  public var unlinks = false
  /// Whether to delete it also if other code uses what goes.
  public var isForced = false

  public init(name: RIBName) { self.name = name }

  /// Performs the removal.
  ///
  /// - Returns: notes for the user about the changes.
  /// - Throws: `Failure.refused` if the RIB is linked and `unlinks` is false, if other code uses what goes, or if the tree
  ///   would lose more than the RIB. The workspace is unchanged then.
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
    let (doomed, _) = try files(in: workspace)
    let types = try doomed.flatMap { try workspace.source(at: $0).declarations }
    let tree = TreeCheck(workspace, mentioning: [name.text] + types.filter { $0.kind == .class }.map(\.name))
    var notes: [String] = []
    for parent in parents { notes += try Unlink(child: name, parent: try RIBName(parent)).apply(to: workspace) }
    let (paths, others) = try files(in: workspace)
    let gone = RemovedWords(of: try paths.map { try workspace.source(at: $0) })
    for path in paths { try workspace.delete(path) }
    if unlinks {
      let style = LayoutStyle(near: workspace.root)
      notes += try Conformances(workspace: workspace, style: style).remove(gone.protocols)
    }
    let uses = try gone.uses(in: workspace)
    if isForced {
      notes += uses.certain.map { "this uses what is gone: \($0)" }
    } else if !uses.certain.isEmpty {
      let isConforming = !unlinks && uses.isConforming
      throw Failure.refused(
        "other code uses '\(name)'",
        advice: ["take this out first, or see with --force what would not compile:"] + uses.certain.map { "  " + $0 }
          + (isConforming ? ["'ribs remove \(name) --unlink' takes protocols out of inheritance clauses"] : []))
    }
    notes += uses.possible.map { "this may use what is gone: \($0)" }
    try tree.expectRemoved(name)
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
}
