import SourceModel
import SwiftSyntax

/// Edits one type of a workspace. The type is looked up anew for each edit, since each changes the file.
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
    // Tells extensions of one type from each other.
    inheritedName = declaration.kind == .extension ? declaration.inherited.first : nil
  }

  /// The type as it is now.
  func declaration() throws -> Declaration {
    let found = try workspace.source(at: path).declarations.first {
      $0.kind == kind && $0.name == name && (inheritedName == nil || $0.inherited.first == inheritedName)
    }
    guard let found else { throw Failure.refused("'\(name)' is not in '\(path)' any more") }
    return found
  }

  /// What a member is indented by beyond its type.
  func unit() throws -> String {
    let declaration = try declaration()
    let outer = declaration.file.indentation(of: declaration.node)
    guard let member = declaration.memberBlock?.members.first else { return style.unit }
    let inner = declaration.file.indentation(of: member)
    return inner.hasPrefix(outer) && inner.count > outer.count ? String(inner.dropFirst(outer.count)) : style.unit
  }

  /// What a member is indented by.
  func indentation() throws -> String {
    let declaration = try declaration()
    return declaration.file.indentation(of: declaration.node) + (try unit())
  }

  // MARK: Members

  /// Puts a member behind all others.
  func append(_ text: String, afterBlankLine: Bool) throws {
    let declaration = try declaration()
    guard let block = declaration.memberBlock else { throw Failure.refused("'\(name)' has no members") }
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
      try workspace.edit(path, [TextEdit(start..<end, "\n" + lines + closing)])
    }
  }

  /// Puts a property behind the last one that fits, or before all members.
  func insertProperty(_ text: String, afterLast fits: (VariableDeclSyntax) -> Bool) throws {
    let declaration = try declaration()
    guard let block = declaration.memberBlock else { throw Failure.refused("'\(name)' has no members") }
    guard let first = block.members.first else { return try append(text, afterBlankLine: false) }
    let lines = indented(text, by: declaration.file.indentation(of: declaration.node), try unit())
    if let last = block.members.last(where: { $0.decl.as(VariableDeclSyntax.self).map(fits) ?? false }) {
      try workspace.edit(path, [TextEdit(at: last.endPosition, "\n" + lines)])
    } else {
      // A blank line that stands before the members stays there.
      let isAfterBlank = first.blankLinesBefore > 0
      let isBeforeProperty = first.decl.as(VariableDeclSyntax.self)?.isStored ?? false
      let text = isAfterBlank ? "\n\n" + lines : "\n" + lines + (isBeforeProperty ? "" : "\n")
      try workspace.edit(path, [TextEdit(at: block.leftBrace.endPosition, text)])
    }
  }

  /// Puts a member behind the last stored property, or before all members.
  func insertAfterProperties(_ text: String) throws {
    let declaration = try declaration()
    guard let block = declaration.memberBlock else { throw Failure.refused("'\(name)' has no members") }
    guard let last = block.members.last(where: { $0.decl.as(VariableDeclSyntax.self)?.isStored ?? false }) else {
      return try append(text, afterBlankLine: false)
    }
    let lines = indented(text, by: declaration.file.indentation(of: declaration.node), try unit())
    try workspace.edit(path, [TextEdit(at: last.endPosition, "\n\n" + lines)])
  }

  /// Takes out the first member that is meant.
  func remove(_ isMeant: (DeclSyntax) -> Bool) throws {
    let declaration = try declaration()
    guard let index = declaration.memberBlock?.members.map(\.decl).firstIndex(where: isMeant),
      let range = declaration.range(ofMemberAt: index)
    else { return }
    try workspace.edit(path, [TextEdit(range, "")])
  }

  // MARK: Inheritance

  /// Adds a protocol to what the type inherits from.
  func addInherited(_ name: String) throws {
    guard let list = ListLayout(inheritance: try declaration(), style: style, unit: try unit()) else {
      throw Failure.refused(
        "'\(self.name)' inherits from nothing", advice: ["add ': \(name)' to it in \(try declaration().place)"])
    }
    try workspace.editReversibly(path, list.adding(name)) { try removeInherited(name) }
  }

  /// Takes a protocol from what the type inherits from.
  func removeInherited(_ name: String) throws {
    guard let list = ListLayout(inheritance: try declaration(), style: style, unit: try unit()),
      let index = list.items.firstIndex(where: { $0.text == name || $0.text == "any " + name })
    else { return }
    try workspace.edit(path, [list.removing(index)])
  }

  /// Lines as they stand in the type: each level of two spaces becomes what the file indents by.
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
  /// What to take out of the file with a member: its comments, and the blank line that would be left before the next one.
  func range(ofMemberAt index: Int) -> Range<AbsolutePosition>? {
    guard let block = memberBlock else { return nil }
    let members = Array(block.members)
    let range = members[index].position..<members[index].endPosition
    if members.count == 1 {
      let isBare = block.rightBrace.leadingTrivia.isBlank && block.leftBrace.trailingTrivia.isBlank
      return isBare ? block.leftBrace.endPosition..<block.rightBrace.positionAfterSkippingLeadingTrivia : range
    }
    // The next one is first then. It has a blank line before it if the one that goes had one.
    guard index == 0, members[0].blankLinesBefore == 0, members[1].blankLinesBefore > 0 else { return range }
    let text = file.text(in: members[1].position..<members[1].endPosition)
    let blank = text.prefix { $0.isNewline }.dropLast()
    return range.lowerBound..<AbsolutePosition(utf8Offset: members[1].position.utf8Offset + blank.utf8.count)
  }
}

extension Workspace {
  /// Makes the first of several edits that undoing takes back byte for byte; the first of all, if none is.
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
  /// How many blank lines stand directly before it, or before its comments.
  fileprivate var blankLinesBefore: Int {
    let space = leadingTrivia.description.prefix { $0.isNewline || $0 == " " || $0 == "\t" }
    return max(0, space.count(where: \.isNewline) - 1)
  }
}

extension VariableDeclSyntax {
  /// Whether the property is stored in the object, as far as it can be seen.
  var isStored: Bool {
    bindings.allSatisfy { binding in
      guard let block = binding.accessorBlock else { return true }
      guard case .accessors(let accessors) = block.accessors else { return false }
      return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }

  /// The name of the property, or of the first of several.
  var firstName: String? { bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
}

extension Trivia {
  /// Whether there is nothing in it but white space.
  var isBlank: Bool { allSatisfy { $0.isWhitespace } }
}
