// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftParser
import SwiftSyntax

/// Edits the list of containers that a router saves: `savedChildren`.
struct SavedChildrenEdit {
  let router: TypeEditor
  let names: LinkNames

  private static let property = "savedChildren"

  private var element: String { LinkNames.saved(names.property) }

  /// Throws if the slot can't be added. Call it before the first edit, since the places it reports are current ones.
  func refuseOther() throws {
    let declaration = try router.declaration()
    guard let property = declaration.variable(named: SavedChildrenEdit.property) else { return }
    let place = declaration.file.place(of: property)
    guard let list = try list(of: property, in: declaration) else {
      throw Failure.refused("'\(SavedChildrenEdit.property)' (\(place)) is not an array literal that a link can extend")
    }
    if list.elements.contains(where: { SavedChildrenEdit.name(in: $0) == names.property }) {
      throw Failure.refused("'\(SavedChildrenEdit.property)' (\(place)) has an element '\(names.property)' already")
    }
  }

  /// Adds the slot to the list, and the list after the initializer if there is none.
  func add() throws {
    let declaration = try router.declaration()
    guard let property = declaration.variable(named: SavedChildrenEdit.property) else {
      let property = "var \(SavedChildrenEdit.property): [SavedChildren]"
      return try router.insertOverride(of: property, value: "[\(element)]")
    }
    guard let list = try list(of: property, in: declaration) else { return try refuseOther() }
    try router.workspace.editReversibly(router.path, list.adding(element)) { try remove() }
  }

  /// Removes the slot from the list, and the list if it was the only element.
  ///
  /// - Throws: `Failure.refused` if the slot is saved in another way.
  func remove() throws {
    let declaration = try router.declaration()
    guard let property = declaration.variable(named: SavedChildrenEdit.property) else { return }
    let uses = property.tokens(viewMode: .sourceAccurate).count { $0.tokenKind == .identifier(names.property) }
    if uses == 0 { return }
    guard let list = try list(of: property, in: declaration), uses == 1,
      let index = list.elements.firstIndex(where: { SavedChildrenEdit.container(in: $0) == names.property })
    else {
      throw Failure.refused(
        "'\(SavedChildrenEdit.property)' (\(declaration.file.place(of: property))) saves '\(names.property)' in another "
          + "way than a link writes it",
        advice: ["take it out by hand; a link writes the element \(element)"])
    }
    // A list with a comment or in another layout was written by hand.
    if list.elements.count == 1 && property.leadingTrivia.isBlank && list.isCanonical && !list.isExpanded {
      try router.remove { $0.as(VariableDeclSyntax.self)?.firstName == SavedChildrenEdit.property }
    } else {
      try router.workspace.edit(router.path, [list.removing(index)])
    }
  }

  private func list(of property: VariableDeclSyntax, in declaration: Declaration) throws -> SavedList? {
    SavedList(property, in: declaration.file, style: router.style, unit: try router.unit())
  }

  /// The name under which an element saves its container.
  private static func name(in element: ArrayElementSyntax) -> String? {
    saving(element)?.arguments.first?.expression.literal
  }

  /// The property of the container that an element saves.
  private static func container(in element: ArrayElementSyntax) -> String? {
    guard name(in: element) != nil,
      let base = saving(element)?.calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
    else { return nil }
    return base.hasPrefix("self.") ? String(base.dropFirst("self.".count)) : base
  }

  /// The call of `saved(as:)` that an element is.
  private static func saving(_ element: ArrayElementSyntax) -> FunctionCallExprSyntax? {
    guard let call = element.expression.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
      call.arguments.first?.label?.text == "as",
      call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "saved"
    else { return nil }
    return call
  }
}

/// An array literal that is the value of a computed property, and its layout.
private struct SavedList {
  let file: SourceFile
  let elements: [ArrayElementSyntax]
  private let array: ArrayExprSyntax
  private let style: LayoutStyle
  private let unit: String
  /// The range between the braces of the property; nil if they hold more than the array.
  private let region: Range<AbsolutePosition>?

  /// The list of a property; nil if its value is no array literal.
  init?(_ property: VariableDeclSyntax, in file: SourceFile, style: LayoutStyle, unit: String) {
    guard let block = property.bindings.first?.accessorBlock else { return nil }
    let getter = block.accessors.as(AccessorDeclListSyntax.self).flatMap { $0.count == 1 ? $0.first?.body : nil }
    guard let statements = block.accessors.as(CodeBlockItemListSyntax.self) ?? getter?.statements else { return nil }
    guard statements.count == 1, let item = statements.first?.item else { return nil }
    let isBare = item.is(ArrayExprSyntax.self) && block.accessors.is(CodeBlockItemListSyntax.self)
    guard
      let array = item.as(ArrayExprSyntax.self) ?? item.as(ReturnStmtSyntax.self)?.expression?.as(ArrayExprSyntax.self)
    else { return nil }
    self.file = file
    self.array = array
    elements = Array(array.elements)
    self.style = style
    self.unit = unit
    region =
      isBare
      ? block.leftBrace.endPositionBeforeTrailingTrivia..<block.rightBrace.positionAfterSkippingLeadingTrivia : nil
  }

