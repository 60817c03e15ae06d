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

  func add() throws {
    let making = try ChildMaking(of: child, by: parent, in: workspace)
    let (file, call, function) = try routerCall()
    guard let body = function.body else {
      throw Failure.refused("'\(parent.builder.name)' has a method without a body")
    }
    let component: String
    if !making.needsComponent {
      component = ""
    } else if let known = componentName(in: function) ?? usedComponent(in: call) {
      component = known
    } else {
      component = "component"
      try refuseUnknownComponent(body, in: file)
      // Directly before the router call, so that unlinking can distinguish this line from an existing one.
      let statement = BuilderEdit.statement(around: call, in: body)
      let indentation = file.indentation(of: statement)
      let line = "let component = \(parent.name)Component(dependency: dependency)\n\(indentation)"
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
    let expected = "let \(component) = \(parent.name)Component(dependency: dependency)"
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
    guard let component = making.component(in: expression, of: names.builder) else {
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
  private func componentName(in function: FunctionDeclSyntax) -> String? {
    let type = parent.name + "Component"
    for statement in function.body?.statements ?? [] {
      guard let variable = statement.item.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
        let call = binding.initializer?.value.as(FunctionCallExprSyntax.self),
        call.calledExpression.trimmedDescription == type
      else { continue }
      return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    }
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

  private func refuseUnknownComponent(_ body: CodeBlockSyntax, in file: SourceFile) throws {
    guard let component = parent.component, component.initializers.isEmpty else {
      let problem = parent.component == nil ? "there is no class" : "there is an initializer in"
      throw Failure.refused("\(problem) '\(parent.name)Component', and \(parent.builder.name) makes none to hand on")
    }
    if body.statements.count == 1, body.statements.first?.item.is(ReturnStmtSyntax.self) != true {
      throw Failure.refused(
        "the method in \(file.place(of: body)) is a single expression, which has no room for a component")
    }
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
