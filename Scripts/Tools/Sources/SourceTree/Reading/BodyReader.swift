// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Reads the data flow in a body, including nested closures.
final class BodyReader: SyntaxVisitor {
  private(set) var flows: [Flow] = []
  private(set) var bindings: [FunctionFacts.Binding] = []
  private let file: SourceFile
  /// The destination of the whole body's value, if it is an expression.
  private let sink: Flow.Sink
  private let body: Syntax
  private var shapes: [SyntaxIdentifier: SequenceShape] = [:]

  /// - Parameter sink: the destination of an expression's value, or of a body that consists of one expression.
  init(_ body: some SyntaxProtocol, sink: Flow.Sink, file: SourceFile) {
    self.file = file
    self.sink = sink
    self.body = Syntax(body)
    super.init(viewMode: .sourceAccurate)
    walk(body)
  }

  // MARK: Values

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    bindClosures(of: node)
    record(ExprSyntax(node))
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if node.base != nil { record(ExprSyntax(node)) }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    record(ExprSyntax(node))
    return .visitChildren
  }

  private func record(_ node: ExprSyntax) {
    let top = BodyReader.unwrapped(node)
    guard !BodyReader.isPartOfChain(top) else { return }
    guard let sink = sink(of: Syntax(top)) else { return }
    var source = Expression(node)
    // The value in `if let child = child` is the property.
    if case .name(let name) = source, sink == .variable(name) { source = .member(.name("self"), name) }
    flows.append(Flow(source: source, sink: sink, line: file.line(at: node.positionAfterSkippingLeadingTrivia)))
  }

  /// The outermost expression that has the same value, or contains it as an element.
  private static func unwrapped(_ node: ExprSyntax) -> ExprSyntax {
    var node = node
    while let parent = node.parent {
      if parent.is(OptionalChainingExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self)
        || parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self) || parent.is(AsExprSyntax.self),
        let expression = parent.as(ExprSyntax.self)
      {
        node = expression
      } else if let part = parent.as(SubscriptCallExprSyntax.self), part.calledExpression.id == node.id {
        node = ExprSyntax(part)
      } else if let element = parent.as(LabeledExprSyntax.self), let list = element.parent,
        let tuple = list.parent?.as(TupleExprSyntax.self), tuple.elements.count == 1
      {
        node = ExprSyntax(tuple)
      } else {
        break
      }
    }
    return node
  }

  /// Whether a member of the value is accessed.
  private static func isPartOfChain(_ node: ExprSyntax) -> Bool {
    guard let parent = node.parent else { return false }
    // A member access, or the name of one.
    if parent.is(MemberAccessExprSyntax.self) { return true }
    if let call = parent.as(FunctionCallExprSyntax.self) { return call.calledExpression.id == node.id }
    return parent.is(GenericSpecializationExprSyntax.self)
  }

  // MARK: Where they go

  private func sink(of node: Syntax) -> Flow.Sink? {
    if node.id == body.id { return sink }
    guard let parent = node.parent else { return .other }
    switch parent.as(SyntaxEnum.self) {
    case .labeledExpr(let argument):
      guard let list = argument.parent, let owner = list.parent else { return .other }
      if let call = owner.as(FunctionCallExprSyntax.self) {
        let position = call.arguments.firstIndex(of: argument).map {
          call.arguments.distance(from: call.arguments.startIndex, to: $0)
        }
        return .argument(
          of: Expression(call.calledExpression), label: argument.label?.text, position: position ?? 0)
      }
      if owner.is(TupleExprSyntax.self) { return sink(of: owner) }
      return .inspected
    case .arrayElement, .dictionaryElement, .arrayElementList, .dictionaryElementList, .arrayExpr, .dictionaryExpr,
      .unresolvedTernaryExpr, .ifExpr, .switchExpr, .expressionStmt, .tryExpr, .awaitExpr:
      return sink(of: parent)
    case .exprList:
      guard let sequence = parent.parent?.as(SequenceExprSyntax.self) else { return .other }
      return self.sink(of: node, in: sequence)
    case .initializerClause(let clause):
      if let condition = clause.parent?.as(OptionalBindingConditionSyntax.self) { return variable(condition.pattern) }
      guard let binding = clause.parent?.as(PatternBindingSyntax.self) else { return .other }
      return variable(binding.pattern)
    case .optionalBindingCondition(let condition): return variable(condition.pattern)
    case .conditionElement, .throwStmt:
      return .inspected
    case .forStmt(let loop): return loop.sequence.id == node.id ? variable(loop.pattern) : .inspected
    case .returnStmt: return .result
    case .codeBlockItem(let item): return self.sink(ofStatement: item)
    case .closureCapture, .expressionPattern, .repeatStmt: return .inspected
    default: return .other
    }
  }

  /// The structure of an operator sequence. Computed once for each, as there may be thousands of operands.
  private struct SequenceShape {
    /// The expression to the left of an equals sign.
    let target: ExprSyntax?
    /// Whether the values are compared or part of a condition.
    let isLookedAt: Bool
    /// The expressions after a question mark, which are not inspected.
    let chosen: Set<SyntaxIdentifier>

    init(_ sequence: SequenceExprSyntax) {
      let elements = Array(sequence.elements)
      let looking: Set<String> = ["==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "~="]
      target = elements.count > 1 && elements[1].is(AssignmentExprSyntax.self) ? elements[0] : nil
      isLookedAt = elements.contains { element in
        element.is(UnresolvedIsExprSyntax.self)
          || element.as(BinaryOperatorExprSyntax.self).map { looking.contains($0.operator.text) } ?? false
      }
      let question = elements.firstIndex { $0.is(UnresolvedTernaryExprSyntax.self) }
      chosen = Set(question.map { elements[$0...].map(\.id) } ?? [])
    }
  }

  private func sink(of node: Syntax, in sequence: SequenceExprSyntax) -> Flow.Sink? {
    let shape = shapes[sequence.id] ?? SequenceShape(sequence)
    shapes[sequence.id] = shape
    if shape.target?.id == node.id { return nil }
    if shape.isLookedAt && !shape.chosen.contains(node.id) { return .inspected }
    guard let target = shape.target else { return sink(of: Syntax(sequence)) }
    return target.is(DiscardAssignmentExprSyntax.self) ? .dropped : .assigned(Expression(target))
  }

  private func sink(ofStatement item: CodeBlockItemSyntax) -> Flow.Sink {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return .other }
    if list.id == body.id { return list.count == 1 ? sink : .dropped }
    guard let owner = list.parent else { return .other }
    if let closure = owner.as(ClosureExprSyntax.self) {
      return list.count == 1 ? self.sink(ofResult: closure) : .dropped
    }
    // The last value of a branch is the value of the whole expression, if it has one.
    let isLast = list.last?.id == item.id
    if let block = owner.as(CodeBlockSyntax.self), let choice = block.parent?.as(IfExprSyntax.self) {
      return isLast && isValue(Syntax(choice)) ? .other : .dropped
    }
    if let one = owner.as(SwitchCaseSyntax.self), let choice = one.parent?.parent?.as(SwitchExprSyntax.self) {
      return isLast && isValue(Syntax(choice)) ? .other : .dropped
    }
    if let block = owner.as(CodeBlockSyntax.self), let function = block.parent?.as(FunctionDeclSyntax.self) {
      return list.count == 1 && function.signature.returnClause != nil ? .result : .dropped
    }
    return .dropped
  }

  /// The destination of the result of a closure: the parameter that it is passed for, which may be called there.
  private func sink(ofResult closure: ClosureExprSyntax) -> Flow.Sink {
    let isTrailing = closure.parent?.is(FunctionCallExprSyntax.self) ?? false
    let argument = closure.parent?.as(LabeledExprSyntax.self)
    let call = isTrailing ? closure.parent : argument?.parent?.parent
    guard let call = call?.as(FunctionCallExprSyntax.self), call.calledExpression.id != closure.id else {
      return .result
    }
    let callee = Expression(call.calledExpression)
    // The results of a mapping are results of the call.
    if ["map", "flatMap", "compactMap"].contains(callee.lastName) { return .result }
    let position = argument.flatMap { argument in call.arguments.firstIndex { $0.id == argument.id } }
    return .argument(
      of: callee, label: argument?.label?.text,
      position: call.arguments.distance(from: call.arguments.startIndex, to: position ?? call.arguments.endIndex))
  }

  /// Whether the value of an `if` or `switch` is used.
  private func isValue(_ choice: Syntax) -> Bool {
    guard let sink = sink(of: choice) else { return true }
    return sink != .dropped
  }

  private func variable(_ pattern: PatternSyntax) -> Flow.Sink {
    if let name = BodyReader.names(in: pattern).first { return .variable(name) }
    return pattern.is(WildcardPatternSyntax.self) ? .dropped : .other
  }

  private static func names(in pattern: PatternSyntax) -> [String] {
    if let pattern = pattern.as(IdentifierPatternSyntax.self) { return [pattern.identifier.text] }
    if let pattern = pattern.as(ValueBindingPatternSyntax.self) { return names(in: pattern.pattern) }
    if let pattern = pattern.as(TuplePatternSyntax.self) { return pattern.elements.flatMap { names(in: $0.pattern) } }
    if let pattern = pattern.as(ExpressionPatternSyntax.self),
      let name = pattern.expression.as(DeclReferenceExprSyntax.self)
    {
      return [name.baseName.text]
    }
    return []
  }

  // MARK: Names for values

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    bind(node.pattern, type: node.typeAnnotation?.type, to: node.initializer.map { Expression($0.value) })
    return .visitChildren
  }

  override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
    if let initializer = node.initializer {
      bind(node.pattern, type: node.typeAnnotation?.type, to: Expression(initializer.value))
    }
    return .visitChildren
  }

  override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
    if let initializer = node.initializer {
      let value = Expression(initializer.value)
      let name = node.name.text
      bindings.append(
        FunctionFacts.Binding(name: name, type: nil, value: value == .name(name) ? .member(.name("self"), name) : value)
      )
    }
    return .skipChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    bind(node.pattern, type: node.typeAnnotation?.type, to: Expression(node.sequence))
    return .visitChildren
  }

  private func bind(_ pattern: PatternSyntax, type: TypeSyntax?, to value: Expression?) {
    if let tuple = pattern.as(TuplePatternSyntax.self) {
      for (index, element) in tuple.elements.enumerated() {
        let part = value.map { Expression.member($0, element.label?.text ?? String(index)) }
        for name in BodyReader.names(in: element.pattern) {
          bindings.append(FunctionFacts.Binding(name: name, type: nil, value: part))
        }
        // All parts of a value go where the value goes.
        if index > 0, let part, let name = BodyReader.names(in: element.pattern).first {
          flows.append(
            Flow(
              source: part, sink: .variable(name),
              line: file.line(at: element.positionAfterSkippingLeadingTrivia)))
        }
      }
      return
    }
    for name in BodyReader.names(in: pattern) {
      // The value in `let child = child` is the property.
      let value = value.map { $0 == .name(name) ? .member(.name("self"), name) : $0 }
      if value == nil && type == nil { continue }
      bindings.append(FunctionFacts.Binding(name: name, type: type.map { TypeName($0) }, value: value))
    }
  }

  /// The first closure parameter is usually the base of the call, or the argument before the closure.
  private func bindClosures(of node: FunctionCallExprSyntax) {
    let closures =
      node.arguments.map(\.expression) + [node.trailingClosure.map { ExprSyntax($0) }].compactMap { $0 }
      + node.additionalTrailingClosures.map { ExprSyntax($0.closure) }
    let owner = node.argument("of").map { Expression($0.expression) }
    let called = Expression(node.calledExpression)
    let first = node.arguments.first { !$0.expression.is(ClosureExprSyntax.self) }.map { Expression($0.expression) }
    guard let value = owner ?? receiver(of: called) ?? first else { return }
    let line = file.line(at: node.positionAfterSkippingLeadingTrivia)
    for argument in closures {
      if let closure = argument.as(ClosureExprSyntax.self) {
        let name = firstParameter(of: closure)
        bindings.append(FunctionFacts.Binding(name: name, type: nil, value: value))
        flows.append(Flow(source: value, sink: .variable(name), line: line))
      } else if owner == nil, ["map", "flatMap", "compactMap", "forEach"].contains(called.lastName) {
        // `child.map(attachChild)` passes the child to it.
        flows.append(
          Flow(source: value, sink: .argument(of: Expression(argument), label: nil, position: 0), line: line))
      }
    }
  }

  private func receiver(of callee: Expression) -> Expression? {
    if case .member(let base, _) = callee, base != .name("self"), base != .name("super") { base } else { nil }
  }

  private func firstParameter(of closure: ClosureExprSyntax) -> String {
    switch closure.signature?.parameterClause {
    case .simpleInput(let parameters): parameters.first?.name.text ?? "_"
    case .parameterClause(let clause):
      clause.parameters.first.map { ($0.secondName ?? $0.firstName).text } ?? "_"
    default: "$0@\(closure.position.utf8Offset)"
    }
  }

  // MARK: What is read by itself

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
