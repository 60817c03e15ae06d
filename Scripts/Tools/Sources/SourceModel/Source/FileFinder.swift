import Foundation

/// Finds the source files below a folder in a stable order. Excludes hidden folders, build products, Xcode templates
/// and symbolic links.
public enum FileFinder {
  /// More files and folders than the limit.
  public struct LimitExceeded: Error {
    public let limit: Int
  }

  /// The paths of the Swift files below a folder, relative to it and sorted; empty if the folder does not exist.
  ///
  /// - Parameter limit: the number of files and folders to look through; nil for no limit.
  /// - Throws: `LimitExceeded` if there are more.
  public static func swiftFiles(below folder: URL, limit: Int?) throws(LimitExceeded) -> [String] {
    try files(below: folder, limit: limit).filter { $0.hasSuffix(".swift") }
  }

  /// The paths of the Swift files below a folder, relative to it and sorted; empty if the folder does not exist.
  public static func swiftFiles(below folder: URL) -> [String] {
    files(below: folder).filter { $0.hasSuffix(".swift") }
  }

  /// The paths of all files below a folder, relative to it and sorted; empty if the folder does not exist.
  public static func files(below folder: URL) -> [String] {
    search(folder, upTo: .max).files
  }

  /// The paths of all files below a folder, relative to it and sorted; empty if the folder does not exist.
  ///
  /// - Parameter limit: the number of files and folders to look through; nil for no limit.
  /// - Throws: `LimitExceeded` if there are more.
  public static func files(below folder: URL, limit: Int?) throws(LimitExceeded) -> [String] {
    let (files, isWhole) = search(folder, upTo: limit ?? .max)
    if let limit, !isWhole { throw LimitExceeded(limit: limit) }
    return files
  }

  private static func search(_ folder: URL, upTo limit: Int) -> (files: [String], isWhole: Bool) {
    var found: [String] = []
    var left = limit
    collect(below: folder.path, prefix: "", into: &found, left: &left)
    return (found.sorted(), left >= 0)
  }

  /// Whether a file or folder is an Xcode template with placeholders for names.
  private static func isTemplate(_ name: String) -> Bool { name.hasSuffix(".xctemplate") || name.contains("___") }

  /// - Parameter left: the number of files and folders that may still be visited; negative if there are more.
  private static func collect(below folder: String, prefix: String, into found: inout [String], left: inout Int) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      left -= 1
      if left < 0 { return }
      let path = folder + "/" + name
      guard !name.hasPrefix("."), !isTemplate(name), let mode = FileMode(of: path, followsLinks: false) else {
        continue
      }
      if mode.isFolder {
        if name != "DerivedData" && name != "Pods" && name != "Carthage" {
          collect(below: path, prefix: prefix + name + "/", into: &found, left: &left)
        }
      } else if mode.isRegularFile {
        found.append(prefix + name)
      }
    }
  }
}
