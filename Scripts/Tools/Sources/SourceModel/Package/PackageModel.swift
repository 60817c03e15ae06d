// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftParser
import SwiftSyntax

/// A Swift package as its manifest declares it. Only literal names and paths are recognized, not computed ones.
public struct PackageModel: Sendable {
  /// A target of the package.
  public struct Target: Hashable, Sendable {
    public let name: String
    /// The folder of its sources, relative to the package; empty for the folder of the package itself.
    public let path: String
    public let isTest: Bool
    /// The targets and products it depends on, by name.
    public let dependencies: [String]
    /// The packages of the products it depends on.
    public let packages: [String]
    /// The files and folders that it is limited to, relative to its folder; empty for all.
    public let sources: [String]
    /// The files and folders that do not belong to it, relative to its folder.
    public let excluded: [String]
    /// The call that declares it.
    public let call: FunctionCallExprSyntax

    /// The name of its module, by which sources import it.
    public var module: String { PackageModel.moduleName(name) }

    /// Whether only tests use it: a test target, or one whose name or folder says that it supports tests.
    public var belongsToTests: Bool {
      let names = [name[...]] + path.split(separator: "/")
      return isTest
        || names.contains { name in
          name == "Test" || ["Tests", "TestSupport", "Mocks", "Doubles"].contains(where: name.hasSuffix)
        }
    }

    /// The path of a file or folder, relative to the package.
    ///
    /// - Parameter inner: its path relative to the target's folder.
    public func path(of inner: String) -> String { path.isEmpty ? inner : path + "/" + inner }

    /// Whether the target contains a file or folder, given by its path relative to the package.
    public func contains(_ path: String) -> Bool {
      guard let inner = inner(path) else { return false }
      func isBelow(_ folder: String) -> Bool { folder.isEmpty || inner == folder || inner.hasPrefix(folder + "/") }
      return (sources.isEmpty || sources.contains(where: isBelow)) && !excluded.contains(where: isBelow)
    }

    /// The path of a file or folder relative to the target's folder; nil if it is outside.
    public func inner(_ path: String) -> String? {
      if self.path.isEmpty { return path }
      if path == self.path { return "" }
      return path.hasPrefix(self.path + "/") ? String(path.dropFirst(self.path.count + 1)) : nil
    }
  }

  /// The folder of the package.
  public let root: URL
  /// The targets, in the order of the manifest.
  public let targets: [Target]

  /// Reads the manifest of the package in a folder.
  ///
  /// - Returns: nil if there is no readable manifest.
  public init?(root: URL) {
    guard let text = try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8),
      FileFinder.reasonNotToParse(Data(text.utf8)) == nil
    else { return nil }
    self.init(root: root, manifest: SourceFile(path: "Package.swift", text: text))
  }

  /// Reads a manifest.
  public init(root: URL, manifest: SourceFile) {
    self.root = root
    let collector = TargetCollector(folders: TargetFolders(root: root, manifest: manifest.text))
    collector.walk(manifest.syntax)
    targets = collector.targets
  }

  /// The root of the package that contains a folder; nil if there is none.
  public static func root(around folder: URL) -> URL? {
    var folder = folder.standardizedFileURL
    while true {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
      let parent = folder.deletingLastPathComponent().standardizedFileURL
      if parent.path == folder.path || folder.path == "/" { return nil }
      folder = parent
    }
  }

  /// The folder that contains the folders of the targets whose path the manifest does not set.
  public static func sourcesFolder(in root: URL) -> String {
    TargetFolders.sources.first { TargetFolders.isFolder(root.appending(path: $0)) } ?? TargetFolders.sources[0]
  }

  /// The name of a target's module: an underscore replaces what an identifier can't have there.
  public static func moduleName(_ target: String) -> String {
    String(
      target.enumerated().map { index, character in
        character == "_" || character.isLetter || (character.isNumber && index > 0) ? character : "_"
      })
  }

  /// The target with a name.
  public func target(named name: String) -> Target? { targets.first { $0.name == name } }

  /// The target that contains a file, given by its path relative to the package.
  public func target(of path: String) -> Target? {
    targets.filter { $0.contains(path) }.max { $0.path.count < $1.path.count }
  }

  /// The targets that a target depends on, directly or transitively, the nearest first.
  public func dependencies(of target: Target) -> [Target] {
    var found: [Target] = []
    var next = target.dependencies
    while !next.isEmpty {
      let targets = next.compactMap(self.target(named:)).filter { $0 != target && !found.contains($0) }
      next = []
      for other in targets where !found.contains(other) {
        found.append(other)
        next += other.dependencies
      }
    }
    return found
  }

  /// The test target that depends on a target; the one named after it takes precedence.
  public func tests(of target: Target) -> Target? {
    let candidates = targets.filter { $0.isTest && $0.dependencies.contains(target.name) }
    return candidates.first { $0.name == target.name + "Tests" } ?? candidates.first
  }
}

