import Foundation
import SourceModel

/// Maps files to modules, by the manifests of the packages that contain them.
struct Modules {
  private var packages: [String: PackageModel] = [:]
  /// The package root of each folder; nil if it is in no package.
  private var roots: [String: String?] = [:]

  /// The name of the target that contains a file; empty if there is none.
  mutating func name(of file: URL) -> String {
    guard let root = root(around: file.deletingLastPathComponent().path), let package = package(in: root) else {
      return ""
    }
    return package.target(of: String(file.path.dropFirst(root.count + 1)))?.name ?? ""
  }

  private mutating func package(in root: String) -> PackageModel? {
    if let known = packages[root] { return known }
    let package = PackageModel(root: URL(filePath: root))
    packages[root] = package
    return package
  }

  private mutating func root(around folder: String) -> String? {
    if let known = roots[folder] { return known }
    let isRoot = FileManager.default.fileExists(atPath: folder + "/Package.swift")
    let parent = URL(filePath: folder).deletingLastPathComponent().path
    let root = isRoot ? folder : parent == folder || parent.isEmpty ? nil : self.root(around: parent)
    roots[folder] = root
    return root
  }
}
