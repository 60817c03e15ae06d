import Foundation
import SourceModel

/// Which module a file belongs to, by the manifests of the packages around it.
struct Modules {
  private var packages: [String: PackageModel] = [:]
  /// The package around each folder, nil if there is none.
  private var roots: [String: String?] = [:]

  /// The name of the target that a file is in; empty if there is none.
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
