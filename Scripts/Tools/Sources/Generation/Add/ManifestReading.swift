// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Why a manifest can't be edited safely.
struct UnsafeManifest: Error {
  let reason: String
  /// The target that is there and lacks dependencies, if that is why.
  var target: String?
}

/// What a manifest declares literally, and where an edit may add to it.
struct ManifestReading {
  /// The call that makes the package.
  let package: FunctionCallExprSyntax
  /// All items, wherever the manifest declares them.
  let items: [ManifestItem]
  private let file: SourceFile
  private let variables: [String: ExprSyntax]

  /// Reads a manifest.
  ///
  /// - Throws: `UnsafeManifest` if it may declare items that can't be read, so that an edit might declare one twice, or if
  ///   it doesn't list dependencies or targets literally.
  init(_ file: SourceFile) throws {
    let collector = ItemCollector(viewMode: .sourceAccurate)
    collector.walk(file.syntax)
    guard !file.syntax.hasError else { throw UnsafeManifest(reason: "it is no valid Swift") }
    guard let package = collector.packages.first, collector.packages.count == 1 else {
      throw UnsafeManifest(reason: "it calls Package(…) \(collector.packages.isEmpty ? "nowhere" : "several times")")
    }
    self.file = file
    self.package = package
    items = collector.items
    variables = collector.variables
    for label in ["dependencies", "targets"] {
      guard let argument = package.argument(label) else { continue }
      try checkList(argument.expression, label)
    }
    for change in collector.changes {
      guard let value = change.value else {
        throw UnsafeManifest(reason: "it sets the \(change.label) of the package (\(file.place(of: change.place)))")
      }
      try change.isOneItem ? checkItem(value, change.label) : checkList(value, change.label)
    }
  }

  /// The items of a text that declares them in any way, such as that of a manifest that can't be edited.
  static func items(in file: SourceFile) -> [ManifestItem] {
    let collector = ItemCollector(viewMode: .sourceAccurate)
    collector.walk(file.syntax)
    return collector.items
  }

  /// The list that an argument of the package contains; nil if the package has no such argument.
  func list(_ label: String) -> ArrayExprSyntax? { package.argument(label)?.expression.as(ArrayExprSyntax.self) }

  func item(_ kind: ManifestItem.Kind) -> ManifestItem? { items.first { $0.kind == kind } }

  /// The name of a dependency of a target: of a target or a product; nil if it is computed.
  func name(ofDependency expression: ExprSyntax) -> String? {
    if let text = expression.literal { return text }
    return (resolved(expression) ?? expression).as(FunctionCallExprSyntax.self)?.literal("name")
  }

  private func checkList(_ expression: ExprSyntax, _ label: String) throws {
    guard let list = expression.as(ArrayExprSyntax.self) else {
      throw UnsafeManifest(reason: "its \(label) are no literal array (\(file.place(of: expression)))")
    }
    for element in list.elements { try checkItem(element.expression, label) }
  }

  private func checkItem(_ expression: ExprSyntax, _ label: String) throws {
    let call = (resolved(expression) ?? expression).as(FunctionCallExprSyntax.self)
    if call.flatMap(ManifestItem.init) == nil {
      throw UnsafeManifest(reason: "one of its \(label) is computed (\(file.place(of: expression)))")
    }
  }

  /// The value of a variable of the manifest.
  private func resolved(_ expression: ExprSyntax) -> ExprSyntax? {
    expression.as(DeclReferenceExprSyntax.self).flatMap { variables[$0.baseName.text] }
  }
}

/// Finds what a manifest declares.
private final class ItemCollector: SyntaxVisitor {
  /// A statement that changes the package after it was made.
  struct Change {
    let label: String
    let place: Syntax
    /// What it adds; nil if it does something else.
    let value: ExprSyntax?
    /// Whether the value is an item, and no list.
    let isOneItem: Bool
  }

  private(set) var packages: [FunctionCallExprSyntax] = []
  private(set) var items: [ManifestItem] = []
  private(set) var changes: [Change] = []
  private(set) var variables: [String: ExprSyntax] = [:]

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self), let value = binding.initializer?.value else {
        continue
      }
      variables[name.identifier.text] = value
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "Package" { packages.append(node) }
    if !isReference(node), let item = ManifestItem(node) { items.append(item) }
    if let method = node.calledExpression.as(MemberAccessExprSyntax.self), let label = list(method.base) {
      // Other methods, such as `map` and `forEach`, read.
      let name = method.declName.baseName.text
      let argument = node.arguments.first
      if name == "append", let argument {
        changes.append(
          Change(
            label: label, place: Syntax(node), value: argument.expression, isOneItem: argument.label == nil))
      } else if name == "insert" || name.hasPrefix("remove") {
        changes.append(Change(label: label, place: Syntax(node), value: nil, isOneItem: false))
      }
    }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let parts = Array(node.elements)
    guard parts.count >= 3, let label = list(parts[0]) else { return .visitChildren }
    if parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+=" {
      let value = parts.count == 3 ? parts[2] : ExprSyntax(node)
      changes.append(Change(label: label, place: Syntax(node), value: value, isOneItem: false))
    } else if parts[1].is(AssignmentExprSyntax.self) {
      changes.append(Change(label: label, place: Syntax(node), value: nil, isOneItem: false))
    }
    return .visitChildren
  }

  /// The name of a list of the package in `package.targets`.
  private func list(_ expression: ExprSyntax?) -> String? {
    guard let member = expression?.as(MemberAccessExprSyntax.self),
      member.base?.is(DeclReferenceExprSyntax.self) == true,
      ["dependencies", "targets"].contains(member.declName.baseName.text),
      member.base?.trimmedDescription == "package"
    else { return nil }
    return member.declName.baseName.text
  }

  /// Whether a call names a target instead of declaring it: a dependency or a plugin of a target, or in a product.
  private func isReference(_ node: FunctionCallExprSyntax) -> Bool {
    // Dependencies of a package are declared in an argument of that name too.
    if node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "package" { return false }
    var parent = node.parent
    while let current = parent {
      if let label = current.as(LabeledExprSyntax.self)?.label?.text,
        ["dependencies", "plugins", "products"].contains(label)
      {
        return true
      }
      parent = current.parent
    }
    return false
  }
}
