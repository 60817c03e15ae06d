// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

/// Maps files to modules, by the packages and projects that contain them.
struct Modules {
  /// What declares modules in a folder.
  private struct Root {
    let package: PackageModel?
    let tuist: TuistProject?
    let xcode: XcodeProject?

    /// Whether nothing in the folder declares modules.
    var isEmpty: Bool { package == nil && tuist == nil && xcode == nil }
  }

  /// The roots by folder.
  private var roots: [String: Root] = [:]

  /// The module that contains a file.
  struct Module {
    /// Empty if it is unknown.
    var name = ""
    /// Whether it follows from names of folders only.
    var isGuessed = false
    /// Whether only tests use it; nil if no manifest says so.
    var belongsToTests: Bool?
  }

  /// The module that contains a file.
  mutating func module(of file: URL) -> Module {
    let path = file.path
    var folder = Substring(path)
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = folder[..<slash]
      let root = root(in: String(folder))
      if root.isEmpty { continue }
      let relative = String(path.dropFirst(folder.count + 1))
      if let target = root.package?.target(of: relative) {
        return Module(name: target.module, belongsToTests: target.belongsToTests)
      }
      if let tuist = root.tuist {
        let name = tuist.module(of: relative, in: folder.split(separator: "/").last.map(String.init) ?? "")
        return Module(name: name, isGuessed: true)
      }
      if let name = root.xcode?.module(of: relative), !name.isEmpty { return Module(name: name, isGuessed: true) }
    }
    return Module()
  }

  private mutating func root(in folder: String) -> Root {
    if let known = roots[folder] { return known }
    let url = URL(filePath: folder)
    let entries = Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    func text(_ name: String) -> String? { try? String(contentsOf: url.appending(path: name), encoding: .utf8) }
    let project = entries.filter { $0.hasSuffix(".xcodeproj") }.sorted().first
    let root = Root(
      package: entries.contains("Package.swift") ? PackageModel(root: url) : nil,
      tuist: entries.contains("Project.swift")
        ? text("Project.swift").flatMap { $0.contains("ProjectDescription") ? TuistProject($0) : nil } : nil,
      xcode: project.flatMap { text("\($0)/project.pbxproj") }.map { XcodeProject($0) })
    roots[folder] = root
    return root
  }
}
