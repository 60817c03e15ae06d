// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import SwiftSyntax

extension FunctionCallExprSyntax {
  /// Whether the result is discarded: the call is a statement, or is assigned to `_`. It is not if the statement is the value
  /// of a function, a getter, a closure or a branch.
  public var isDiscarded: Bool { Syntax(self).isDiscarded }
}

extension Syntax {
  fileprivate var isDiscarded: Bool {
    guard let parent else { return true }
    switch parent.as(SyntaxEnum.self) {
    case .exprList(let list): return list.first?.is(DiscardAssignmentExprSyntax.self) == true
    case .expressionStmt, .ifExpr: return parent.isDiscarded
    case .codeBlockItem(let item): return isDiscarded(as: item)
    default: return false
    }
  }

  /// Whether the value of a statement is discarded.
  private func isDiscarded(as item: CodeBlockItemSyntax) -> Bool {
    // A value without a `return` is the only statement.
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let owner = list.parent else {
      return true
    }
    switch owner.as(SyntaxEnum.self) {
    case .accessorBlock: return false
    case .closureExpr(let closure): return closure.discardsValue
    case .switchCase(let branch): return branch.parent?.parent?.isDiscarded ?? true
    case .codeBlock(let block):
      switch block.parent?.as(SyntaxEnum.self) {
      case .ifExpr(let choice): return Syntax(choice).isDiscarded
      case .accessorDecl(let accessor): return accessor.accessorSpecifier.text != "get"
      case .functionDecl(let function): return function.signature.returnClause?.isVoid ?? true
      default: return true
      }
    default: return true
    }
  }
}

extension ClosureExprSyntax {
  /// Whether the value of the only statement is discarded. Closures that are passed or assigned are regarded as handlers,
  /// unless they say what they return.
  fileprivate var discardsValue: Bool {
    if let clause = signature?.returnClause { return clause.isVoid }
    if let binding = parent?.parent?.as(PatternBindingSyntax.self) {
      return binding.typeAnnotation?.type.as(FunctionTypeSyntax.self)?.returnClause.isVoid ?? false
    }
    let argument = parent?.as(LabeledExprSyntax.self)?.parent?.parent
    guard let call = (argument ?? parent)?.as(FunctionCallExprSyntax.self) else { return true }
    let callee = call.calledExpression
    let name = callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    let passesValue = callee.id == id || ["map", "flatMap", "compactMap", "withLock"].contains(name)
    return passesValue ? call.isDiscarded : true
  }
}

extension ReturnClauseSyntax {
  fileprivate var isVoid: Bool { ["Void", "()"].contains(type.trimmedDescription) }
}
