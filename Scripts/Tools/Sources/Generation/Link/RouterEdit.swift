// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Edits the parent's router, which holds the child's builder, and attaches and detaches the child.
struct RouterEdit {
  let router: TypeEditor
  let interface: ChildInterface

  private var names: LinkNames { interface.names }
  private var builderProperty: String { "private let \(names.builderProperty): \(interface.builderType)" }
  private var childProperty: String { "private var \(names.property): (any Routing)?" }
  private var savedChildren: SavedChildrenEdit { SavedChildrenEdit(router: router, names: names) }

  func add(route: Link.Route) throws {
    try addToInitializer()
    try router.insertProperty(builderProperty) {
      $0.bindingSpecifier.text == "let" && $0.firstName?.hasSuffix("Builder") ?? false
    }
    try addInitializerIfMissing()
    switch route {
    case .attach:
      try router.insertProperty(childProperty) { $0.isStored }
      try router.append(interface.attachMethod, afterBlankLine: true)
      try router.append(interface.detachMethod, afterBlankLine: true)
    case .slot: try addSlot()
    case .none: break
    }
  }

  private func addSlot() throws {
    let width = router.style.lineLength - (try router.indentation().count)
    try router.insert(
      interface.slotProperty(width: width), afterLast: { $0.as(VariableDeclSyntax.self)?.isStored ?? false })
    let isBeforeInitializer = try router.insert(
      interface.routeTypeDeclaration, before: { $0.is(InitializerDeclSyntax.self) })
    if !isBeforeInitializer {
      try router.insert(
        interface.routeTypeDeclaration, afterLast: { $0.as(VariableDeclSyntax.self)?.isStored ?? false })
    }
    try savedChildren.add()
    try router.append(interface.slotAttachMethod(width: width), afterBlankLine: true)
    try router.append(interface.slotDetachMethod(width: width), afterBlankLine: true)
  }

  /// Whether the router holds the child in a slot, as a link writes it.
  func hasSlot() throws -> Bool {
    let value = try router.declaration().variable(named: names.property)?.bindings.first?.initializer?.value
    return value?.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
      == "ChildSlot<\(names.routeType)>"
  }

  /// Removes the slot, its type, and its element of `savedChildren`, but not the methods.
  ///
  /// - Throws: `Failure.refused` if they have changed since they were written.
  func removeSlot() throws {
    let declaration = try router.declaration()
    if let property = declaration.variable(named: names.property) {
      try MemberCheck.refuseUnlessAsWritten(property, as: interface.slotProperty(), in: declaration.file)
    }
    let type = declaration.members.lazy.compactMap { $0.as(EnumDeclSyntax.self) }
      .first { $0.name.text == names.routeType }
    if let type {
      try MemberCheck.refuseUnlessAsWritten(type, as: interface.routeTypeDeclaration, in: declaration.file)
    }
    try savedChildren.remove()
    try router.remove { $0.as(EnumDeclSyntax.self)?.name.text == names.routeType }
    try router.remove { $0.as(VariableDeclSyntax.self)?.firstName == names.property }
  }

  func remove() throws {
    let declaration = try router.declaration()
    let isSlot = try hasSlot()
    let methods = [
      (names.attach, isSlot ? interface.slotAttachMethod() : interface.attachMethod),
      (names.detach, isSlot ? interface.slotDetachMethod() : interface.detachMethod),
    ]
    for (name, expected) in methods {
      guard let method = declaration.functions.first(where: { $0.name.text == name }) else { continue }
      try MemberCheck.refuseUnlessAsWritten(method, as: expected, in: declaration.file)
    }
    for name in [names.attach, names.detach] {
      try router.remove { $0.as(FunctionDeclSyntax.self)?.name.text == name }
    }
    if isSlot { try removeSlot() }
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
    let access = Access(initializer.modifiers)
    if interface.builderAccess < min(access, Access(declaration)) {
      throw Failure.refused(
        "'\(declaration.name)' (\(declaration.place)) has a \(access.name) initializer, and '\(interface.builderName)' is "
          + "not \(access.name)")
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
      let access = initializer.modifiers.first { ["public", "open", "package"].contains($0.name.text) }
      let isFirst = access.map { writesOverrideFirst($0.name.text) } ?? false
      let position =
        (isFirst ? access?.positionAfterSkippingLeadingTrivia : nil)
        ?? initializer.initKeyword.positionAfterSkippingLeadingTrivia
      try router.workspace.edit(router.path, [TextEdit(at: position, "override ")])
    }
  }

  /// Whether the files in the folder of the router have 'override' before the access of a member.
  private func writesOverrideFirst(_ access: String) -> Bool {
    let folder = OwnFiles.folder(of: router.path)
    return router.workspace.paths(mentioning: "override \(access) ").contains { OwnFiles.folder(of: $0) == folder }
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
    guard let superclass = declaration.superclass, !superclass.arguments.isEmpty else {
      throw Failure.refused("'\(declaration.name)' (\(declaration.place)) is no subclass of Router<…>")
    }
    let arguments = superclass.arguments.map(\.trimmedDescription)
    switch (superclass.name, arguments.count) {
    case ("Router", 1): return [("interactor", arguments[0])]
    case ("ViewableRouter", 2), ("LaunchRouter", 2):
      return [("interactor", arguments[0]), ("viewController", arguments[1])]
    default:
      throw Failure.refused(
        "'\(declaration.name)' (\(declaration.place)) has a superclass of its own, whose initializer is not known")
    }
  }
}
