// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

/// Brings copies of adapters up to date with their templates, and keeps what the user has changed.
public struct UpdateAdapters {
  /// The adapters; empty for all that the package has a recorded copy of.
  public var adapters: [Adapter]
  /// The folder that contains the folders of the adapters, relative to the package; nil to find them.
  public var folder: String?

  public init(_ adapters: [Adapter], in folder: String?) {
    self.adapters = adapters
    self.folder = folder
  }

  /// Merges, file by file, what has changed in the template since it was copied with what has changed in the copy, and adds
  /// to the manifest what the templates need since then.
  ///
  /// - Throws: `Failure.missing` if there is no copy; `Failure.refused` if it was not recorded what was copied, or if a copy
  ///   has conflicts of an earlier update.
  public func apply(to workspace: Workspace) throws -> AdapterOutcome {
    let adapters = try adapters.isEmpty ? copied(in: workspace) : adapters
    var conflicts: [(path: String, advice: String)] = []
    var notes: [String] = []
    var known: [ManifestItem] = []
    for adapter in adapters {
      let parent = AdapterPlace(adapter, folder, workspace).folder
      let main = AdapterCopy(workspace: workspace, folder: AdapterPlace.path(adapter.name, in: parent))
      guard workspace.exists(main.folder) else {
        throw Failure.missing(
          "there is no copy of '\(adapter.name)' in '\(main.folder)'; 'ribs add \(adapter.name)' makes one, and --path "
            + "names the folder that contains one")
      }
      // A copy without a record is that of the template, or refused.
      let mainText = try main.recorded(adapter.name + ".swift") ?? main.text(adapter.name + ".swift")
      known += mainText.map(Adapter.manifestItems) ?? []
      for folder in adapter.folders {
        let files = adapter.files.filter { $0.path.hasPrefix(folder + "/") }
        let copy = AdapterCopy(workspace: workspace, folder: AdapterPlace.path(folder, in: parent))
        let update = try FolderUpdate(copy, files.map { (AdapterPlace.name(of: $0.path), $0.text) }, adapter.name)
        try update.apply(&conflicts, &notes)
      }
    }
    var outcome = try AdapterManifest(workspace: workspace, folder: folder).add(adapters, known: known)
    outcome.conflicts = conflicts
    outcome.notes = notes + outcome.notes
    return outcome
  }

  private func copied(in workspace: Workspace) throws -> [Adapter] {
    let found = try Adapter.all().filter { adapter in
      let path = AdapterPlace.path(adapter.name, in: AdapterPlace(adapter, folder, workspace).folder)
      return AdapterCopy(workspace: workspace, folder: path).recordedNames != nil
    }
    if found.isEmpty {
      throw Failure.missing("the package has no adapter that 'ribs add' has recorded; name the one to update")
    }
    return found
  }
}

/// The update of one folder.
private struct FolderUpdate {
  let copy: AdapterCopy
  /// The files of the template.
  let template: [String: String]
  /// The files of the template as they were copied.
  let base: [String: String]

  /// - Parameter adapter: the name of the adapter, for messages.
  init(_ copy: AdapterCopy, _ files: [(name: String, text: String)], _ adapter: String) throws {
    self.copy = copy
    template = Dictionary(files.map { ($0.name, $0.text) }) { $1 }
    guard let names = copy.recordedNames else {
      let isEqual = try files.allSatisfy { try copy.text($0.name)?.withPlainLineEnds == $0.text }
      guard isEqual || !copy.workspace.exists(copy.folder) else {
        throw Failure.refused(
          "'\(copy.folder)' has no record of what was copied, because it was copied before there were records; so it is "
            + "unknown which of the differences are yours",
          advice: [
            "Once, bring it up to date by hand; later updates are merged:",
            "1. Commit '\(copy.folder)', so that nothing is lost, and delete it.",
            "2. Run 'ribs add \(adapter)', which copies the template and records it.",
            "3. Bring your changes back: 'git diff HEAD -- \(copy.folder)' shows what differs.",
          ])
      }
      base = isEqual ? template : [:]
      return
    }
    base = try Dictionary(
      names.compactMap { name in try copy.recorded(name).map { (name, $0.withPlainLineEnds) } },
      uniquingKeysWith: { $1 })
    for name in Set(base.keys).union(template.keys).sorted() {
      if let text = try copy.text(name), TextMerge.hasMarkers(text) {
        throw Failure.refused(
          "'\(copy.path(name))' has conflicts of an earlier update",
          advice: ["Resolve the places between <<<<<<< and >>>>>>>, and run the command again."])
      }
    }
  }

  func apply(_ conflicts: inout [(path: String, advice: String)], _ notes: inout [String]) throws {
    for name in Set(base.keys).union(template.keys).sorted() {
      let path = copy.path(name)
      let (old, new) = (base[name], template[name])
      let written = try copy.text(name)
      // The lines are compared and merged with line feeds alone.
      let mine = written?.withPlainLineEnds
      try copy.record(new, as: name)
      if mine == new || old == new { continue }
      switch (mine, new) {
      case (let mine?, let new?):
        let merge =
          mine == old
          ? TextMerge.Result(text: new, conflicts: 0)
          : try TextMerge.merged(mine: mine, base: old ?? "", theirs: new)
        let ends = written?.endsLinesWithReturns == true
        copy.workspace.write(ends ? merge.text.replacing("\n", with: "\r\n") : merge.text, to: path)
        if merge.conflicts > 0 {
          let places = merge.conflicts == 1 ? "1 place" : "\(merge.conflicts) places"
          conflicts.append((path, "\(places), between <<<<<<< and >>>>>>>"))
        }
      case (let mine?, nil):
        if mine == old {
          try copy.workspace.delete(path)
        } else {
          conflicts.append((path, "you have changed it, and the template no longer has it: delete it, or keep it"))
        }
      case (nil, let new?):
        if old == nil {
          copy.workspace.write(new, to: path)
        } else {
          notes.append("'\(path)' is not written: you have deleted it, and the template has changed it since")
        }
      case (nil, nil): break
      }
    }
  }
}
