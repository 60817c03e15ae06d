// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftParser
import SwiftSyntax

/// Adds a dependency on a product of this package to a target, if the manifest declares it literally.
struct ManifestEdit {
  let workspace: Workspace
  private let path = "Package.swift"

  /// Adds a product to the dependencies of a target, unless the target has it already, directly or transitively.
  ///
  /// - Returns: the step that the user has to do by hand; nil for none.
  /// - Throws: `Failure.refused` if the package uses another RIBs library, which has no such product.
  func add(_ product: String, to target: String) throws -> String? {
    let manifest = try workspace.source(at: path)
    let package = PackageModel(root: workspace.root, manifest: manifest)
    guard let found = package.target(named: target), !depends(found, on: product, in: package) else { return nil }
    let finder = PackageNameFinder(viewMode: .sourceAccurate)
    finder.walk(manifest.syntax)
    if let other = finder.ofOther {
      throw Failure.refused(
        "'\(target)' (\(manifest.place(of: found.call))) uses another RIBs library, the package '\(other)', which has no "
          + "product '\(product)'",
        advice: ["--templates names a folder with templates for it; --no-tests leaves out the tests"])
    }
    let name = finder.ofProduct ?? finder.ofPackage
    let item = ".product(name: \"\(product)\", package: \"\(name ?? "swift-ribs")\")"
    let byHand = "\(target) does not depend on \(product) yet; add to its dependencies in Package.swift: \(item)"
    guard name != nil, let edit = edit(found.call, adding: item, in: manifest) else { return byHand }
    let isTidy = try Formatter.laidOut([(path, manifest.text)], near: workspace.root) == [manifest.text]
    try workspace.edit(path, [edit])
    if isTidy,
      let text = try Formatter.laidOut([(path, try workspace.source(at: path).text)], near: workspace.root).first
    {
      workspace.write(text, to: path)
    }
    return nil
  }

  /// The name that a manifest uses for the runtime's package; nil if it does not depend on it.
  static func packageName(in manifest: SourceFile) -> String? {
    let finder = PackageNameFinder(viewMode: .sourceAccurate)
    finder.walk(manifest.syntax)
    return finder.ofOther == nil ? finder.ofProduct ?? finder.ofPackage : nil
  }

  /// Whether a target depends on a product, directly or through other targets of its package.
  private func depends(_ target: PackageModel.Target, on product: String, in package: PackageModel) -> Bool {
    ([target] + package.dependencies(of: target)).contains { $0.name == product || $0.dependencies.contains(product) }
  }

  private func edit(_ call: FunctionCallExprSyntax, adding item: String, in file: SourceFile) -> TextEdit? {
    guard let argument = call.argument("dependencies") else {
      // The `dependencies` argument follows the name.
      guard let name = call.argument("name") else { return nil }
      return TextEdit(at: name.expression.endPositionBeforeTrailingTrivia, ", dependencies: [\(item)]")
    }
    guard let list = argument.expression.as(ArrayExprSyntax.self) else { return nil }
    guard let last = list.elements.last else {
      return TextEdit(at: list.leftSquare.endPositionBeforeTrailingTrivia, item)
    }
    let isOnOwnLine = last.leadingTrivia.contains { $0.isNewline }
    let gap = isOnOwnLine ? "\n" + file.indentation(of: last) : " "
    if let comma = last.trailingComma { return TextEdit(at: comma.endPositionBeforeTrailingTrivia, "\(gap)\(item),") }
    return TextEdit(at: last.expression.endPositionBeforeTrailingTrivia, ",\(gap)\(item)")
  }
}

/// Finds the name that a manifest uses for the runtime's package.
private final class PackageNameFinder: SyntaxVisitor {
  private(set) var ofProduct: String?
  private(set) var ofPackage: String?
  /// The name of another RIBs library, if the manifest does not name this one.
  var ofOther: String? { ofPackage == nil && !usesOwnProducts ? others.first : nil }
  private var usesOwnProducts = false
  private var others: [String] = []

  private static let otherNames: Set<String> = ["ribs", "ribs-ios", "modernribs", "combineribs", "napkin"]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let callee = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    if callee == "product", let name = node.literal("name"), name.hasPrefix("RIBs") {
      ofProduct = ofProduct ?? node.literal("package")
      usesOwnProducts = usesOwnProducts || name != "RIBs"
    }
    if callee == "package", let place = node.literal("url") ?? node.literal("path") {
      let last = place.split(separator: "/").last.map(String.init) ?? place
      let identity = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
      let name = node.literal("name") ?? identity
      if identity == "swift-ribs" || name == "swift-ribs" { ofPackage = ofPackage ?? name }
      if Self.otherNames.contains(identity.lowercased()) { others.append(identity) }
    }
    return .visitChildren
  }
}
