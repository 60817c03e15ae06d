// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds the source files below a folder in a stable order. Excludes hidden folders, build products and Xcode templates.
/// Follows symbolic links to what is not below the folder anyway.
public enum FileFinder {
  /// More files and folders than the limit.
  public struct LimitExceeded: Error {
    public let limit: Int
  }

  /// What is below a folder.
  public struct Found: Sendable {
    /// The paths of all files, relative to the folder and sorted; empty if the folder does not exist.
    public fileprivate(set) var files: [String] = []
    /// The files among them that are reached through symbolic links to somewhere else, sorted.
    public fileprivate(set) var linked: [String] = []
    /// The Swift files and folders that can't be read, sorted.
    public fileprivate(set) var unread: [Unread] = []
    /// The number of files and folders that may still be visited; negative if there are more.
    fileprivate var left: Int
  }

  /// A file or a folder that can't be read.
  public struct Unread: Hashable, Sendable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }

    public var description: String { "\(path): \(reason)" }
  }

  /// Finds what is below a folder.
  ///
  /// - Parameter limit: the number of files and folders to look through; nil for no limit.
  /// - Throws: `LimitExceeded` if there are more.
  public static func found(below folder: URL, limit: Int?) throws(LimitExceeded) -> Found {
    let found = search(folder, upTo: limit ?? .max)
    if let limit, found.left < 0 { throw LimitExceeded(limit: limit) }
    return found
  }

  /// What is below a folder, without a limit.
  public static func found(below folder: URL) -> Found { search(folder, upTo: .max) }

  /// The paths of the Swift files below a folder, relative to it and sorted; empty if the folder does not exist.
  public static func swiftFiles(below folder: URL) -> [String] {
    found(below: folder).files.filter { $0.hasSuffix(".swift") }
  }

  /// The reason why the contents of a Swift file can't be read; nil if they are text.
  public static func reasonNotToRead(_ data: Data?) -> String? {
    guard let data else { return "there is no permission to read it" }
    return String(validating: data, as: UTF8.self) == nil ? "it is not text in UTF-8" : nil
  }

  /// The reason why the contents of a Swift file can't be parsed, which overflows the stack or takes minutes; nil if they
  /// can.
  public static func reasonNotToParse(_ data: Data) -> String? { NestingCheck.problem(in: data) }

  private static func search(_ folder: URL, upTo limit: Int) -> Found {
    var found = Found(left: limit)
    guard FileMode(of: folder.path, followsLinks: true)?.isFolder == true else { return found }
    let root = realPath(folder.path) ?? folder.path
    collect(below: folder.path, prefix: "", roots: [root], isLinked: false, into: &found)
    found.files.sort()
    found.linked.sort()
    found.unread.sort { $0.path < $1.path }
    return found
  }

  /// Whether a file or folder is an Xcode template with placeholders for names.
  private static func isTemplate(_ name: String) -> Bool { name.hasSuffix(".xctemplate") || name.contains("___") }

  private static func isIgnored(_ name: String) -> Bool { name.hasPrefix(".") || isTemplate(name) }

  /// The names of folders with products of other tools, which are not searched.
  public static let products: Set<String> = ["DerivedData", "Pods", "Carthage"]

  /// - Parameters:
  ///   - roots: the folders that are searched, without symbolic links.
  ///   - isLinked: whether the folder was reached through a symbolic link.
  private static func collect(
    below folder: String, prefix: String, roots: [String], isLinked: Bool, into found: inout Found
  ) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      found.unread.append(
        Unread(path: prefix.isEmpty ? folder : prefix, reason: "there is no permission to read the folder"))
      return
    }
    for name in names {
      found.left -= 1
      if found.left < 0 { return }
      let path = folder + "/" + name
      guard !isIgnored(name), var mode = FileMode(of: path, followsLinks: false) else { continue }
      var roots = roots
      let isLink = mode.isLink
      if isLink {
        guard let target = realPath(path), let targetMode = FileMode(of: target, followsLinks: true) else {
          if name.hasSuffix(".swift") {
            found.unread.append(Unread(path: prefix + name, reason: "the symbolic link leads nowhere"))
          }
          continue
        }
        if roots.contains(where: { isSearched(target, below: $0) || ($0 + "/").hasPrefix(target + "/") }) { continue }
        mode = targetMode
        roots.append(target)
      }
      if mode.isFolder {
        if !products.contains(name) {
          collect(below: path, prefix: prefix + name + "/", roots: roots, isLinked: isLinked || isLink, into: &found)
        }
      } else if mode.isRegularFile {
        found.files.append(prefix + name)
        if isLinked || isLink { found.linked.append(prefix + name) }
      }
    }
  }

  /// Whether a search of a folder visits a path.
  private static func isSearched(_ path: String, below root: String) -> Bool {
    guard path.hasPrefix(root + "/") else { return false }
    return path.dropFirst(root.count + 1).split(separator: "/")
      .allSatisfy { !isIgnored(String($0)) && !products.contains(String($0)) }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
