// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

extension Expression {
  /// Reads an expression. Ignores operator precedence, which does not affect the result.
  package init(_ node: some ExprSyntaxProtocol) {
    switch ExprSyntax(node).as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let node):
      let name = node.baseName.text
      self = .name(name.hasPrefix("$") ? Expression.numbered(name, at: node) : name)
    case .memberAccessExpr(let node):
      if let base = node.base {
        self = .member(Expression(base), node.declName.baseName.text)
      } else {
        self = .member(.other, node.declName.baseName.text)
      }
    case .keyPathExpr(let node):
      if node.components.count == 1, case .property(let property)? = node.components.first?.component {
        self = .member(.other, property.declName.baseName.text)
      } else {
        self = .other
      }
    case .functionCallExpr(let node): self = Expression(call: node)
    case .genericSpecializationExpr(let node):
      guard let path = Expression(node.expression).path else {
        self = Expression(node.expression)
        return
      }
      let arguments = node.genericArgumentClause.arguments.map { argument -> TypeName in
        if case .type(let type) = argument.argument { TypeName(type) } else { .unknown }
      }
      self = .type(.named(path, arguments))
    case .typeExpr(let node): self = .type(TypeName(node.type))
    case .closureExpr(let node): self = .closure(Expression.results(of: node.statements))
    case .arrayExpr(let node): self = .any(node.elements.map { Expression($0.expression) })
    case .dictionaryExpr(let node):
      if case .elements(let elements) = node.content {
        self = .any(elements.map { Expression($0.value) })
      } else {
        self = .other
      }
    case .tupleExpr(let node):
      if node.elements.count == 1, let only = node.elements.first {
        self = Expression(only.expression)
      } else {
        self = .tuple(node.elements.map { Argument(label: $0.label?.text, value: Expression($0.expression)) })
      }
    case .optionalChainingExpr(let node): self = Expression(node.expression)
    case .forceUnwrapExpr(let node): self = Expression(node.expression)
    case .tryExpr(let node): self = Expression(node.expression)
    case .awaitExpr(let node): self = Expression(node.expression)
    case .inOutExpr(let node): self = Expression(node.expression)
    case .asExpr(let node): self = .cast(Expression(node.expression), TypeName(node.type))
    case .subscriptCallExpr(let node): self = Expression(node.calledExpression)
    case .ternaryExpr(let node): self = .any([Expression(node.thenExpression), Expression(node.elseExpression)])
    case .ifExpr(let node): self = .any(Expression.branches(of: node))
    case .switchExpr(let node): self = .any(Expression.branches(of: node))
    case .sequenceExpr(let node): self = Expression(sequence: node)
    default: self = .other
    }
  }

  private init(call node: FunctionCallExprSyntax) {
    var arguments = node.arguments.map { Argument(label: $0.label?.text, value: Expression($0.expression)) }
    if let closure = node.trailingClosure { arguments.append(Argument(label: nil, value: Expression(closure))) }
    for closure in node.additionalTrailingClosures {
      arguments.append(Argument(label: closure.label.text, value: Expression(closure.closure)))
    }
    self = .call(Expression(node.calledExpression), arguments)
  }

  private init(sequence node: SequenceExprSyntax) {
    var found: [Expression] = []
    for element in node.elements {
      if let ternary = element.as(UnresolvedTernaryExprSyntax.self) {
        // The part before it is the condition.
        found = [Expression(ternary.thenExpression)]
      } else if element.is(UnresolvedAsExprSyntax.self) || element.is(BinaryOperatorExprSyntax.self)
        || element.is(AssignmentExprSyntax.self) || element.is(UnresolvedIsExprSyntax.self)
      {
        continue
      } else if let type = element.as(TypeExprSyntax.self), let last = found.popLast() {
        found.append(.cast(last, TypeName(type.type)))
      } else {
        found.append(Expression(element))
      }
    }
    self = found.count == 1 ? found[0] : .any(found)
  }

  /// The results of a body: the operands of `return`, or the single expression of the body.
  static func results(of statements: CodeBlockItemListSyntax) -> [Expression] {
    if statements.count == 1, let only = statements.first, let expression = Expression.expression(of: only) {
      if !expression.is(IfExprSyntax.self) && !expression.is(SwitchExprSyntax.self) { return [Expression(expression)] }
      let found = ReturnFinder.returns(in: statements)
      return found.isEmpty ? [Expression(expression)] : found
    }
    return ReturnFinder.returns(in: statements)
  }

  /// The expression of a statement that consists of one.
  static func expression(of item: CodeBlockItemSyntax) -> ExprSyntax? {
    switch item.item {
    case .expr(let expression): expression
    case .stmt(let statement): statement.as(ExpressionStmtSyntax.self)?.expression
    default: nil
    }
  }

  private static func branches(of node: IfExprSyntax) -> [Expression] {
    var found = last(of: node.body.statements)
    switch node.elseBody {
    case .ifExpr(let other): found += branches(of: other)
    case .codeBlock(let block): found += last(of: block.statements)
    default: break
    }
    return found
  }

  private static func branches(of node: SwitchExprSyntax) -> [Expression] {
    node.cases.flatMap { element -> [Expression] in
      if case .switchCase(let one) = element { last(of: one.statements) } else { [] }
    }
  }

  private static func last(of statements: CodeBlockItemListSyntax) -> [Expression] {
    statements.last.flatMap(expression).map { [Expression($0)] } ?? []
  }

  /// The name `$0` with the position of its closure, to distinguish it from that of other closures.
  private static func numbered(_ name: String, at node: some SyntaxProtocol) -> String {
    var parent = node.parent
    while let current = parent {
      if let closure = current.as(ClosureExprSyntax.self) { return "\(name)@\(closure.position.utf8Offset)" }
      parent = current.parent
    }
    return name
  }
}

/// Finds the results of a body, excluding nested bodies.
private final class ReturnFinder: SyntaxVisitor {
  private var found: [Expression] = []

  static func returns(in statements: CodeBlockItemListSyntax) -> [Expression] {
    let finder = ReturnFinder(viewMode: .sourceAccurate)
    finder.walk(statements)
    return finder.found
  }

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let expression = node.expression { found.append(Expression(expression)) }
    return .skipChildren
  }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
