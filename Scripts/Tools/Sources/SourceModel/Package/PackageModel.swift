import Foundation
import SwiftParser
import SwiftSyntax

/// A Swift package as its manifest declares it. Only literal names and paths are recognized, not computed ones.
public struct PackageModel: Sendable {
  /// A target of the package.
  public struct Target: Hashable, Sendable {
    public let name: String
    /// The folder of its sources, relative to the package.
    public let path: String
    public let isTest: Bool
    /// The targets and products it depends on, by name.
    public let dependencies: [String]
    /// The call that declares it.
    public let call: FunctionCallExprSyntax
  }

  /// The folder of the package.
  public let root: URL
  /// The targets, in the order of the manifest.
  public let targets: [Target]

  /// Reads the manifest of the package in a folder.
  ///
  /// - Returns: nil if there is no readable manifest.
  public init?(root: URL) {
    guard let text = try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8) else { return nil }
    self.init(root: root, manifest: SourceFile(path: "Package.swift", text: text))
  }

  /// Reads a manifest.
  public init(root: URL, manifest: SourceFile) {
    self.root = root
    let collector = TargetCollector(viewMode: .sourceAccurate)
    collector.walk(manifest.syntax)
    targets = collector.found
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

  /// The target with a name.
  public func target(named name: String) -> Target? { targets.first { $0.name == name } }

  /// The target that contains a file, given by its path relative to the package.
  public func target(of path: String) -> Target? {
    targets.filter { path.hasPrefix($0.path + "/") }.max { $0.path.count < $1.path.count }
  }

  /// The test target that depends on a target; the one named after it takes precedence.
  public func tests(of target: Target) -> Target? {
    let candidates = targets.filter { $0.isTest && $0.dependencies.contains(target.name) }
    return candidates.first { $0.name == target.name + "Tests" } ?? candidates.first
  }
}

/// Finds the calls that declare targets.
private final class TargetCollector: SyntaxVisitor {
  private(set) var found: [PackageModel.Target] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let callee = node.calledExpression.as(MemberAccessExprSyntax.self),
      ["target", "executableTarget", "testTarget", "macro"].contains(callee.declName.baseName.text),
      let name = literal("name", of: node), node.arguments.first?.label?.text == "name",
      !isDependency(node)
    else { return .visitChildren }
    let isTest = callee.declName.baseName.text == "testTarget"
    let path = literal("path", of: node) ?? (isTest ? "Tests/" : "Sources/") + name
    found.append(
      PackageModel.Target(
        name: name, path: path.hasSuffix("/") ? String(path.dropLast()) : path, isTest: isTest,
        dependencies: dependencies(of: node), call: node))
    return .visitChildren
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

  private func dependencies(of node: FunctionCallExprSyntax) -> [String] {
    guard let argument = node.arguments.first(where: { $0.label?.text == "dependencies" }),
      let list = argument.expression.as(ArrayExprSyntax.self)
    else { return [] }
    return list.elements.compactMap { element in
      if let text = text(of: element.expression) { return text }
      return element.expression.as(FunctionCallExprSyntax.self).flatMap { literal("name", of: $0) }
    }
  }

  private func literal(_ label: String, of node: FunctionCallExprSyntax) -> String? {
    node.arguments.first { $0.label?.text == label }.flatMap { text(of: $0.expression) }
  }

  private func text(of expression: ExprSyntax) -> String? {
    expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}
