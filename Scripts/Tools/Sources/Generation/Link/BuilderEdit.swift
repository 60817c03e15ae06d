// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Edits the parent's builder, which creates the child's builder and passes it to the router.
struct BuilderEdit {
  let parent: RIBParts
  let child: ChildParts
  let names: LinkNames
  let workspace: Workspace
  let style: LayoutStyle

  private var editor: TypeEditor { TypeEditor(parent.builder, in: workspace, style: style) }

  /// The expression that makes the parent's component.
  private var madeComponent: String { "\(parent.name)Component(dependency: dependency)" }

  func add() throws {
    let making = try ChildMaking(of: child, by: parent, in: workspace)
    let (file, call, function) = try routerCall()
    guard let body = function.body else {
      throw Failure.refused("'\(parent.builder.name).\(function.name.text)' (\(file.place(of: function))) has no body")
    }
    let component: String
    if !making.needsComponent {
      component = ""
    } else if let known = componentName(in: function, before: call) ?? usedComponent(in: call) {
      component = known
    } else if body.statements.count == 1, body.statements.first?.item.is(ReturnStmtSyntax.self) != true {
      // A single expression, which has no room for a constant.
      try refuseUnknownComponent()
      component = madeComponent
    } else {
      component = "component"
      try refuseUnknownComponent()
      // Directly before the router call, so that unlinking can distinguish this line from an existing one.
      let statement = BuilderEdit.statement(around: call, in: body)
      let indentation = file.indentation(of: statement)
      let line = "let component = \(madeComponent)\n\(indentation)"
      try workspace.edit(file.path, [TextEdit(at: statement.positionAfterSkippingLeadingTrivia, line)])
    }
    let (newFile, newCall, _) = try routerCall()
    guard
      let list = ListLayout(arguments: newCall, file: newFile, style: style, unit: try editor.unit())
    else { throw Failure.refused("the call of \(parent.router.name) in \(file.place(of: call)) has no parentheses") }
    let argument = "\(names.builderProperty): \(making.expression(of: names.builder, component: component))"
    try workspace.editReversibly(file.path, list.adding(argument)) { try removeArgument() }
  }

  func remove() throws {
    let component = try removeArgument()
    let (file, call, function) = try routerCall()
    guard let component, let body = function.body else { return }
    let uses = function.tokens(viewMode: .sourceAccurate).count { $0.tokenKind == .identifier(component) }
    let statements = Array(body.statements)
    guard uses == 1, let index = statements.firstIndex(where: { declares(component, $0) }),
      index + 1 < statements.count, statements[index + 1] == BuilderEdit.statement(around: call, in: body)
    else { return }
    let line = statements[index]
    let expected = "let \(component) = \(madeComponent)"
    guard line.trimmedDescription == expected else { return }
    let start = line.positionAfterSkippingLeadingTrivia
    let end = statements[index + 1].positionAfterSkippingLeadingTrivia
    try workspace.edit(file.path, [TextEdit(start..<end, "")])
  }

  /// The statement of a body that contains a call.
  private static func statement(around call: FunctionCallExprSyntax, in body: CodeBlockSyntax) -> CodeBlockItemSyntax {
    body.statements.first { $0.position <= call.position && call.endPosition <= $0.endPosition }
      ?? body.statements[body.statements.startIndex]
  }

  /// Removes the child's builder from the arguments.
  ///
  /// - Returns: the name of the component that the builder was created with.
  @discardableResult
  private func removeArgument() throws -> String? {
    let (file, call, _) = try routerCall()
    guard
      let list = ListLayout(arguments: call, file: file, style: style, unit: try editor.unit()),
      let index = call.arguments.map({ $0.label?.text }).firstIndex(of: names.builderProperty)
    else {
      throw Failure.refused(
        "\(parent.builder.name) (\(parent.builder.place)) does not hand '\(names.builderProperty)' to \(parent.router.name)"
      )
    }
    let expression = Array(call.arguments)[index].expression
    let making = try ChildMaking(of: child, by: parent, in: workspace)
    guard let component = making.component(in: expression, of: names.builder, made: madeComponent) else {
      throw Failure.refused(
        "'\(names.builderProperty)' is not made as a link makes it (\(file.place(of: expression)))",
        advice: ["take it out by hand: \(expression.trimmedDescription)"])
    }
    try workspace.edit(file.path, [list.removing(index)])
    return component.isEmpty ? nil : component
  }

