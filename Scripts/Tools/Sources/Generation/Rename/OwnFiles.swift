// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The files that belong to a RIB, and their paths after renaming.
struct OwnFiles {
  let names: RoleNames
  /// Folders named after the RIB that contain its files.
  private let folders: Set<String>

  /// All sources of the search.
  private let sources: Set<String>

  init(_ names: RoleNames, in workspace: Workspace) {
    self.names = names
    sources = Set(workspace.sourcePaths)
    folders = Set(
      workspace.sourcePaths.filter { names.ownsFile(OwnFiles.stem(of: $0)) }.map(OwnFiles.folder)
        .filter { OwnFiles.lastName(of: $0) == names.rib.text })
  }

  /// Whether a file belongs to the RIB, by its name or its folder.
  func owns(_ path: String) -> Bool {
    folders.contains { path.hasPrefix($0 + "/") } || names.ownsFile(OwnFiles.stem(of: path))
  }

  /// Whether renaming the RIB changes the path of a file: one of its sources, or any file in its folders.
  func moves(_ path: String) -> Bool {
    folders.contains { path.hasPrefix($0 + "/") } || (sources.contains(path) && names.ownsFile(OwnFiles.stem(of: path)))
  }

  /// The path of a file after renaming the RIB.
  func renamed(_ path: String, to new: RIBName) -> String {
    var pieces = path.split(separator: "/").map(String.init)
    for index in pieces.indices.dropLast() where folders.contains(pieces[...index].joined(separator: "/")) {
      pieces[index] = new.text
    }
    guard let file = pieces.popLast() else { return path }
    let stem = OwnFiles.stem(of: path)
    guard names.ownsFile(stem) else { return (pieces + [file]).joined(separator: "/") }
    let old = names.rib.text
    let head: String =
      stem.hasPrefix(old) ? new.text + String(stem.dropFirst(old.count)) : String(stem.dropLast(old.count)) + new.text
    return (pieces + [head + file.dropFirst(stem.count)]).joined(separator: "/")
  }

  static func stem(of path: String) -> String {
    let file = lastName(of: path)
    return file.hasSuffix(".swift") ? String(file.dropLast(6)) : file
  }

  static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private static func lastName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