/// Finds the folders of targets whose path the manifest does not set, as the package manager does.
private struct TargetFolders {
  /// The folders in which the package manager looks, in this order.
  static let sources = ["Sources", "Source", "src", "srcs"]

  let root: URL
  let manifest: String

  /// The folder of a target.
  ///
  /// - Parameter isOnly: whether the package has no other target of its kind. From version 5.9 of the tools on, such a
  ///   target may use the whole folder.
  func path(of name: String, isTest: Bool, isOnly: Bool) -> String {
    let sources = TargetFolders.sources
    // Tests that are yet to be written go to the folder Tests, also if there are only sources.
    let common =
      isTest
      ? (["Tests"] + sources).first { isFolder($0 + "/" + name) } ?? "Tests"
      : sources.first(where: isFolder) ?? "Sources"
    let own = common + "/" + name
    guard isOnly, allowsWholeFolder, !isFolder(own) else { return own }
    // A folder without sources belongs to a package whose targets are yet to be written.
    return FileFinder.swiftFiles(below: root.appending(path: common)).isEmpty ? own : common
  }

  private func isFolder(_ path: String) -> Bool { TargetFolders.isFolder(root.appending(path: path)) }

  static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private var allowsWholeFolder: Bool {
    guard let version = manifest.firstMatch(of: #/swift-tools-version:\s*(\d+)(?:\.(\d+))?/#),
      let major = Int(version.1)
    else { return false }
    return (major, version.2.flatMap { Int($0) } ?? 0) >= (5, 9)
  }
}

/// Finds the calls that declare targets.
private final class TargetCollector: SyntaxVisitor {
  private let folders: TargetFolders
  private var calls: [(name: String, isTest: Bool, node: FunctionCallExprSyntax)] = []

  init(folders: TargetFolders) {
    self.folders = folders
    super.init(viewMode: .sourceAccurate)
  }

  /// The targets, in order.
  var targets: [PackageModel.Target] {
    calls.map { name, isTest, node in
      let isOnly = calls.count { $0.isTest == isTest } == 1
      let path =
        node.literal("path").map(TargetCollector.normalized)
        ?? folders.path(of: name, isTest: isTest, isOnly: isOnly)
      let dependencies = dependencies(of: node)
      return PackageModel.Target(
        name: name, path: path, isTest: isTest, dependencies: dependencies.compactMap(\.name),
        packages: dependencies.compactMap(\.package), sources: paths("sources", of: node),
        excluded: paths("exclude", of: node), call: node)
    }
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let callee = node.calledExpression.as(MemberAccessExprSyntax.self),
      ["target", "executableTarget", "testTarget", "macro"].contains(callee.declName.baseName.text),
      let name = node.literal("name"), node.arguments.first?.label?.text == "name",
      !isDependency(node)
    else { return .visitChildren }
    calls.append((name, callee.declName.baseName.text == "testTarget", node))
    return .visitChildren
  }

  /// A path without `.` and empty components; empty for the folder of the package.
  private static func normalized(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// The paths in an argument.
  private func paths(_ label: String, of node: FunctionCallExprSyntax) -> [String] {
    let list = node.argument(label)?.expression.as(ArrayExprSyntax.self)
    return list?.elements.compactMap { $0.expression.literal.map(TargetCollector.normalized) } ?? []
  }

  /// Whether a call is in the `dependencies` of another one, where `.target(name:)` is a reference.
  private func isDependency(_ node: FunctionCallExprSyntax) -> Bool {
    var parent = node.parent
    while let current = parent {
      if let argument = current.as(LabeledExprSyntax.self), argument.label?.text == "dependencies" { return true }
      parent = current.parent
    }
    return false
  }

  private func dependencies(of node: FunctionCallExprSyntax) -> [(name: String?, package: String?)] {
    guard let argument = node.argument("dependencies"),
      let list = argument.expression.as(ArrayExprSyntax.self)
    else { return [] }
    return list.elements.map { element in
      if let text = element.expression.literal { return (text, nil) }
      guard let call = element.expression.as(FunctionCallExprSyntax.self) else { return (nil, nil) }
      return (call.literal("name"), call.literal("package"))
    }
  }
}