  /// Alternative edits that append an element. Use the first one that can be undone exactly.
  func adding(_ element: String) -> [TextEdit] {
    let all = texts + [element]
    var ways: [TextEdit] = []
    // Laid out differently from a list that a link adds as a whole, so that the empty list can be restored.
    if let region, elements.isEmpty { ways.append(TextEdit(region, expanded(element, in: region))) }
    if let region, isCanonical { ways.append(TextEdit(region, canonical(all, in: region))) }
    guard let last = elements.last else {
      return ways + [TextEdit(at: array.leftSquare.endPositionBeforeTrailingTrivia, element)]
    }
    let end = last.expression.endPositionBeforeTrailingTrivia
    let rest = file.text(in: end..<last.endPosition)
    let indentation = file.indentation(of: last.expression)
    if let comma = last.trailingComma {
      let isOnOwnLine = last.expression.leadingTrivia.contains { $0.isNewline }
      ways.append(
        isOnOwnLine
          ? TextEdit(at: last.endPosition, "\n\(indentation)\(element),")
          : TextEdit(at: comma.endPositionBeforeTrailingTrivia, " \(element),"))
      return ways
    }
    let line = file.lineText(before: end) + ", " + element + file.lineText(after: end)
    let sameLine = TextEdit(at: end, ", " + element)
    let ownLine = TextEdit(end..<last.endPosition, ",\(rest)\n\(indentation)\(element)")
    let isOnOwnLine = last.expression.leadingTrivia.contains { $0.isNewline }
    return ways + (isOnOwnLine || line.count > style.lineLength ? [ownLine, sameLine] : [sameLine, ownLine])
  }

  /// The edit that removes an element.
  func removing(_ index: Int) -> TextEdit {
    if let region, isExpanded { return TextEdit(region, canonical([], in: region)) }
    if let region, isCanonical {
      var rest = texts
      rest.remove(at: index)
      return TextEdit(region, canonical(rest, in: region))
    }
    let element = elements[index]
    if elements.count == 1 { return TextEdit(element.position..<element.endPositionBeforeTrailingTrivia, "") }
    if index == 0 { return TextEdit(element.position..<element.endPosition, "") }
    if let comma = element.trailingComma {
      let isOnOwnLine = element.leadingTrivia.contains { $0.isNewline }
      if isOnOwnLine { return TextEdit(element.position..<element.endPosition, "") }
      let start = elements[index - 1].trailingComma?.endPositionBeforeTrailingTrivia ?? element.position
      return TextEdit(start..<comma.endPositionBeforeTrailingTrivia, "")
    }
    // The last element, and the comma of the one before it. A comment after that comma stays.
    let before = elements[index - 1]
    let end = element.expression.endPositionBeforeTrailingTrivia
    guard let comma = before.trailingComma else { return TextEdit(element.position..<end, "") }
    let kept = comma.trailingTrivia.isBlank ? "" : comma.trailingTrivia.description
    return TextEdit(comma.positionAfterSkippingLeadingTrivia..<end, kept)
  }

  /// Whether its only element was added to an empty list.
  var isExpanded: Bool {
    guard let region, texts.count == 1, let only = texts.first else { return false }
    return file.text(in: region).replacing("\r\n", with: "\n") == expanded(only, in: region)
  }

  /// A list of one element on a line of its own, with the white space in the braces.
  private func expanded(_ element: String, in region: Range<AbsolutePosition>) -> String {
    let outer = String(file.lineText(before: region.lowerBound).prefix { $0 == " " || $0 == "\t" })
    let inner = outer + unit
    return "\n\(inner)[\n\(inner)\(unit)\(element),\n\(inner)]\n\(outer)"
  }

  private var texts: [String] { elements.map(\.expression.trimmedDescription) }

  /// Whether it is laid out as a link lays it out.
  var isCanonical: Bool {
    guard let region else { return false }
    return file.text(in: region).replacing("\r\n", with: "\n") == canonical(texts, in: region)
  }

  /// The list as `swift format` lays it out, with the white space in the braces.
  private func canonical(_ elements: [String], in region: Range<AbsolutePosition>) -> String {
    let head = file.lineText(before: region.lowerBound)
    let outer = String(head.prefix { $0 == " " || $0 == "\t" })
    let line = "[" + elements.joined(separator: ", ") + "]"
    if (head + " \(line) }").count <= style.lineLength { return " \(line) " }
    let inner = outer + unit
    if (inner + line).count <= style.lineLength { return "\n\(inner)\(line)\n\(outer)" }
    let lines = elements.map { "\n\(inner)\(unit)\($0)," }.joined()
    return "\n\(inner)[\(lines)\n\(inner)]\n\(outer)"
  }
}
