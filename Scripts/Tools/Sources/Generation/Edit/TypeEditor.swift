// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Edits one type of a workspace. Finds the type again for each edit, since each changes the file.
struct TypeEditor {
  let workspace: Workspace
  let style: LayoutStyle
  let path: String
  let kind: Declaration.Kind
  let name: String
  let inheritedName: String?

  init(_ declaration: Declaration, in workspace: Workspace, style: LayoutStyle) {
    self.workspace = workspace
    self.style = style
    path = declaration.file.path
    kind = declaration.kind
    name = declaration.name
    // Distinguishes extensions of one type.
    inheritedName = declaration.kind == .extension ? declaration.inherited.first : nil
  }

  /// The current declaration of the type.
  func declaration() throws -> Declaration {
    let found = try workspace.source(at: path).declarations.first {
      $0.kind == kind && $0.name == name && (inheritedName == nil || $0.inherited.first == inheritedName)
    }
    guard let found else { throw Failure.refused("'\(name)' is not in '\(path)' any more") }
    return found
  }

  /// The indentation of a member relative to its type.
  func unit() throws -> String {
    let declaration = try declaration()
    // A type without members is laid out as the others in its file.
    return TypeEditor.unit(of: declaration)
      ?? declaration.file.declarations.lazy.compactMap(TypeEditor.unit).first ?? style.unit
  }

  private static func unit(of declaration: Declaration) -> String? {
    guard let member = declaration.memberBlock?.members.first else { return nil }
    let outer = declaration.file.indentation(of: declaration.node)
    let inner = declaration.file.indentation(of: member)
    return inner.hasPrefix(outer) && inner.count > outer.count ? String(inner.dropFirst(outer.count)) : nil
  }

  /// The indentation of a member.
  func indentation() throws -> String {
    let declaration = try declaration()
    return declaration.file.indentation(of: declaration.node) + (try unit())
  }

  // MARK: Members

  /// Appends a member after all others.
  func append(_ text: String, afterBlankLine: Bool) throws {
    let declaration = try declaration()
    guard let block = declaration.memberBlock else {
      throw Failure.refused("'\(name)' (\(declaration.place)) has no members")
    }
    let outer = declaration.file.indentation(of: declaration.node)
    let lines = indented(text, by: outer, try unit())
    let closing = block.rightBrace.leadingTrivia.contains { $0.isNewline } ? "" : "\n" + outer
    if let last = block.members.last {
      let start = closing.isEmpty ? last.endPosition : last.endPositionBeforeTrailingTrivia
      let end = closing.isEmpty ? start : block.rightBrace.positionAfterSkippingLeadingTrivia
      try workspace.edit(path, [TextEdit(start..<end, (afterBlankLine ? "\n\n" : "\n") + lines + closing)])
    } else {
      let start = block.leftBrace.endPositionBeforeTrailingTrivia
      let isTight = closing.isEmpty == false
      let end = isTight ? block.rightBrace.positionAfterSkippingLeadingTrivia : start
      let way = TextEdit(start..<end, "\n" + lines + closing)
      // Without the blank line, the braces would be on one line after a removal.
      let spaced = TextEdit(start..<end, "\n\n" + lines + closing)
      try workspace.editReversibly(path, [way, spaced]) { try remove { _ in true } }
    }
  }

  /// Inserts a property after the last one that satisfies a condition, or before all members.
  func insertProperty(_ text: String, afterLast fits: (VariableDeclSyntax) -> Bool) throws {
    let declaration = try declaration()
    guard let block = declaration.memberBlock else {
      throw Failure.refused("'\(name)' (\(declaration.place)) has no members")
    }
    guard let first = block.members.first else { return try append(text, afterBlankLine: false) }
    let lines = indented(text, by: declaration.file.indentation(of: declaration.node), try unit())
    if let last = block.members.last(where: { $0.decl.as(VariableDeclSyntax.self).map(fits) ?? false }) {
      try workspace.edit(path, [TextEdit(at: last.endPosition, "\n" + lines)])
    } else {
      // Keeps a blank line before the members.
      let isAfterBlank = first.blankLinesBefore > 0
      let isBeforeProperty = first.decl.as(VariableDeclSyntax.self)?.isStored ?? false
      let text = isAfterBlank ? "\n\n" + lines : "\n" + lines + (isBeforeProperty ? "" : "\n")
      try workspace.edit(path, [TextEdit(at: block.leftBrace.endPosition, text)])
    }
  }