  /// The only call that creates the parent's router, and its enclosing method.
  private func routerCall() throws -> (SourceFile, FunctionCallExprSyntax, FunctionDeclSyntax) {
    let declaration = try editor.declaration()
    // The class and its extensions.
    let pieces = workspace.declarations(mentioning: declaration.name)
      .filter { $0.name == declaration.name && ($0.kind == .class || $0.kind == .extension) }
    var found: [(SourceFile, FunctionCallExprSyntax, FunctionDeclSyntax)] = []
    for piece in pieces {
      for function in piece.functions {
        let finder = CallFinder(callee: parent.router.name)
        finder.walk(function)
        found += finder.found.map { (piece.file, $0, function) }
      }
    }
    guard found.count == 1, let only = found.first else {
      throw Failure.refused(
        "\(declaration.name) (\(declaration.place)) makes \(parent.router.name) in \(found.count) places, and has to in one"
      )
    }
    return only
  }

  /// The name of the local constant or parameter that holds the parent's component.
  private func componentName(in function: FunctionDeclSyntax, before call: FunctionCallExprSyntax) -> String? {
    let type = parent.name + "Component"
    let finder = ConstantFinder(before: call, of: type)
    if let body = function.body { finder.walk(body) }
    if let name = finder.name { return name }
    let parameter = function.signature.parameterClause.parameters.first { Declaration.baseName(of: $0.type) == type }
    return parameter.map { ($0.secondName ?? $0.firstName).text }
  }

  /// The component passed to another child's builder in the call.
  private func usedComponent(in call: FunctionCallExprSyntax) -> String? {
    for argument in call.arguments {
      guard let made = argument.expression.as(FunctionCallExprSyntax.self),
        made.calledExpression.trimmedDescription.hasSuffix("Builder"), let first = made.arguments.first,
        first.label?.text == "dependency", let name = first.expression.as(DeclReferenceExprSyntax.self)
      else { continue }
      return name.baseName.text
    }
    return nil
  }

  private func declares(_ name: String, _ statement: CodeBlockItemSyntax) -> Bool {
    statement.item.as(VariableDeclSyntax.self)?.firstName == name
  }

  private func refuseUnknownComponent() throws {
    guard let component = parent.component else {
      throw Failure.refused(
        "there is no class '\(parent.name)Component', and \(parent.builder.name) (\(parent.builder.place)) makes none "
          + "to pass on")
    }
    let isMadeSimply =
      component.initializers.isEmpty
      || component.initializers.contains { ChildMaking.requiredLabels(of: $0) == ["dependency"] }
    if isMadeSimply { return }
    throw Failure.refused(
      "'\(parent.name)Component' (\(component.place)) is not made with a dependency alone, and \(parent.builder.name) "
        + "makes none to pass on")
  }
}

/// Finds the local constant of a type that is in scope at a call.
private final class ConstantFinder: SyntaxVisitor {
  private(set) var name: String?
  private let call: FunctionCallExprSyntax
  private let type: String

  init(before call: FunctionCallExprSyntax, of type: String) {
    self.call = call
    self.type = type
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    node.position <= call.position && call.endPosition <= node.endPosition ? .visitChildren : .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.endPosition <= call.position, node.parent?.is(CodeBlockItemSyntax.self) == true,
      let binding = node.bindings.first, let value = binding.initializer?.value
    else { return .skipChildren }
    let callee = value.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
    let isOfType = binding.typeAnnotation.map { Declaration.baseName(of: $0.type) == type } ?? false
    if isOfType || callee == type || callee == type + ".init" { name = node.firstName }
    return .skipChildren
  }
}

/// Finds the calls of a type's initializer.
final class CallFinder: SyntaxVisitor {
  private(set) var found: [FunctionCallExprSyntax] = []
  private let callee: String

  init(callee: String) {
    self.callee = callee
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let called = node.calledExpression.trimmedDescription
    if called == callee || called == callee + ".init" { found.append(node) }
    return .visitChildren
  }
}
