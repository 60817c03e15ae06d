// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

extension Plan {
  /// What the entries of Xcode projects have to do with sources that are created, moved or deleted, one note per project
  /// and kind.
  public var projectNotes: [String] {
    let sources = changes.filter { $0.path.hasSuffix(".swift") && !Plan.isRecord($0.path) }
    let created = sources.filter { $0.before == nil }.map(\.path)
    let gone = sources.filter { $0.after == nil }.map(\.path)
    guard !(created + gone).isEmpty else { return [] }
    let package = PackageModel(root: root)
    let projects = FileFinder.found(below: root).files.filter { $0.hasSuffix(".xcodeproj/project.pbxproj") }
    return projects.flatMap { path -> [String] in
      guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { return [] }
      let parts = path.split(separator: "/")
      let folder = parts.dropLast(2).map { $0 + "/" }.joined()
      func isHere(_ file: String) -> Bool { file.hasPrefix(folder) && package?.target(of: file) == nil }
      let entries = ProjectEntries(text)
      let listed = gone.filter { isHere($0) && entries.lists($0) }
      let missing = created.filter(isHere)
      let synchronized = missing.filter { entries.synchronizes($0.dropFirst(folder.count)) }
      let unlisted = missing.filter { !synchronized.contains($0) && !entries.lists($0) }
      let name = parts.dropLast().joined(separator: "/")
      return Plan.note("\(name) still lists what is gone; remove it there", listed)
        + Plan.note("\(name) does not list what is new; add it there, to its target", unlisted)
        + (synchronized.isEmpty ? [] : ["\(name) synchronizes the folder of the new files, and needs no change"])
    }
  }

  private static func note(_ text: String, _ paths: [String]) -> [String] {
    paths.isEmpty ? [] : ["\(text): \(paths.joined(separator: ", "))"]
  }
}

/// The entries of a `project.pbxproj`.
private struct ProjectEntries {
  private let text: String
  /// The paths of the folders that Xcode keeps in step with the disk.
  private let synchronized: [String]

  init(_ text: String) {
    self.text = text
    var found: [String] = []
    var isFolder = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.contains("isa = ") { isFolder = line.contains("isa = PBXFileSystemSynchronizedRootGroup;") }
      guard isFolder, let start = line.range(of: "path = ")?.upperBound else { continue }
      found.append(line[start...].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: "\"")))
    }
    synchronized = found
  }

  /// Whether a file has an entry of its own.
  func lists(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return ["/* \(name) */", "path = \(name);", "path = \"\(name)\";"].contains { text.contains($0) }
  }

  /// Whether a file is in a folder that Xcode keeps in step with the disk.
  ///
  /// - Parameter path: its path relative to the project.
  func synchronizes(_ path: Substring) -> Bool {
    synchronized.contains { ("/" + path).contains("/\($0)/") }
  }
}