  /// Inserts a member after the last stored property, or before all members.
  func insertAfterProperties(_ text: String) throws {
    let declaration = try declaration()
    guard let block = declaration.memberBlock else {
      throw Failure.refused("'\(name)' (\(declaration.place)) has no members")
    }
    guard let last = block.members.last(where: { $0.decl.as(VariableDeclSyntax.self)?.isStored ?? false }) else {
      return try append(text, afterBlankLine: false)
    }
    let lines = indented(text, by: declaration.file.indentation(of: declaration.node), try unit())
    try workspace.edit(path, [TextEdit(at: last.endPosition, "\n\n" + lines)])
  }

  /// Inserts a member after the last one that satisfies a condition, or after all members.
  func insert(_ text: String, afterLast fits: (DeclSyntax) -> Bool) throws {
    let declaration = try declaration()
    let members = declaration.memberBlock.map { Array($0.members) } ?? []
    guard let index = members.lastIndex(where: { fits($0.decl) }), index + 1 < members.count else {
      return try append(text, afterBlankLine: true)
    }
    let lines = indented(text, by: declaration.file.indentation(of: declaration.node), try unit())
    try workspace.edit(path, [TextEdit(at: members[index].endPosition, "\n\n" + lines)])
  }

  /// Inserts a member before the first one that satisfies a condition, and before its comments.
  ///
  /// - Returns: whether there is such a member, with another one before it.
  func insert(_ text: String, before fits: (DeclSyntax) -> Bool) throws -> Bool {
    let declaration = try declaration()
    let members = declaration.memberBlock.map { Array($0.members) } ?? []
    guard let index = members.firstIndex(where: { fits($0.decl) }), index > 0 else { return false }
    let lines = indented(text, by: declaration.file.indentation(of: declaration.node), try unit())
    try workspace.edit(path, [TextEdit(at: members[index - 1].endPosition, "\n\n" + lines)])
    return true
  }

  /// Inserts an override of a computed property after the last initializer, or after all members.
  func insertOverride(of property: String, value: String) throws {
    let modifiers = try declaration().node.as(ClassDeclSyntax.self)?.modifiers.map(\.name.text) ?? []
    // An override is as accessible as its class.
    let access =
      modifiers.contains("package")
      ? "package " : modifiers.contains { ["public", "open"].contains($0) } ? "public " : ""
    let head = "\(access)override \(property) {"
    let isLong = try indentation().count + "\(head) \(value) }".count > style.lineLength
    try insert(
      isLong ? "\(head)\n  \(value)\n}" : "\(head) \(value) }", afterLast: { $0.is(InitializerDeclSyntax.self) })
  }

  /// Removes the first member that satisfies a condition.
  func remove(_ isMeant: (DeclSyntax) -> Bool) throws {
    let declaration = try declaration()
    guard let index = declaration.memberBlock?.members.map(\.decl).firstIndex(where: isMeant),
      let range = declaration.range(ofMemberAt: index)
    else { return }
    try workspace.edit(path, [TextEdit(range, "")])
  }

  // MARK: Inheritance

  /// Adds a protocol to the inheritance clause.
  func addInherited(_ name: String) throws {
    guard let list = ListLayout(inheritance: try declaration(), style: style, unit: try unit()) else {
      throw Failure.refused(
        "'\(self.name)' inherits from nothing", advice: ["add ': \(name)' to it in \(try declaration().place)"])
    }
    try workspace.editReversibly(path, list.adding(name)) { try removeInherited(name) }
  }

