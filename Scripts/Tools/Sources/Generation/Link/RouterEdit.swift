import SourceModel
import SwiftSyntax

/// Edits the parent's router, which holds the child's builder, and attaches and detaches the child.
struct RouterEdit {
  let router: TypeEditor
  let interface: ChildInterface

  private var names: LinkNames { interface.names }
  private var builderProperty: String { "private let \(names.builderProperty): \(interface.builderType)" }
  private var childProperty: String { "private var \(names.property): (any Routing)?" }

  func add(route: Link.Route) throws {
    try addToInitializer()
    try router.insertProperty(builderProperty) {
      $0.bindingSpecifier.text == "let" && $0.firstName?.hasSuffix("Builder") ?? false
    }
    try addInitializerIfMissing()
    guard route == .attach else { return }
    try router.insertProperty(childProperty) { $0.isStored }
    try router.append(interface.attachMethod, afterBlankLine: true)
    try router.append(interface.detachMethod, afterBlankLine: true)
  }

  func remove() throws {
    let declaration = try router.declaration()
    for (name, expected) in [(names.attach, interface.attachMethod), (names.detach, interface.detachMethod)] {
      guard let method = declaration.functions.first(where: { $0.name.text == name }) else { continue }
      try MemberCheck.refuseUnlessAsWritten(method, as: expected, in: declaration.file)
    }
    for name in [names.attach, names.detach] {
      try router.remove { $0.as(FunctionDeclSyntax.self)?.name.text == name }
    }
    for name in [names.property, names.builderProperty] {
      try router.remove { $0.as(VariableDeclSyntax.self)?.firstName == name }
    }
    try removeFromInitializer()
  }

  // MARK: The initializer

  private func onlyInitializer() throws -> (Declaration, InitializerDeclSyntax?) {
    let declaration = try router.declaration()
    let all = declaration.initializers
    guard all.count <= 1 else {
      throw Failure.refused(
        "'\(declaration.name)' (\(declaration.place)) has \(all.count) initializers, and may have one")
    }
    return (declaration, all.first)
  }

  private func addToInitializer() throws {
    let (declaration, initializer) = try onlyInitializer()
    guard let initializer else { return }
    guard let body = initializer.body, let superCall = body.statements.first(where: { isSuperCall($0) }) else {
      throw Failure.refused("the initializer in \(declaration.file.place(of: initializer)) has no call of super.init")
    }
    let indentation = declaration.file.indentation(of: superCall)
    let start = superCall.positionAfterSkippingLeadingTrivia
    let assignment = "self.\(names.builderProperty) = \(names.builderProperty)\n\(indentation)"
    var edits = [TextEdit(at: start, assignment)]
    if let override = initializer.modifiers.first(where: { $0.name.text == "override" }) {
      edits.append(TextEdit(override.positionAfterSkippingLeadingTrivia..<override.endPosition, ""))
    }
    try router.workspace.edit(router.path, edits)
    let (file, parameters) = try parameterList()
    let item = "\(names.builderProperty): \(interface.builderType)"
    let list = ListLayout(parameters: parameters, file: file, style: router.style, unit: try router.unit())
    try router.workspace.editReversibly(router.path, list.adding(item)) { try removeParameter() }
  }

  private func addInitializerIfMissing() throws {
    let (declaration, initializer) = try onlyInitializer()
    guard initializer == nil else { return }
    let inherited = try inheritedParameters(of: declaration)
    let handed = inherited.map { "\($0.label): \($0.label)" }.joined(separator: ", ")
    let all = inherited.map { "\($0.label): \($0.type)" } + ["\(names.builderProperty): \(interface.builderType)"]
    let unit = try router.unit()
    let outer = declaration.file.indentation(of: declaration.node) + unit
    let line = "init(" + all.joined(separator: ", ") + ")"
    let isLong = (outer + line + " {").count > router.style.lineLength
    let head = isLong ? "init(\n" + all.map { "  " + $0 }.joined(separator: ",\n") + "\n)" : line
    try router.insertAfterProperties(
      """
      \(head) {
        self.\(names.builderProperty) = \(names.builderProperty)
        super.init(\(handed))
      }
      """)
  }

