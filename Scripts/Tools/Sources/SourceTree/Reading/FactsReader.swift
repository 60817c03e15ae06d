// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Extracts the facts about RIBs from a file.
package final class FactsReader: SyntaxVisitor {
  private var facts: FileFacts
  private let file: SourceFile
  /// The types being read, outermost first, with the indices of their facts.
  private var open: [(path: [String], index: Int)] = []

  package static func facts(of file: SourceFile) -> FileFacts {
    let reader = FactsReader(file: file)
    reader.walk(file.syntax)
    reader.facts.brokenLine = reader.brokenLine()
    return reader.facts
  }

  private init(file: SourceFile) {
    self.file = file
    facts = FileFacts(path: file.path)
    super.init(viewMode: .sourceAccurate)
  }

  private func brokenLine() -> Int? {
    if file.syntax.hasError {
      let finder = ErrorFinder(viewMode: .all)
      finder.walk(file.syntax)
      if let position = finder.position { return file.line(at: position) }
    }
    guard file.text.contains("<#") else { return nil }
    for (index, line) in file.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    where line.contains("<#") && line.contains("#>") && !line.contains("//") {
      return index + 1
    }
    return nil
  }

  // MARK: Types

  package override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.path.first?.name.text { facts.imports.append(name) }
    return .skipChildren
  }

  package override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.class, [node.name.text], node, node.genericParameterClause)
    return .visitChildren
  }
  package override func visitPost(_ node: ClassDeclSyntax) { open.removeLast() }

  package override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.struct, [node.name.text], node, node.genericParameterClause)
    return .visitChildren
  }
  package override func visitPost(_ node: StructDeclSyntax) { open.removeLast() }

  package override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.enum, [node.name.text], node, node.genericParameterClause)
    return .visitChildren
  }
  package override func visitPost(_ node: EnumDeclSyntax) { open.removeLast() }

  package override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.actor, [node.name.text], node, node.genericParameterClause)
    return .visitChildren
  }
  package override func visitPost(_ node: ActorDeclSyntax) { open.removeLast() }

  package override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.protocol, [node.name.text], node, nil)
    return .visitChildren
  }
  package override func visitPost(_ node: ProtocolDeclSyntax) { open.removeLast() }

  package override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard case .named(let path, _) = TypeName(node.extendedType) else { return .skipChildren }
    enter(.extension, path, node, nil)
    return .visitChildren
  }
  package override func visitPost(_ node: ExtensionDeclSyntax) {
    if case .named = TypeName(node.extendedType) { open.removeLast() }
  }

  package override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    var type = TypeFacts(
      kind: .typealias, path: (open.last?.path ?? []) + [node.name.text],
      line: file.line(at: node.positionAfterSkippingLeadingTrivia))
    type.alias = TypeName(node.initializer.value)
    facts.types.append(type)
    return .skipChildren
  }

  private func enter(
    _ kind: Declaration.Kind, _ path: [String], _ node: some DeclGroupSyntax,
    _ generics: GenericParameterClauseSyntax?
  ) {
    var type = TypeFacts(
      kind: kind, path: (open.last?.path ?? []) + path,
      line: file.line(at: node.introducer.positionAfterSkippingLeadingTrivia))
    type.inherited = node.inheritanceClause?.inheritedTypes.map { TypeName($0.type) } ?? []
    type.generics = FactsReader.constraints(generics)
    type.isOpen = node.modifiers.contains { $0.name.text == "open" }
    type.isFinal = node.modifiers.contains { $0.name.text == "final" }
    type.isPublic = node.modifiers.contains { ["public", "open"].contains($0.name.text) }
    (type.summary, type.isSummaryMarked) = Documentation.summary(of: node)
    facts.types.append(type)
    open.append((type.path, facts.types.count - 1))
  }

  private static func constraints(_ clause: GenericParameterClauseSyntax?) -> [String: TypeName] {
    var found: [String: TypeName] = [:]
    for parameter in clause?.parameters ?? [] {
      found[parameter.name.text] = parameter.inheritedType.map { TypeName($0) } ?? .unknown
    }
    return found
  }

  // MARK: Members

  package override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    var function = FunctionFacts(
      name: node.name.text, line: file.line(at: node.name.positionAfterSkippingLeadingTrivia))
    function.isPrivate = node.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
    function.parameters = FactsReader.parameters(node.signature)
    function.generics = FactsReader.constraints(node.genericParameterClause)
    function.result = node.signature.returnClause.map { TypeName($0.type) }
    if let body = node.body {
      read(body.statements, into: &function, sink: function.result == nil ? .dropped : .result)
    }
    add(function)
    return hasTypes(node.body) ? .visitChildren : .skipChildren
  }

  package override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    var function = FunctionFacts(
      name: "init", line: file.line(at: node.initKeyword.positionAfterSkippingLeadingTrivia))
    function.parameters = FactsReader.parameters(node.signature)
    function.generics = FactsReader.constraints(node.genericParameterClause)
    if let body = node.body { read(body.statements, into: &function, sink: .dropped) }
    add(function)
    return .skipChildren
  }

  package override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  package override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    var function = FunctionFacts(name: "deinit", line: file.line(at: node.positionAfterSkippingLeadingTrivia))
    if let body = node.body { read(body.statements, into: &function, sink: .dropped) }
    add(function)
    return .skipChildren
  }

  package override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let isPrivate = node.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
    var type: TypeName?
    for binding in node.bindings.reversed() {
      if let written = Declaration.type(of: binding) { type = TypeName(written) }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      read(binding, name, type, isPrivate: isPrivate)
    }
    return .skipChildren
  }

  private func read(_ binding: PatternBindingSyntax, _ name: String, _ type: TypeName?, isPrivate: Bool) {
    let line = file.line(at: binding.pattern.positionAfterSkippingLeadingTrivia)
    var function = FunctionFacts(name: "init", line: line)
    var value: Expression?
    var isStored = true
    if let initializer = binding.initializer {
      value = Expression(initializer.value)
      let reader = BodyReader(
        initializer.value, sink: open.isEmpty ? .variable(name) : .assigned(.member(.name("self"), name)), file: file)
      function.flows = reader.flows
      function.bindings = reader.bindings
    }
    switch binding.accessorBlock?.accessors {
    case .getter(let statements):
      isStored = false
      value = .any(Expression.results(of: statements))
      read(statements, into: &function, sink: .result)
    case .accessors(let accessors):
      let isObserved = accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      if !isObserved { isStored = false }
      for accessor in accessors {
        guard let body = accessor.body else { continue }
        let isGetter = accessor.accessorSpecifier.text == "get"
        if isGetter { value = .any(Expression.results(of: body.statements)) }
        read(body.statements, into: &function, sink: isGetter ? .result : .dropped)
      }
    default: break
    }
    if !function.flows.isEmpty { add(function) }
    let property = PropertyFacts(
      name: name, type: type, value: value, isStored: isStored, isPrivate: isPrivate, line: line)
    if let last = open.last {
      facts.types[last.index].properties.append(property)
    } else if let value {
      var function = FunctionFacts(name: "init", line: line)
      function.bindings = [FunctionFacts.Binding(name: name, type: type, value: value)]
      add(function)
    }
  }

  private func read(_ statements: CodeBlockItemListSyntax, into function: inout FunctionFacts, sink: Flow.Sink) {
    let reader = BodyReader(statements, sink: sink, file: file)
    function.flows += reader.flows
    function.bindings += reader.bindings
    function.results += Expression.results(of: statements)
  }

  private func add(_ function: FunctionFacts) {
    if let last = open.last {
      facts.types[last.index].functions.append(function)
    } else {
      facts.functions.append(function)
    }
  }

  private static func parameters(_ signature: FunctionSignatureSyntax) -> [FunctionFacts.Parameter] {
    signature.parameterClause.parameters.map { parameter in
      let label = parameter.firstName.text
      return FunctionFacts.Parameter(
        label: label == "_" ? nil : label, name: (parameter.secondName ?? parameter.firstName).text,
        type: TypeName(parameter.type))
    }
  }

  /// Whether a body declares types, which is rare.
  private func hasTypes(_ body: CodeBlockSyntax?) -> Bool {
    body?.statements.contains { item in
      if case .decl(let declaration) = item.item {
        declaration.asProtocol((any DeclGroupSyntax).self) != nil
      } else {
        false
      }
    } ?? false
  }

  // MARK: The top of a script

  package override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard open.isEmpty, node.parent?.parent?.is(SourceFileSyntax.self) == true else { return .visitChildren }
    if case .decl = node.item { return .visitChildren }
    var function = FunctionFacts(name: "main", line: file.line(at: node.positionAfterSkippingLeadingTrivia))
    let reader = BodyReader(node, sink: .dropped, file: file)
    function.flows = reader.flows
    function.bindings = reader.bindings
    add(function)
    return .skipChildren
  }
}

/// Finds syntax errors.
private final class ErrorFinder: SyntaxAnyVisitor {
  private(set) var position: AbsolutePosition?

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    position == nil && node.hasError ? .visitChildren : .skipChildren
  }

  override func visit(_ node: UnexpectedNodesSyntax) -> SyntaxVisitorContinueKind {
    if position == nil { position = node.positionAfterSkippingLeadingTrivia }
    return .skipChildren
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    if position == nil && token.presence == .missing { position = token.position }
    return .skipChildren
  }
}
