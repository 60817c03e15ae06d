// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Generation
import SourceModel

/// Resolves folders named on the command line.
enum Folder {
  /// The working directory of the process.
  static var current: URL { URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory) }

  /// The package to edit.
  ///
  /// - Parameter path: the folder from the command line; nil for the package that contains the current folder.
  static func package(_ path: String?) throws -> URL {
    guard let path else { return PackageModel.root(around: current) ?? current }
    let root = URL(filePath: path, directoryHint: .isDirectory, relativeTo: current).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw Failure.missing("there is no folder '\(path)'")
    }
    return root
  }

  /// The path of a folder relative to the package, which must contain it.
  static func inside(_ root: URL, _ path: String) throws -> String {
    let folder = URL(filePath: path, relativeTo: current).standardizedFileURL.path.trimmingSuffix("/")
    let root = root.standardizedFileURL.path.trimmingSuffix("/")
    if folder == root { return "" }
    guard folder.hasPrefix(root + "/") else { throw Failure.usage("'\(path)' is not in the package \(root)") }
    return String(folder.dropFirst(root.count + 1))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: Character) -> String {
    var text = self[...]
    while text.count > 1 && text.last == suffix { text = text.dropLast() }
    return String(text)
  }
}
