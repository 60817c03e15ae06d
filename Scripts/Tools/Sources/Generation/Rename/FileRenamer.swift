// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Renames a RIB in one file: in code and comments, and in the strings of tests.
struct FileRenamer {
  let file: SourceFile
  let map: RenameMap
  let old: RIBName
  let new: RIBName
  /// Whether the file belongs to the RIB, so that its comments refer to the RIB by name.
  let isOwn: Bool
  /// Whether the file belongs to tests, whose strings are expectations.
  let isTest: Bool
  let derived: DerivedNames

  /// What changes in a file, and what does not.
  struct Result {
    var edits: [TextEdit] = []
    /// The strings that keep the name.
    var strings: [TokenSyntax] = []
    /// The names of which the code does not say whether they are derived from the RIB's.
    var unknown: [TokenSyntax] = []
  }

  func result() -> Result {
    var result = Result()
    for token in file.syntax.tokens(viewMode: .sourceAccurate) {
      result.edits += comments(in: token.leadingTrivia, from: token.position)
      rename(token, &result)
      result.edits += comments(in: token.trailingTrivia, from: token.endPositionBeforeTrailingTrivia)
    }
    return result
  }

  private func rename(_ token: TokenSyntax, _ result: inout Result) {
    let range = token.positionAfterSkippingLeadingTrivia..<token.endPositionBeforeTrailingTrivia
    switch token.tokenKind {
    case .identifier(let name):
      let bare = name.filter { $0 != "`" }
      if let renamed = map.types[bare] {
        result.edits.append(TextEdit(range, renamed))
      } else if let renamed = map.functions[bare] ?? map.properties[bare] {
        switch derived.meaning(of: token, bare) {
        case .own: result.edits.append(TextEdit(range, renamed))
        case .foreign: break
        case .unknown:
          // No other package has functions that are named after a RIB.
          if map.functions[bare] != nil {
            result.edits.append(TextEdit(range, renamed))
          } else {
            result.unknown.append(token)
          }
        }
      } else if bare == old.lowerCamel && isChild(token) {
        result.edits.append(TextEdit(range, new.lowerCamel))
      }
    case .stringSegment(let text):
      guard let renamed = Words.replacing(in: text, { renamed($0, mayBePlain: namesRIBs(token)) }) else { return }
      if isTest && !isSaved(token) {
        result.edits.append(TextEdit(range, renamed))
      } else {
        result.strings.append(token)
      }
    default:
      break
    }
  }

  /// Whether a string is part of saved data: the name of a RIB or of a container, or the raw value of a case.
  private func isSaved(_ token: TokenSyntax) -> Bool {
    var node = token.parent
    while let current = node, !current.is(CodeBlockItemSyntax.self) {
      if current.is(EnumCaseElementSyntax.self) { return true }
      if let callee = current.as(FunctionCallExprSyntax.self)?.calledExpression,
        callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "saved"
          || callee.trimmedDescription == "SavedNames"
      {
        return true
      }
      node = current.parent
    }
    return false
  }

  private func comments(in trivia: Trivia, from start: AbsolutePosition) -> [TextEdit] {
    var offset = start.utf8Offset
    var edits: [TextEdit] = []
    for piece in trivia {
      let end = offset + piece.sourceLength.utf8Length
      switch piece {
      case .lineComment(let text), .blockComment(let text), .docLineComment(let text), .docBlockComment(let text):
        if let replaced = Words.replacing(in: text, { renamed($0, mayBePlain: isOwn) }) {
          edits.append(TextEdit(AbsolutePosition(utf8Offset: offset)..<AbsolutePosition(utf8Offset: end), replaced))
        }
      default: break
      }
      offset = end
    }
    return edits
  }

  /// The replacement for a word of a comment or a string.
  ///
  /// - Parameter mayBePlain: whether to replace the name where it could be an ordinary word, as `Order` could.
  private func renamed(_ word: Substring, mayBePlain: Bool) -> String? {
    if let renamed = map.words[String(word)] { return renamed }
    guard word == old.text else { return nil }
    // Both names must differ from ordinary words, so that the reverse renaming restores the text.
    let isCompound = [old, new].allSatisfy { $0.text.dropFirst().contains(where: \.isUppercase) }
    return isCompound || mayBePlain ? new.text : nil
  }

  /// Whether a string refers to RIBs: a title in one of the RIB's own tests, or an expectation in a test of a tree.
  private func namesRIBs(_ token: TokenSyntax) -> Bool {
    var node = token.parent
    while let current = node {
      if let attribute = current.as(AttributeSyntax.self) {
        return isOwn && ["Suite", "Test"].contains(attribute.attributeName.trimmedDescription)
      }
      if let call = current.as(FunctionCallExprSyntax.self),
        let callee = call.calledExpression.as(MemberAccessExprSyntax.self)
      {
        return ["expect", "expectTree"].contains(callee.declName.baseName.text)
      }
      node = current.parent
    }
    return false
  }

  /// Whether a bare name is the child that a router holds.
  private func isChild(_ token: TokenSyntax) -> Bool {
    if token.parent?.is(LabeledExprSyntax.self) == true { return false }
    if let parameter = token.parent?.as(FunctionParameterSyntax.self), parameter.firstName == token { return false }
    if let access = token.parent?.parent?.as(MemberAccessExprSyntax.self), access.declName.baseName == token,
      access.base?.trimmedDescription != "self"
    {
      return false
    }
    var node = token.parent
    while let current = node {
      if let function = current.as(FunctionDeclSyntax.self), takes(function) { return false }
      if let owner = current.as(ClassDeclSyntax.self) { return map.holders.contains(owner.name.text) }
      if let owner = current.as(ExtensionDeclSyntax.self) {
        return map.holders.contains(Declaration.baseName(of: owner.extendedType))
      }
      node = current.parent
    }
    return false
  }

  private func takes(_ function: FunctionDeclSyntax) -> Bool {
    function.signature.parameterClause.parameters.contains {
      ($0.secondName ?? $0.firstName).text == old.lowerCamel
    }
  }
}