  private func removeFromInitializer() throws {
    let (declaration, initializer) = try onlyInitializer()
    guard let body = initializer?.body else { return }
    let assignment = "self.\(names.builderProperty) = \(names.builderProperty)"
    guard let index = body.statements.map(\.trimmedDescription).firstIndex(of: assignment) else {
      throw Failure.refused(
        "the initializer of '\(declaration.name)' (\(declaration.place)) does not set '\(names.builderProperty)' "
          + "as a link does it")
    }
    let statements = Array(body.statements)
    let statement = statements[index]
    var range = statement.position..<statement.endPosition
    // A link writes the assignment before the call of super.init, after the blank lines and comments of the call.
    if index + 1 < statements.count,
      statements[index + 1].leadingTrivia.description.drop(while: { !$0.isNewline }).dropFirst().allSatisfy({
        $0 == " " || $0 == "\t"
      })
    {
      range =
        statement
        .positionAfterSkippingLeadingTrivia..<statements[index + 1].positionAfterSkippingLeadingTrivia
    }
    try router.workspace.edit(router.path, [TextEdit(range, "")])
    try removeParameter()
    try tidyInitializer()
  }

  private func removeParameter() throws {
    let (file, parameters) = try parameterList()
    guard let index = parameters.parameters.map(\.firstName.text).firstIndex(of: names.builderProperty) else {
      throw Failure.refused("the initializer in \(file.place(of: parameters)) does not take '\(names.builderProperty)'")
    }
    let list = ListLayout(parameters: parameters, file: file, style: router.style, unit: try router.unit())
    try router.workspace.edit(router.path, [list.removing(index)])
  }

  /// Marks an initializer with inherited parameters as an override, and removes one that only calls the inherited
  /// one.
  func tidyInitializer() throws {
    let (declaration, initializer) = try onlyInitializer()
    guard let initializer, let inherited = try? inheritedParameters(of: declaration).map(\.label),
      initializer.signature.parameterClause.parameters.map(\.firstName.text) == inherited
    else { return }
    let handed = inherited.map { "\($0): \($0)" }.joined(separator: ", ")
    let isEmpty = initializer.body?.statements.map(\.trimmedDescription) == ["super.init(\(handed))"]
    if isEmpty && initializer.modifiers.isEmpty && initializer.attributes.isEmpty {
      try router.remove { $0.is(InitializerDeclSyntax.self) }
    } else {
      let position = initializer.initKeyword.positionAfterSkippingLeadingTrivia
      try router.workspace.edit(router.path, [TextEdit(at: position, "override ")])
    }
  }

  private func parameterList() throws -> (SourceFile, FunctionParameterClauseSyntax) {
    let (declaration, initializer) = try onlyInitializer()
    guard let initializer else {
      throw Failure.refused("'\(declaration.name)' (\(declaration.place)) has no initializer")
    }
    return (declaration.file, initializer.signature.parameterClause)
  }

  private func isSuperCall(_ statement: CodeBlockItemSyntax) -> Bool {
    statement.trimmedDescription.hasPrefix("super.init(")
  }

  /// The parameters of the inherited initializer.
  private func inheritedParameters(of declaration: Declaration) throws -> [(label: String, type: String)] {
    guard let type = declaration.inheritanceClause?.inheritedTypes.first?.type.as(IdentifierTypeSyntax.self),
      let arguments = type.genericArgumentClause?.arguments.map(\.argument.trimmedDescription)
    else { throw Failure.refused("'\(declaration.name)' (\(declaration.place)) is no subclass of Router<…>") }
    switch (type.name.text, arguments.count) {
    case ("Router", 1): return [("interactor", arguments[0])]
    case ("ViewableRouter", 2), ("LaunchRouter", 2):
      return [("interactor", arguments[0]), ("viewController", arguments[1])]
    default:
      throw Failure.refused(
        "'\(declaration.name)' (\(declaration.place)) has a superclass of its own, whose initializer is not known")
    }
  }
}
