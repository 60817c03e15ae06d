import Foundation
import Generation

/// Folders that users name.
enum Folder {
  /// The folder that the tool was started in.
  static var current: URL { URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory) }

  /// The path of a folder relative to the package that it has to be in.
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
