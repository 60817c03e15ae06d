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
    let line = EdgeRemoval.lines(of: file.text)[file.line(at: node.positionAfterSkippingLeadingTrivia) - 1]
    return (lines[file.path]?.firstIndex(of: line)).map { "\(file.path):\($0 + 1)" } ?? file.path
  }

  /// Performs the removal.
  ///
  /// - Returns: the code that the user has to review.
  func apply() throws -> [String] {
    let uses = ChildUses(of: child, in: parent, workspace: workspace)
    guard !uses.builders.isEmpty else {
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
    let own = ownPaths(uses)
    for path in own { try removeCalls(of: uses.methods, in: path) }
    try removeFromRouter(uses)
    try removeRequirements(uses)
    let notes = try removeListener()
    try removeFromComponent(own)
    try refuseLeftovers(uses, own)
    return notes
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

  /// The parent's files: those named after it, and those that declare its router and interactor.
  private func ownPaths(_ uses: ChildUses) -> [String] {
    let files = OwnFiles(RoleNames(rib: names.parent), in: workspace)
    let types: Set<String> = [parent.router.name, parent.name + "Interactor", parent.name + "Component"]
    return Set(
      workspace.declarations(mentioning: parent.name).filter {
        files.owns($0.file.path) || types.contains($0.name)
      }.map(\.file.path)
    ).sorted()
  }

  // MARK: The router

  private func removeFromRouter(_ uses: ChildUses) throws {
    let gone = uses.builders.union(uses.children)
    for path in Set(uses.pieces.map(\.file.path)).sorted() {
      try removeMembers(of: [parent.router.name], in: path) { member in
        member.as(FunctionDeclSyntax.self).map { uses.methods.contains($0.name.text) } ?? false
      }
    }
    for path in Set(uses.pieces.map(\.file.path)) { try removeEmptyExtensions(of: parent.router.name, in: path) }
    let labels = try removeFromInitializers(uses.builders)
    let path = parent.router.file.path
    try removeMembers(of: [parent.router.name], in: path) { member in
      member.as(VariableDeclSyntax.self).map { $0.isStored && gone.contains($0.firstName ?? "") } ?? false
    }
    for path in Set(uses.pieces.map(\.file.path)).sorted() {
      try removeStatements(gone, but: uses.otherBuilders, in: path)
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
        if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
          let statement = unusedConstant(name, around: call)
        {
          edits.append(TextEdit(statement.position..<statement.endPosition, ""))
        }
        try workspace.edit(path, edits)
      }
    }
  }

  private func call(of callee: String, with label: String, in path: String) throws -> FunctionCallExprSyntax? {
    let finder = CallFinder(callee: callee)
    finder.walk(try workspace.source(at: path).syntax)
    return finder.found.first { call in call.arguments.contains { $0.label?.text == label } }
  }

  /// The declaration of a local constant that only the call uses.
  private func unusedConstant(_ name: String, around call: FunctionCallExprSyntax) -> CodeBlockItemSyntax? {
    var node: Syntax? = call.parent
    while let current = node, current.as(CodeBlockSyntax.self) == nil { node = current.parent }
    guard let block = node?.as(CodeBlockSyntax.self) else { return nil }
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

  /// Removes methods from a double, along with the properties that record their calls.
  private func removeRecorded(_ methods: Set<String>, of double: Declaration) throws {
    try removeMembers(of: [double.name], in: double.file.path) { member in
      if isFunction(member, named: methods) { return true }
      guard let name = member.as(VariableDeclSyntax.self)?.firstName else { return false }
      return methods.contains { name.hasPrefix($0) && name != $0 }
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
    return Set(
      Set(protocols).subtracting(runtime).flatMap { name in
        workspace.declarations(mentioning: name).filter { $0.kind == .protocol && $0.name == name }
          .flatMap(\.functions).map(\.name.text)
      })
  }

  // MARK: The component

  private func removeFromComponent(_ own: [String]) throws {
    // A factory method of the component may still create the builder.
    let finder = CallFinder(callee: names.builder)
    for path in own { finder.walk(try workspace.source(at: path).syntax) }
    guard finder.found.isEmpty else { return }
    let component = parent.name + "Component"
    for piece in workspace.declarations(mentioning: component)
    where piece.name == component && piece.inherited.contains(names.dependency) {
      let path = piece.file.path
      let isAlone = piece.file.declarations.count == 1 && piece.inherited == [names.dependency]
      if piece.kind == .extension && isAlone && piece.members.isEmpty {
        try workspace.delete(path)
      } else {
        try endConformance(to: names.dependency, of: piece)
        try removeEmptyExtensions(of: component, in: path)
      }
    }
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

  /// Removes statements that only call one of some methods.
  private func removeCalls(of methods: Set<String>, in path: String) throws {
    let finder = StatementFinder { item in
      guard let call = item.item.as(ExprSyntax.self).flatMap(EdgeRemoval.onlyCall) else { return false }
      let callee = call.calledExpression
      let name =
        callee.as(MemberAccessExprSyntax.self)?.declName.baseName ?? callee.as(DeclReferenceExprSyntax.self)?.baseName
      return name.map { methods.contains($0.text) } ?? false
    }
    finder.walk(try workspace.source(at: path).syntax)
    try workspace.edit(path, finder.found.map(EdgeRemoval.removal))
  }

  /// Removes the statements of remaining methods that use removed names, directly or through local constants.
  private func removeStatements(_ gone: Set<String>, but others: Set<String>, in path: String) throws {
    let file = try workspace.source(at: path)
    var edits: [TextEdit] = []
    for function in file.declarations.filter({ $0.name == parent.router.name }).flatMap(\.functions) {
      guard let body = function.body, body.mentions(gone) else { continue }
      var (mine, theirs) = (gone, others)
      for item in body.statements {
        let isTheirs = item.mentions(theirs)
        guard item.mentions(mine) else {
          if isTheirs, let name = item.item.as(VariableDeclSyntax.self)?.firstName { theirs.insert(name) }
          continue
        }
        if isTheirs, let element = onlyElement(of: item, with: mine, but: theirs) {
          edits.append(EdgeRemoval.removal(of: element))
          continue
        }
        if isTheirs {
          throw Failure.refused(
            "a statement of '\(function.name.text)' (\(place(of: item, in: file))) is about '\(child.name)' and another child",
            advice: ["take '\(child.name)' out of it by hand first"])
        }
        if let name = item.item.as(VariableDeclSyntax.self)?.firstName { mine.insert(name) }
        edits.append(EdgeRemoval.removal(of: item))
      }
    }
    try workspace.edit(path, edits)
  }

  /// The only element of a list in a statement that uses some names, if nothing else in the statement uses them and the
  /// element does not use others.
  private func onlyElement(
    of item: CodeBlockItemSyntax, with mine: Set<String>, but theirs: Set<String>
  ) -> ArrayElementSyntax? {
    let uses = item.tokens(viewMode: .sourceAccurate).filter { $0.mentions(mine) }
    let elements = uses.map { token -> ArrayElementSyntax? in
      var node = token.parent
      while let current = node, current.id != item.id {
        if let element = current.as(ArrayElementSyntax.self) { return element }
        node = current.parent
      }
      return nil
    }
    guard let first = elements.first, let element = first, elements.allSatisfy({ $0?.id == element.id }),
      !element.mentions(theirs), element.parent?.as(ArrayElementListSyntax.self)?.count ?? 0 > 1
    else { return nil }
    return element
  }

  /// Removes an element of a list, and the comma that separates it from the others.
  private static func removal(of element: ArrayElementSyntax) -> TextEdit {
    let all = Array(element.parent?.as(ArrayElementListSyntax.self) ?? [])
    guard let index = all.firstIndex(of: element) else { return TextEdit(element.position..<element.position, "") }
    if index > 0 {
      let previous = all[index - 1]
      // The last element may have no comma, and the one before it then has none either.
      let start = element.trailingComma == nil ? previous.expression.endPosition : previous.endPosition
      return TextEdit(start..<(element.trailingComma == nil ? element.expression.endPosition : element.endPosition), "")
    }
    return TextEdit(element.positionAfterSkippingLeadingTrivia..<all[1].positionAfterSkippingLeadingTrivia, "")
  }

  private static func onlyCall(_ expression: ExprSyntax) -> FunctionCallExprSyntax? {
    if let chain = expression.as(OptionalChainingExprSyntax.self) { return onlyCall(chain.expression) }
    return expression.as(FunctionCallExprSyntax.self)
  }

  /// Removes a statement; the only statement of a case becomes 'break'.
  private static func removal(of item: CodeBlockItemSyntax) -> TextEdit {
    if let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
      list.parent?.is(SwitchCaseSyntax.self) == true
    {
      return TextEdit(item.positionAfterSkippingLeadingTrivia..<item.endPositionBeforeTrailingTrivia, "break")
    }
    return TextEdit(item.position..<item.endPosition, "")
  }

  /// Throws if removed names are still in use.
  private func refuseLeftovers(_ uses: ChildUses, _ own: [String]) throws {
    let router = Set(uses.pieces.map(\.file.path))
    var places: [String] = []
    for path in own where workspace.exists(path) {
      let file = try workspace.source(at: path)
      for token in file.syntax.tokens(viewMode: .sourceAccurate) {
        guard case .identifier(let name) = token.tokenKind else { continue }
        let isInRouter = router.contains(path) && uses.builders.contains(name) && isInRouterClass(token)
        if uses.methods.contains(name) || isInRouter { places.append("\(place(of: token, in: file)): \(name)") }
      }
    }
    guard places.isEmpty else {
      throw Failure.refused(
        "'\(parent.name)' still uses '\(child.name)'", advice: ["take this out first:"] + places.map { "  " + $0 })
    }
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
