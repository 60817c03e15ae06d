// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Removes a child from a hand-written parent: the builder and the child in the router, the methods that exist for
/// the child, calls of those, the argument in the builder, and the conformances of the interactor and the component.
///
/// Code that also serves another purpose stays and is listed in the notes. Refuses an edit that would not compile.
struct EdgeRemoval {
  let parent: RIBParts
  let child: ChildParts
  let names: LinkNames
  let workspace: Workspace
  let style: LayoutStyle
  /// The lines of the files before the first edit, by path.
  private let lines: [String: [String]]

  init(parent: RIBParts, child: ChildParts, names: LinkNames, workspace: Workspace, style: LayoutStyle) {
    self.parent = parent
    self.child = child
    self.names = names
    self.workspace = workspace
    self.style = style
    // Texts suffice, and parsing them takes longer.
    let texts = workspace.paths(mentioning: parent.name).map { path in
      (path, (try? workspace.data(at: path)).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    lines = Dictionary(texts.map { ($0, EdgeRemoval.lines(of: $1)) }) { first, _ in first }
  }

  private static func lines(of text: String) -> [String] {
    let lines: [Substring] = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The location of a node before the first edit, found by the text of its line.
  private func place(of node: some SyntaxProtocol, in file: SourceFile) -> String {
    // Files that do not mention the parent are not changed.
    guard lines[file.path] != nil else { return file.place(of: node) }
    let line = EdgeRemoval.lines(of: file.text)[file.line(at: node.positionAfterSkippingLeadingTrivia) - 1]
    return (lines[file.path]?.firstIndex(of: line)).map { "\(file.path):\($0 + 1)" } ?? file.path
  }

  /// Performs the removal.
  ///
  /// - Returns: the code that the user has to review.
  func apply() throws -> [String] {
    let slot = try removeSlot()
    let uses = ChildUses(of: child, in: parent, workspace: workspace, slot: slot)
    guard !uses.sources.isEmpty || !uses.handed.isEmpty else {
      throw unheld(uses)
    }
    for type in [parent.router] + uses.nested {
      let other = type.variables.first { variable in
        uses.builders.contains(variable.firstName ?? "")
          && ![names.buildable, names.builder].contains(variable.typeName ?? "")
      }
      guard let other, let name = other.firstName else { continue }
      throw Failure.refused(
        "'\(name)' is another property, too (\(type.file.place(of: other))), so what to take out is yours to say")
    }
    try refuseRequired(uses)
    try removeCalls(of: uses.methods)
    try removeFromRouter(uses)
    try removeRequirements(uses)
    let notes = try removeListener()
    try removeFromComponent()
    try refuseLeftovers(uses)
    if slot != nil { try refuseSlotUses() }
    return notes
  }

  /// Removes the slot of a link. Its methods are like any others.
  ///
  /// - Returns: the property that held the child; nil if there is no slot of a link.
  /// - Throws: `Failure.refused` if it has changed since it was written.
  private func removeSlot() throws -> String? {
    guard let interface = try? ChildInterface(child, names: names, in: workspace).within(parent) else { return nil }
    let edit = RouterEdit(
      router: TypeEditor(parent.router, in: workspace, style: style), interface: interface)
    guard try edit.hasSlot() else { return nil }
    try edit.removeSlot()
    return names.property
  }

  /// Throws if the router still uses a slot that was removed.
  private func refuseSlotUses() throws {
    let places = MemberCheck.uses(ofSlot: names, in: parent.router.name, workspace) { place(of: $0, in: $1) }
    guard places.isEmpty else { throw MemberCheck.stillUsed(child.name, by: parent.name, places) }
  }

  /// The reason why a child can't be removed whose builder is not a property of the router.
  private func unheld(_ uses: ChildUses) -> Failure {
    let router = "\(parent.router.name) (\(parent.router.place))"
    let words: Set<String> = [
      names.builderProperty, names.child.lowerCamel + "Buildable", names.builder, names.buildable,
    ]
    let pieces =
      uses.pieces
      + workspace.declarations(mentioning: parent.router.name).filter {
        $0.namespace == [parent.router.name]
      }
    for piece in pieces {
      let use = piece.node.tokens(viewMode: .sourceAccurate).first { token in
        if case .identifier(let name) = token.tokenKind { words.contains(name) } else { false }
      }
      guard let use else { continue }
      return .refused(
        "\(router) uses '\(use.text)' (\(place(of: use, in: piece.file))), which is no property of its own of type "
          + "'\(names.buildable)' or '\(names.builder)', so what to take out is yours to say")
    }
    return .missing(
      "\(router) has no property of type '\(names.buildable)' or '\(names.builder)'; where it attaches "
        + "'\(child.name)' in another way, if it does, is in 'ribs tree --root \(parent.name) --format json'")
  }

  // MARK: The router

  private func removeFromRouter(_ uses: ChildUses) throws {
    let gone = uses.sources.union(uses.children)
    for path in Set(uses.pieces.map(\.file.path)).sorted() {
      try removeMembers(of: [parent.router.name], in: path) { member in
        member.as(FunctionDeclSyntax.self).map { uses.methods.contains($0.name.text) } ?? false
      }
    }
    for path in Set(uses.pieces.map(\.file.path)) { try removeEmptyExtensions(of: parent.router.name, in: path) }
    let labels = try removeFromInitializers(uses.builders.union(uses.handed))
    let path = parent.router.file.path
    try removeMembers(of: [parent.router.name], in: path) { member in
      member.as(VariableDeclSyntax.self).map { $0.isStored && gone.contains($0.firstName ?? "") } ?? false
    }
    for path in Set(uses.pieces.map(\.file.path)).sorted() {
      try removeStatements(gone, uses, in: path)
    }
    let editor = TypeEditor(parent.router, in: workspace, style: style)
    let interface = try? ChildInterface(child, names: names, in: workspace)
    if let interface, try editor.declaration().initializers.count == 1 {
      try RouterEdit(router: editor, interface: interface).tidyInitializer()
    }
    for label in labels { try removeArguments(label, of: parent.router.name) }
    for type in uses.nested {
      let own = uses.builders.intersection(type.variables.compactMap(\.firstName))
      try removeMembers(of: [type.name], in: type.file.path) { member in
        member.as(VariableDeclSyntax.self).map { own.contains($0.firstName ?? "") } ?? false
      }
      for label in own {
        for callee in ["\(parent.router.name).\(type.name)", type.name] { try removeArguments(label, of: callee) }
      }
    }
  }

  /// Removes the assignments and parameters of the builders from all initializers.
  ///
  /// - Returns: the labels of the parameters.
  private func removeFromInitializers(_ builders: Set<String>) throws -> Set<String> {
    var labels: Set<String> = []
    let path = parent.router.file.path
    let editor = TypeEditor(parent.router, in: workspace, style: style)
    while let (initializer, statement, source) = assignment(of: builders, in: try editor.declaration()) {
      let file = try workspace.source(at: path)
      var edits = [TextEdit(statement.position..<statement.endPosition, "")]
      let clause = initializer.signature.parameterClause
      if let index = clause.parameters.map({ ($0.secondName ?? $0.firstName).text }).firstIndex(of: source) {
        labels.insert(Array(clause.parameters)[index].firstName.text)
        let list = ListLayout(parameters: clause, file: file, style: style, unit: try editor.unit())
        edits.append(list.removing(index))
      }
      try workspace.edit(path, edits)
    }
    return labels
  }

  /// An initializer, the statement that sets a builder in it, and the name of the assigned value.
  private func assignment(
    of builders: Set<String>, in router: Declaration
  ) -> (InitializerDeclSyntax, CodeBlockItemSyntax, String)? {
    for initializer in router.initializers {
      for statement in initializer.body?.statements ?? [] {
        guard let elements = statement.item.as(SequenceExprSyntax.self).map({ Array($0.elements) }),
          elements.count == 3,
          elements[1].is(AssignmentExprSyntax.self)
        else { continue }
        let target = elements[0].trimmedDescription
        guard builders.contains(where: { target == "self." + $0 || target == $0 }) else { continue }
        return (initializer, statement, elements[2].trimmedDescription)
      }
    }
    return nil
  }

  /// Removes an argument from every call that creates the parent's router or a type in it, and the constant created
  /// for it.
  private func removeArguments(_ label: String, of callee: String) throws {
    for path in workspace.paths(mentioning: parent.router.name) {
      while let call = try call(of: callee, with: label, in: path) {
        let file = try workspace.source(at: path)
        guard let index = call.arguments.map({ $0.label?.text }).firstIndex(of: label),
          let list = ListLayout(arguments: call, file: file, style: style, unit: style.unit)
        else { return }
        let expression = Array(call.arguments)[index].expression
        var edits = [list.removing(index)]
        var removed: [Syntax] = [Syntax(expression)]
        if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
          let statement = unusedConstant(name, around: call)
        {
          removed.append(Syntax(statement))
        }
        if let component = unusedComponent(after: removed, around: call) { removed.append(Syntax(component)) }
        edits += removed.dropFirst().map { TextEdit($0.position..<$0.endPosition, "") }
        try workspace.edit(path, edits)
      }
    }
  }

  private func call(of callee: String, with label: String, in path: String) throws -> FunctionCallExprSyntax? {
    let finder = CallFinder(callee: callee)
    finder.walk(try workspace.source(at: path).syntax)
    return finder.found.first { call in call.arguments.contains { $0.label?.text == label } }
  }

  private static func block(around call: FunctionCallExprSyntax) -> CodeBlockSyntax? {
    var node: Syntax? = call.parent
    while let current = node, current.as(CodeBlockSyntax.self) == nil { node = current.parent }
    return node?.as(CodeBlockSyntax.self)
  }

  /// The declaration of a local component that was used, and is not after a removal of some nodes.
  private func unusedComponent(after removed: [Syntax], around call: FunctionCallExprSyntax) -> CodeBlockItemSyntax? {
    guard let block = EdgeRemoval.block(around: call) else { return nil }
    return block.statements.first { statement in
      guard let variable = statement.item.as(VariableDeclSyntax.self), let name = variable.firstName,
        variable.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == parent.name + "Component" }),
        removed.contains(where: { $0.mentions([name]) })
      else { return false }
      let uses = block.tokens(viewMode: .sourceAccurate).filter { token in
        token.tokenKind == .identifier(name) && token.parent?.as(LabeledExprSyntax.self)?.label != token
          && !removed.contains { $0.position <= token.position && token.endPosition <= $0.endPosition }
      }
      return uses.count == 1
    }
  }

  /// The declaration of a local constant that only the call uses.
  private func unusedConstant(_ name: String, around call: FunctionCallExprSyntax) -> CodeBlockItemSyntax? {
    guard let block = EdgeRemoval.block(around: call) else { return nil }
    let uses = block.tokens(viewMode: .sourceAccurate).filter { $0.tokenKind == .identifier(name) }
      .filter { token in token.parent?.as(LabeledExprSyntax.self)?.label != token }
    guard uses.count == 2 else { return nil }
    return block.statements.first { $0.item.as(VariableDeclSyntax.self)?.firstName == name }
  }

  // MARK: Protocols and their doubles

  private func removeRequirements(_ uses: ChildUses) throws {
    guard let routing = parent.routing else { return }
    try removeMembers(of: [routing.name], in: routing.file.path) { isFunction($0, named: uses.methods) }
    for double in Doubles.of(routing.name, but: parent.router.name, in: workspace) {
      try removeRecorded(uses.methods, of: double)
    }
  }

  /// Throws if a protocol other than the parent's own requires a method that would go.
  private func refuseRequired(_ uses: ChildUses) throws {
    let resolver = TypeResolver(workspace: workspace)
    let own = Set([parent.router.name, parent.routing?.name].compactMap(\.self))
    let protocols = Set(own.flatMap(resolver.ancestry)).subtracting(own)
    let places = protocols.sorted().flatMap { name in
      workspace.declarations(mentioning: name).filter { $0.kind == .protocol && $0.name == name }.flatMap { found in
        found.functions.filter { uses.methods.contains($0.name.text) }
          .map { "\(place(of: $0, in: found.file)): \($0.name.text)" }
      }
    }
    guard places.isEmpty else { throw MemberCheck.stillUsed(child.name, by: parent.name, places) }
  }

  /// Removes methods from a double, along with the properties that only they use to record their calls.
  private func removeRecorded(_ methods: Set<String>, of double: Declaration) throws {
    let all = workspace.declarations(mentioning: double.name).filter { $0.name == double.name }.flatMap(\.members)
    let others = all.filter { !isFunction($0, named: methods) && !$0.is(VariableDeclSyntax.self) }
    let gone = all.filter { isFunction($0, named: methods) }
    try removeMembers(of: [double.name], in: double.file.path) { member in
      if isFunction(member, named: methods) { return true }
      guard let name = member.as(VariableDeclSyntax.self)?.firstName,
        methods.contains(where: { name.hasPrefix($0) && name != $0 })
      else { return false }
      return gone.contains { $0.mentions([name]) } && !others.contains { $0.mentions([name]) }
    }
  }

  private func isFunction(_ member: DeclSyntax, named names: Set<String>) -> Bool {
    member.as(FunctionDeclSyntax.self).map { names.contains($0.name.text) } ?? false
  }

  /// Removes the conformance to the child's listener, and the methods left without a purpose.
  private func removeListener() throws -> [String] {
    guard let listener = child.listener else { return [] }
    let methods = Set(listener.functions.map(\.name.text))
    let interactable = parent.name + "Interactable"
    let interactor = parent.name + "Interactor"
    let related = workspace.declarations(mentioning: parent.name).filter {
      $0.name == interactable || $0.name == interactor || $0.inherited.contains(interactable)
    }
    let others = required(of: related.flatMap(\.inherited).filter { $0 != listener.name && $0 != interactable })
    var notes: [String] = []
    for declaration in related {
      let path = declaration.file.path
      if declaration.inherited.contains(listener.name) { try endConformance(to: listener.name, of: declaration) }
      guard declaration.kind != .protocol else { continue }
      guard declaration.name == interactor else {
        try removeRecorded(methods.subtracting(others), of: declaration)
        continue
      }
      try removeMembers(of: [interactor], in: path) { member in
        guard isFunction(member, named: methods.subtracting(others)) else { return false }
        return member.as(FunctionDeclSyntax.self)?.body?.statements.isEmpty ?? false
      }
      notes += try workspace.source(at: path).declarations.filter { $0.name == interactor }.flatMap { piece in
        piece.functions.filter { methods.subtracting(others).contains($0.name.text) }.map {
          "left, though '\(child.name)' does not call it any more: \($0.name.text) (\(piece.file.place(of: $0)))"
        }
      }
      try removeEmptyExtensions(of: interactor, in: path)
    }
    return Array(Set(notes)).sorted()
  }

  /// The methods that some protocols require. Those of the runtime have none that a listener has, too.
  private func required(of protocols: [String]) -> Set<String> {
    let runtime: Set<String> = ["Interactable", "Interactor", "PresentableInteractor", "AnyObject", "class"]
    let resolver = TypeResolver(workspace: workspace)
    return Set(
      Set(protocols.flatMap(resolver.ancestry)).subtracting(runtime).flatMap { name in
        workspace.declarations(mentioning: name).filter { $0.kind == .protocol && $0.name == name }
          .flatMap(\.functions).map(\.name.text)
      })
  }

  // MARK: The component

  /// Removes the members of the component that create the child's builder, if nothing uses them any more.
  private func removeComponentMembers() throws {
    let component = parent.name + "Component"
    for piece in workspace.declarations(mentioning: component) where piece.name == component && piece.kind != .protocol
    {
      for variable in piece.variables {
        guard let name = variable.firstName, [names.builder, names.buildable].contains(variable.typeName ?? ""),
          variable.mentions([names.builder]), variable.bindings.count == 1
        else { continue }
        let isRequired = workspace.declarations(mentioning: name).contains { declaration in
          declaration.kind == .protocol && declaration.variable(named: name) != nil
        }
        let isPrivate = variable.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
        let uses = try (isPrivate ? [piece.file.path] : workspace.paths(mentioning: name)).map { path in
          try workspace.source(at: path).syntax.tokens(viewMode: .sourceAccurate)
            .count { $0.tokenKind == .identifier(name) && $0.parent?.is(LabeledExprSyntax.self) != true }
        }
        if isRequired || uses.reduce(0, +) > 1 { continue }
        try removeMembers(of: [component], in: piece.file.path) {
          $0.as(VariableDeclSyntax.self)?.firstName == name
        }
      }
    }
  }

  private func removeFromComponent() throws {
    try removeComponentMembers()
    // A factory method of the component may still create the builder.
    let finder = CallFinder(callee: names.builder)
    for file in workspace.sources(mentioning: names.builder) where !workspace.isTest(file.path) {
      finder.walk(file.syntax)
    }
    let ownership = Ownership(names.parent, in: workspace)
    let isCreated = finder.found.contains { call in
      TypeResolver.enclosingTypes(of: Syntax(call)).last.map(ownership.owns) ?? false
    }
    guard !isCreated else { return }
    let component = parent.name + "Component"
    for piece in workspace.declarations(mentioning: component)
    where piece.name == component && piece.inherited.contains(names.dependency) {
      let path = piece.file.path
      let isAlone =
        piece.inherited == [names.dependency]
        && piece.file.declarations.allSatisfy { $0.node.id == piece.node.id || isUnusedProtocol($0) }
      if piece.kind == .extension && isAlone && piece.members.isEmpty {
        try workspace.delete(path)
      } else {
        try endConformance(to: names.dependency, of: piece)
        try removeEmptyExtensions(of: component, in: path)
      }
    }
  }

  /// Whether a declaration is the protocol that upstream's template has for a component's extension, and unused.
  private func isUnusedProtocol(_ declaration: Declaration) -> Bool {
    declaration.kind == .protocol && declaration.name == names.handedDown
      && !workspace.declarations(mentioning: names.handedDown).contains { $0.inherited.contains(names.handedDown) }
  }

  // MARK: Pieces of files

  /// Removes a protocol from an inheritance clause, including the colon if it is the only one.
  private func endConformance(to name: String, of declaration: Declaration) throws {
    let path = declaration.file.path
    let found = try workspace.source(at: path).declarations.first {
      $0.name == declaration.name && $0.kind == declaration.kind && $0.inherited.contains(name)
    }
    guard let found, let clause = found.inheritanceClause else { return }
    if clause.inheritedTypes.count == 1 {
      let end = clause.inheritedTypes.endPositionBeforeTrailingTrivia
      return try workspace.edit(path, [TextEdit(clause.colon.positionAfterSkippingLeadingTrivia..<end, "")])
    }
    guard let index = found.inherited.firstIndex(of: name),
      let list = ListLayout(inheritance: found, style: style, unit: style.unit)
    else { return }
    try workspace.edit(path, [list.removing(index)])
  }

  /// Removes extensions without members or conformances.
  private func removeEmptyExtensions(of name: String, in path: String) throws {
    func empty() throws -> Declaration? {
      try workspace.source(at: path).declarations.first {
        $0.kind == .extension && $0.name == name && $0.members.isEmpty && $0.inherited.isEmpty
      }
    }
    while let found = try empty() {
      try workspace.edit(path, [TextEdit(found.node.position..<found.node.endPosition, "")])
    }
  }

  /// Removes all members of some types that satisfy a condition.
  private func removeMembers(of types: Set<String>, in path: String, _ isMeant: (DeclSyntax) -> Bool) throws {
    func next() throws -> Range<AbsolutePosition>? {
      for declaration in try workspace.source(at: path).declarations where types.contains(declaration.name) {
        guard let members = declaration.memberBlock?.members,
          let index = members.map(\.decl).firstIndex(where: isMeant)
        else { continue }
        return declaration.range(ofMemberAt: index)
      }
      return nil
    }
    while let range = try next() { try workspace.edit(path, [TextEdit(range, "")]) }
  }

  /// Removes statements that only call one of some methods of the parent's router.
  ///
  /// - Throws: `Failure.refused` if another RIB calls one of them, or if the code does not say of what it is a method.
  private func removeCalls(of methods: Set<String>) throws {
    let uses = usesOfRouter(methods).filter { $0.place != .test }
    let refused = uses.filter { $0.place == .other || !$0.isCertain }
    try EdgeCheck.refuse(refused, names) { place(of: $0.token, in: $0.file) }
    for (path, uses) in Dictionary(grouping: uses, by: \.file.path).sorted(by: { $0.key < $1.key }) {
      let tokens = Set(uses.map(\.token.id))
      let finder = StatementFinder { item in
        guard let call = item.item.as(ExprSyntax.self).flatMap(EdgeRemoval.onlyCall) else { return false }
        let callee = call.calledExpression
        let name =
          callee.as(MemberAccessExprSyntax.self)?.declName.baseName
          ?? callee.as(DeclReferenceExprSyntax.self)?.baseName
        return name.map { tokens.contains($0.id) } ?? false
      }
      finder.walk(try workspace.source(at: path).syntax)
      try workspace.edit(path, EdgeRemoval.removals(of: finder.found))
    }
  }

  /// The uses of methods of the parent's router.
  private func usesOfRouter(_ methods: Set<String>) -> [MemberUses.Use] {
    let types = Set([parent.router.name, parent.routing?.name].compactMap(\.self))
    let members = Dictionary(uniqueKeysWithValues: methods.map { ($0, types) })
    return MemberUses(of: names.parent, in: workspace).uses(of: members)
  }

  /// Removes the statements of remaining methods that use removed names, directly or through local constants.
  private func removeStatements(_ gone: Set<String>, _ uses: ChildUses, in path: String) throws {
    let file = try workspace.source(at: path)
    var edits: [TextEdit] = []
    for function in file.declarations.filter({ $0.name == parent.router.name }).flatMap(\.functions) {
      let unused = uses.slot.map { MemberCheck.uses($0, in: function) ? [] : [$0] } ?? []
      let gone = gone.subtracting(unused)
      guard let body = function.body, body.mentions(gone) else { continue }
      let stored = Set(uses.pieces.flatMap(\.variables).compactMap(\.firstName))
      var removal = StatementRemoval(
        child: child.name, function: function.name.text, mine: gone,
        theirs: uses.otherBuilders.union(uses.otherChildren), stored: stored, place: { place(of: $0, in: file) })
      try removal.collect(in: body.statements)
      edits += removal.edits + EdgeRemoval.removals(of: removal.statements)
    }
    try workspace.edit(path, edits)
  }

  private static func onlyCall(_ expression: ExprSyntax) -> FunctionCallExprSyntax? {
    if let chain = expression.as(OptionalChainingExprSyntax.self) { return onlyCall(chain.expression) }
    return expression.as(FunctionCallExprSyntax.self)
  }

  /// Removes statements; a case without any other gets a 'break'.
  private static func removals(of items: [CodeBlockItemSyntax]) -> [TextEdit] {
    let removed = Set(items.map(\.id))
    return items.map { item in
      if let list = item.parent?.as(CodeBlockItemListSyntax.self), list.parent?.is(SwitchCaseSyntax.self) == true,
        list.first?.id == item.id, list.allSatisfy({ removed.contains($0.id) })
      {
        return TextEdit(item.positionAfterSkippingLeadingTrivia..<item.endPositionBeforeTrailingTrivia, "break")
      }
      return TextEdit(item.position..<item.endPosition, "")
    }
  }

  /// Throws if removed names are still in use.
  private func refuseLeftovers(_ uses: ChildUses) throws {
    var places = usesOfRouter(uses.methods).filter { $0.place == .own }.map {
      "\(place(of: $0.token, in: $0.file)): \($0.token.text)"
    }
    for path in Set(uses.pieces.map(\.file.path)).sorted() where workspace.exists(path) {
      let file = try workspace.source(at: path)
      for token in file.syntax.tokens(viewMode: .sourceAccurate) {
        guard case .identifier(let name) = token.tokenKind, isInRouterClass(token) else { continue }
        let isChild = uses.children.contains(name) && name != uses.slot && MemberCheck.isMember(token)
        if uses.sources.contains(name) || isChild { places.append("\(place(of: token, in: file)): \(name)") }
      }
    }
    guard places.isEmpty else { throw MemberCheck.stillUsed(child.name, by: parent.name, places) }
  }

  private func isInRouterClass(_ token: TokenSyntax) -> Bool {
    var node = token.parent
    while let current = node {
      if let owner = current.as(ClassDeclSyntax.self) { return owner.name.text == parent.router.name }
      if let owner = current.as(ExtensionDeclSyntax.self) {
        return Declaration.baseName(of: owner.extendedType) == parent.router.name
      }
      node = current.parent
    }
    return false
  }
}

/// Finds statements, outermost first.
private final class StatementFinder: SyntaxVisitor {
  private(set) var found: [CodeBlockItemSyntax] = []
  private let isMeant: (CodeBlockItemSyntax) -> Bool

  init(_ isMeant: @escaping (CodeBlockItemSyntax) -> Bool) {
    self.isMeant = isMeant
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard isMeant(node) else { return .visitChildren }
    found.append(node)
    return .skipChildren
  }
}
