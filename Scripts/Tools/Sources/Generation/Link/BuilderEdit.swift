import SourceModel
import SwiftSyntax

/// The parent's builder: it makes the child's builder, and hands it to the router.
struct BuilderEdit {
  let parent: RIBParts
  let child: RIBParts
  let names: LinkNames
  let workspace: Workspace
  let style: LayoutStyle

  private var editor: TypeEditor { TypeEditor(parent.builder, in: workspace, style: style) }

  func add() throws {
    try refuseOwnInitializer()
    let (file, call, function) = try routerCall()
    guard let body = function.body else {
      throw Failure.refused("'\(parent.builder.name)' has a method without a body")
    }
    let component: String
    if let known = componentName(in: function) ?? usedComponent(in: call) {
      component = known
    } else {
      component = "component"
      try refuseUnknownComponent(body, in: file)
      let indentation = file.indentation(of: function) + (try editor.unit())
      let line = "\n\(indentation)let component = \(parent.name)Component(dependency: dependency)"
      try workspace.edit(file.path, [TextEdit(at: body.leftBrace.endPosition, line)])
    }
    let (newFile, newCall, _) = try routerCall()
    guard
      let list = ListLayout(arguments: newCall, file: newFile, style: style, unit: try editor.unit())
    else { throw Failure.refused("the call of \(parent.router.name) in \(file.place(of: call)) has no parentheses") }
    let argument = "\(names.builderProperty): \(names.builder)(dependency: \(component))"
    try workspace.editReversibly(file.path, list.adding(argument)) { try removeArgument() }
  }

  func remove() throws {
    let component = try removeArgument()
    let (file, _, function) = try routerCall()
    guard let component, let body = function.body else { return }
    let uses = function.tokens(viewMode: .sourceAccurate).count { $0.tokenKind == .identifier(component) }
    guard uses == 1, let line = body.statements.first(where: { declares(component, $0) }) else { return }
    let expected = "let \(component) = \(parent.name)Component(dependency: dependency)"
    guard line.trimmedDescription == expected else { return }
    try workspace.edit(file.path, [TextEdit(line.position..<line.endPosition, "")])
  }

  /// Takes the builder from the arguments.
  ///
  /// - Returns: the name of the component that it was made with.
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
    guard let made = expression.as(FunctionCallExprSyntax.self),
      made.calledExpression.trimmedDescription == names.builder,
      made.arguments.count == 1, let argument = made.arguments.first, argument.label?.text == "dependency"
    else {
      throw Failure.refused(
        "'\(names.builderProperty)' is not made as a link makes it (\(file.place(of: expression)))",
        advice: ["take it out by hand: \(expression.trimmedDescription)"])
    }
    try workspace.edit(file.path, [list.removing(index)])
    return argument.expression.as(DeclReferenceExprSyntax.self)?.baseName.text
  }

  /// The one call that makes the parent's router, and the method it is in.
  private func routerCall() throws -> (SourceFile, FunctionCallExprSyntax, FunctionDeclSyntax) {
    let declaration = try editor.declaration()
    var found: [(FunctionCallExprSyntax, FunctionDeclSyntax)] = []
    for function in declaration.functions {
      let finder = CallFinder(callee: parent.router.name)
      finder.walk(function)
      found += finder.found.map { ($0, function) }
    }
    guard found.count == 1, let (call, function) = found.first else {
      throw Failure.refused(
        "\(declaration.name) (\(declaration.place)) makes \(parent.router.name) in \(found.count) places, and has to in one"
      )
    }
    return (declaration.file, call, function)
  }

  /// The name of the local constant or parameter that is the parent's component.
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

  /// The component that another child's builder in the call is made with.
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

  /// The child's builder must be made with a dependency and nothing else.
  private func refuseOwnInitializer() throws {
    let isPlain =
      child.builder.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription.hasPrefix("Builder<") ?? false
    guard child.builder.initializers.isEmpty, isPlain else {
      throw Failure.refused(
        "'\(child.builder.name)' (\(child.builder.place)) is not made with a dependency alone, so what to hand it is yours to say"
      )
    }
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
private final class CallFinder: SyntaxVisitor {
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
