// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Renames a RIB: its types, the names derived from it in its parents, its files and its folders.
public struct Rename {
  public var old: RIBName
  public var new: RIBName

  public init(from old: RIBName, to new: RIBName) {
    self.old = old
    self.new = new
  }

  /// Performs the renaming.
  ///
  /// - Returns: notes for the user about the name in saved trees, and about strings that keep the name.
  /// - Throws: `Failure.refused` if the new name is taken or could be confused with existing words, or if the code does
  ///   not say what a name means. The workspace is unchanged then.
  @discardableResult
  public func apply(to workspace: Workspace) throws -> [String] {
    if old == new { throw Failure.usage("'\(old)' has that name already") }
    try workspace.refuseUnreadable(mentioning: [old.text, old.lowerCamel])
    let path = try RIBParts.find(old.text, in: workspace).builder.file.path
    let start = workspace.mark()
    do {
      let (types, notes) = try workspace.focused(on: path) { try applyFocused(to: workspace) }
      // The RIBs that it contains may be in other targets.
      return try SavedNameEdit(workspace: workspace, renamed: types).apply() + notes
    } catch {
      workspace.goBack(to: start)
      throw error
    }
  }

  private func applyFocused(to workspace: Workspace) throws -> (types: [String: String], notes: [String]) {
    let start = workspace.mark()
    let before = try workspace.plan()
    do {
      try refuseTaken(in: workspace)
      let tree = TreeCheck(workspace, mentioning: [old.text, new.text])
      let result = try edit(workspace)
      try tree.expectRenamed(old, to: new)
      let end = workspace.mark()
      _ = try Rename(from: new, to: old).edit(workspace)
      let isReversible = try workspace.plan() == before
      let changed = isReversible ? [] : try workspace.plan().changes.map(\.path)
      workspace.goBack(to: isReversible ? end : start)
      if !isReversible {
        throw Failure.refused(
          "'\(new)' could not be told from words that are there already",
          advice: try changed.flatMap { try places(at: $0, in: workspace) })
      }
      return result
    } catch {
      workspace.goBack(to: start)
      throw error
    }
  }

  /// The words of a file, with their lines, that the reverse renaming would take for those of the RIB.
  private func places(at path: String, in workspace: Workspace) throws -> [String] {
    let text = String(decoding: try workspace.data(at: path), as: UTF8.self)
    let lines: [Substring] = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let found = lines.enumerated().flatMap { index, line -> [String] in
      var words: [String] = []
      _ = Words.replacing(in: String(line)) { word in
        let isMeant = [new.text, new.lowerCamel].contains { name in
          word.hasPrefix(name) && word.dropFirst(name.count).first?.isLowercase != true
        }
        if isMeant { words.append(String(word)) }
        return nil
      }
      return words.map { "look at '\($0)' in \(path):\(index + 1)" }
    }
    return found.isEmpty ? ["look for '\(new)' or '\(new.lowerCamel)' in \(path)"] : found
  }

  private func refuseTaken(in workspace: Workspace) throws {
    let files = OwnFiles(RoleNames(rib: old), in: workspace)
    let map = RenameMap(from: old, to: new, files: files, in: workspace)
    let names = Set(map.words.values)
    try refuseAmbiguous(map, in: workspace)
    for source in workspace.sources(mentioning: new.text) {
      if let taken = source.declarations.first(where: { names.contains($0.name) && $0.kind != .extension }) {
        throw Failure.refused("the name '\(new)' is taken: '\(taken.name)' is declared in \(taken.place)")
      }
    }
    for path in workspace.paths where files.moves(path) {
      let renamed = files.renamed(path, to: new)
      if renamed != path && workspace.exists(renamed) {
        throw Failure.refused("the name '\(new)' is taken: there is a file '\(renamed)'")
      }
    }
  }

  /// Throws if an unrelated type has the name of one of the RIB's types, and would be renamed with it.
  private func refuseAmbiguous(_ map: RenameMap, in workspace: Workspace) throws {
    // Each router may have a type of its own for the routes to the RIB.
    let declarations = workspace.declarations(mentioning: old.text).filter { declaration in
      declaration.kind != .extension && !(declaration.namespace.last.map(map.holders.contains) ?? false)
    }
    for (name, same) in Dictionary(grouping: declarations, by: \.name) where same.count > 1 && map.words[name] != nil {
      throw Failure.refused("'\(name)' is declared more than once", advice: same.map { "in \($0.place)" })
    }
  }

  /// Renames.
  ///
  /// - Returns: the new names of types, and notes about strings that keep the name.
  private func edit(_ workspace: Workspace) throws -> (types: [String: String], notes: [String]) {
    let files = OwnFiles(RoleNames(rib: old), in: workspace)
    let map = RenameMap(from: old, to: new, files: files, in: workspace)
    let mentioning = Set(workspace.paths(mentioning: old.text) + workspace.paths(mentioning: old.lowerCamel)).sorted()
    let derived = DerivedNames(in: workspace)
    // Before the first edit, which changes what names mean.
    let results = try mentioning.map { path in
      let file = try workspace.source(at: path)
      let renamer = FileRenamer(
        file: file, map: map, old: old, new: new, isOwn: files.owns(path), isTest: workspace.isTest(path),
        derived: derived)
      return (file: file, result: renamer.result())
    }
    let unknown = results.flatMap { file, result in result.unknown.map { "\(file.place(of: $0)): \($0.text)" } }
    guard unknown.isEmpty else {
      throw Failure.refused(
        "the code does not say whether this is named after '\(old)', or is declared in another package",
        advice: ["declare the type of the receiver:"] + unknown.map { "  " + $0 })
    }
    for (file, result) in results where !result.edits.isEmpty { try workspace.edit(file.path, result.edits) }
    for path in workspace.paths where files.moves(path) {
      let renamed = files.renamed(path, to: new)
      if renamed != path { try workspace.move(path, to: renamed) }
    }
    let notes = results.flatMap { file, result in
      let path = files.moves(file.path) ? files.renamed(file.path, to: new) : file.path
      return result.strings.map {
        let line = file.line(at: $0.positionAfterSkippingLeadingTrivia)
        return "left in a string: \(path):\(line): \"\($0.text)\""
      }
    }
    return (map.types, notes)
  }
}
