// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftParser
import SwiftSyntax

/// An item that a manifest declares by a call: a dependency of the package, or a target.
struct ManifestItem {
  enum Kind: Hashable {
    /// The identity by which the package manager tells packages apart.
    case package(String)
    /// The name of the target.
    case target(String)
  }

  let kind: Kind
  /// The call, without a comma. Its lines are indented by two spaces for each level, the first one by none.
  let text: String
  let call: FunctionCallExprSyntax

  private static let targetKinds: Set<String> = [
    "target", "executableTarget", "testTarget", "systemLibrary", "binaryTarget", "plugin", "macro",
  ]

  /// Reads an item in the comment of a template.
  ///
  /// - Returns: nil if it is neither a dependency nor a target.
  init?(_ text: String) {
    let list = SourceFile(path: "Package.swift", text: "let items = [\n\(text)\n]").syntax
    let variable = list.statements.first?.item.as(VariableDeclSyntax.self)
    let elements = variable?.bindings.first?.initializer?.value.as(ArrayExprSyntax.self)?.elements
    guard let call = elements?.first?.expression.as(FunctionCallExprSyntax.self) else { return nil }
    self.init(call)
  }

  /// Reads a call.
  ///
  /// - Returns: nil if it declares no item, or its name is not a literal.
  init?(_ call: FunctionCallExprSyntax) {
    guard let callee = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text else { return nil }
    if callee == "package" {
      guard let identity = ManifestItem.identity(of: call) else { return nil }
      kind = .package(identity)
    } else if ManifestItem.targetKinds.contains(callee), call.arguments.first?.label?.text == "name",
      let name = call.literal("name")
    {
      kind = .target(name)
    } else {
      return nil
    }
    self.call = call
    text = call.trimmedDescription
  }

  /// The identity of a package: its name, or the last component of its address, without regard to case.
  private static func identity(of call: FunctionCallExprSyntax) -> String? {
    // A registry's identity is `scope.name`.
    if let id = call.literal("id") { return id.split(separator: ".").last.map { $0.lowercased() } }
    if let path = call.literal("path") { return (call.literal("name") ?? last(of: path)).lowercased() }
    return call.literal("url").map { last(of: $0).lowercased() }
  }

  private static func last(of address: String) -> String {
    let last = address.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? address
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }

  /// The name of the package in `.product(name:package:)`; nil for a target.
  var packageName: String? {
    guard case .package(let identity) = kind else { return nil }
    return call.literal("id") ?? call.literal("name") ?? (call.literal("path") ?? call.literal("url")).map(
      ManifestItem.last)
      ?? identity
  }

  /// The lowest version of the package, as the item says it; nil if it says none.
  var version: String? {
    if let version = call.literal("from") ?? call.literal("exact") { return version }
    let requirements = call.arguments.compactMap { $0.expression.as(FunctionCallExprSyntax.self) }
    return requirements.lazy.compactMap { $0.literal("from") ?? $0.arguments.first?.expression.literal }.first
  }

  /// Whether a version is lower than another one.
  static func isLower(_ one: String, than other: String) -> Bool {
    func numbers(_ version: String) -> [Int] {
      version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? 0 }
    }
    return numbers(one).lexicographicallyPrecedes(numbers(other))
  }

  /// The dependencies of a target, as they are written; nil if they are not listed literally.
  var dependencies: [ExprSyntax]? {
    guard let argument = call.argument("dependencies") else { return [] }
    return argument.expression.as(ArrayExprSyntax.self)?.elements.map(\.expression)
  }

  /// The item for a target whose files are in another folder than the usual one.
  func inFolder(_ path: String) -> ManifestItem {
    let text = self.text
    // The order of the arguments is name, dependencies, path.
    guard let before = call.argument("dependencies") ?? call.argument("name") else { return self }
    let isOnOwnLine = before.leadingTrivia.contains { $0.isNewline }
    let offset =
      before.expression.endPositionBeforeTrailingTrivia.utf8Offset
      - call.positionAfterSkippingLeadingTrivia.utf8Offset
    let index = text.utf8.index(text.utf8.startIndex, offsetBy: offset)
    let new = text[..<index] + (isOnOwnLine ? ",\n  " : ", ") + "path: \"\(path)\"" + text[index...]
    return ManifestItem(String(new)) ?? self
  }

  /// The item with other names for packages in the dependencies of a target.
  func renaming(_ names: [String: String]) -> ManifestItem {
    let new = names.reduce(text) { $0.replacing("package: \"\($1.key)\"", with: "package: \"\($1.value)\"") }
    return ManifestItem(new) ?? self
  }

  /// Each package and each target once, in order: of two requirements of a package, the higher one.
  static func merged(_ items: [ManifestItem]) -> [ManifestItem] {
    var merged: [ManifestItem] = []
    for item in items {
      guard let index = merged.firstIndex(where: { $0.kind == item.kind }) else {
        merged.append(item)
        continue
      }
      if let one = merged[index].version, let other = item.version, isLower(one, than: other) { merged[index] = item }
    }
    return merged
  }
}
