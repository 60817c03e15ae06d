// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceLint
import SourceModel

/// The manifests of packages and projects around sources, and the runtimes that they name.
struct Manifests {
  /// What the manifests in a folder say.
  private struct Folder {
    let package: PackageModel?
    /// The runtime that they name; nil for none.
    let runtime: Runtime?
  }

  private var folders: [String: Folder] = [:]

  /// The runtime that the nearest manifest names for a file: for its target, or else as a whole.
  ///
  /// - Parameter path: the path of the file, relative to the current folder.
  /// - Returns: nil if no manifest names one.
  mutating func runtime(of path: String) -> Runtime? {
    let file = URL(filePath: path, relativeTo: ribs.Folder.current).standardizedFileURL
    var folder = file
    while true {
      let parent = folder.deletingLastPathComponent().standardizedFileURL
      if parent.path == folder.path || folder.path == "/" { return nil }
      folder = parent
      let found = contents(of: folder)
      let inner = String(file.path.dropFirst(folder.path == "/" ? 1 : folder.path.count + 1))
      if let package = found.package, let target = package.target(of: inner) {
        let all = target.packages + package.dependencies(of: target).flatMap(\.packages)
        if let runtime = Runtime(packages: target.packages) ?? Runtime(packages: all) { return runtime }
      }
      if let runtime = found.runtime { return runtime }
    }
  }

  private mutating func contents(of folder: URL) -> Folder {
    if let known = folders[folder.path] { return known }
    let runtimes = Manifests.texts(in: folder).compactMap { Runtime(manifest: $0) }
    let found = Folder(
      package: PackageModel(root: folder), runtime: runtimes.first { $0 == .this } ?? runtimes.first)
    folders[folder.path] = found
    return found
  }

  /// The texts of the manifests in a folder.
  private static func texts(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let projects = names.filter { $0.hasSuffix(".xcodeproj") }.map { $0 + "/project.pbxproj" }
    let manifests = ["Package.swift", "Podfile", "Cartfile", "Tuist/Package.swift", "Tuist/Dependencies.swift"]
    return (manifests + projects.sorted()).compactMap {
      try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }
}