  /// Removes a protocol from the inheritance clause.
  func removeInherited(_ name: String) throws {
    guard let list = ListLayout(inheritance: try declaration(), style: style, unit: try unit()),
      let index = list.items.firstIndex(where: { $0.text == name || $0.text == "any " + name })
    else { return }
    try workspace.edit(path, [list.removing(index)])
  }

  /// The lines indented as members of the type. Converts each level of two spaces to the file's indentation.
  private func indented(_ text: String, by outer: String, _ unit: String) -> String {
    let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { (line: Substring) -> String in
      if line.isEmpty { return "" }
      let spaces = line.prefix { $0 == " " }.count
      return outer + unit + String(repeating: unit, count: spaces / 2) + line.dropFirst(spaces)
    }.joined(separator: "\n")
  }
}

extension Declaration {
  /// The range to remove with a member: includes its comments, and the blank line that would remain before the next
  /// one.
  func range(ofMemberAt index: Int) -> Range<AbsolutePosition>? {
    guard let block = memberBlock else { return nil }
    let members = Array(block.members)
    let range = members[index].position..<members[index].endPosition
    if members.count == 1 {
      let isBare = block.rightBrace.leadingTrivia.isBlank && block.leftBrace.trailingTrivia.isBlank
      let isBesideBlank =
        block.rightBrace.leadingTrivia.description.count(where: \.isNewline) > 1 || members[index].blankLinesBefore > 0
      return isBare && !isBesideBlank
        ? block.leftBrace.endPosition..<block.rightBrace.positionAfterSkippingLeadingTrivia : range
    }
    // The heading of a section stays for the other members of it.
    if index + 1 < members.count, members[index].leadingTrivia.description.contains("// MARK:"),
      members[index + 1].leadingTrivia.isBlank
    {
      return members[index].positionAfterSkippingLeadingTrivia..<members[index + 1].positionAfterSkippingLeadingTrivia
    }
    // The next member becomes the first one, and keeps the blank line after the brace.
    if index == 0, members[0].blankLinesBefore > 0, members[1].blankLinesBefore == 0, members[0].leadingTrivia.isBlank {
      return members[0].positionAfterSkippingLeadingTrivia..<members[1].positionAfterSkippingLeadingTrivia
    }
    // The next member becomes the first one. It keeps a blank line before it if the removed member had one.
    guard index == 0, members[0].blankLinesBefore == 0, members[1].blankLinesBefore > 0 else { return range }
    let text = file.text(in: members[1].position..<members[1].endPosition)
    let blank = text.prefix { $0.isNewline }.dropLast()
    return range.lowerBound..<AbsolutePosition(utf8Offset: members[1].position.utf8Offset + blank.utf8.count)
  }
}

extension Workspace {
  /// Makes the first of several alternative edits that undoing reverts byte for byte; the first one if none does.
  func editReversibly(_ path: String, _ ways: [TextEdit], undoing: () throws -> Void) throws {
    let before = try data(at: path)
    let start = mark()
    for way in ways {
      try edit(path, [way])
      let after = mark()
      try undoing()
      let isUndone = try data(at: path) == before
      goBack(to: isUndone ? after : start)
      if isUndone { return }
    }
    if let first = ways.first { try edit(path, [first]) }
  }
}

extension SyntaxProtocol {
  /// The number of blank lines directly before it, or before its comments.
  fileprivate var blankLinesBefore: Int {
    let space = leadingTrivia.description.prefix { $0.isNewline || $0 == " " || $0 == "\t" }
    return max(0, space.count(where: \.isNewline) - 1)
  }
}

extension VariableDeclSyntax {
  /// Whether the property is stored, as far as its syntax shows.
  var isStored: Bool {
    bindings.allSatisfy { binding in
      guard let block = binding.accessorBlock else { return true }
      guard case .accessors(let accessors) = block.accessors else { return false }
      return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }

  /// The name of the property, or of the first one if it declares several.
  var firstName: String? { bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
}

extension Trivia {
  /// Whether it consists of white space only.
  var isBlank: Bool { allSatisfy { $0.isWhitespace } }
}
