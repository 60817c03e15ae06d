// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// Finds the statements of a method of a router that are about one child, also inside of other statements.
struct StatementRemoval {
  let child: String
  let function: String
  /// The names that are removed, and the local constants that depend on them.
  private(set) var mine: Set<String>
  /// The names of other children, and the local constants that depend on them.
  private(set) var theirs: Set<String>
  /// The properties of the router.
  let stored: Set<String>
  /// The location of a node.
  let place: (CodeBlockItemSyntax) -> String

  /// The statements to remove.
  private(set) var statements: [CodeBlockItemSyntax] = []
  /// The removals of parts of statements.
  private(set) var edits: [TextEdit] = []

  init(
    child: String, function: String, mine: Set<String>, theirs: Set<String>, stored: Set<String>,
    place: @escaping (CodeBlockItemSyntax) -> String
  ) {
    self.child = child
    self.function = function
    self.mine = mine
    self.theirs = theirs
    self.stored = stored
    self.place = place
  }

  /// Finds the statements of a list.
  ///
  /// - Throws: `Failure.refused` if a statement has more purposes than the child.
  mutating func collect(in list: CodeBlockItemListSyntax) throws {
    for item in list {
      let isTheirs = item.mentions(theirs)
      guard item.mentions(mine) else {
        if isTheirs, let name = item.item.as(VariableDeclSyntax.self)?.firstName { theirs.insert(name) }
        continue
      }
      if !isTheirs {
        try refuseResult(item)
        if let name = item.item.as(VariableDeclSyntax.self)?.firstName { mine.insert(name) }
        statements.append(item)
      } else if let element = onlyElement(of: item) {
        edits.append(StatementRemoval.removal(of: element))
      } else if let condition = onlyCondition(of: item) {
        edits.append(StatementRemoval.removal(of: condition))
      } else if let lists = innerLists(of: item) {
        for list in lists { try collect(in: list) }
      } else {
        throw Failure.refused(
          "a statement of '\(function)' (\(place(item))) is about '\(child)' and another child",
          advice: ["take '\(child)' out of it by hand first"])
      }
    }
  }

  /// Throws if other code needs what a statement returns or sets.
  private func refuseResult(_ item: CodeBlockItemSyntax) throws {
    let target = item.item.as(SequenceExprSyntax.self).flatMap { sequence -> String? in
      let elements = Array(sequence.elements)
      guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) else { return nil }
      return elements[0].as(DeclReferenceExprSyntax.self)?.baseName.text
    }
    let sets = target.flatMap { stored.contains($0) || mine.contains($0) ? nil : $0 }
    let returns = item.item.as(ReturnStmtSyntax.self)?.expression != nil
    guard returns || sets != nil else { return }
    throw Failure.refused(
      "'\(function)' (\(place(item))) \(sets.map { "sets '\($0)'" } ?? "returns a value") by '\(child)', "
        + "so what it is without it is yours to say",
      advice: ["take '\(child)' out of it by hand first"])
  }

  /// The lists of statements in a statement, if nothing else in it uses the removed names.
  private func innerLists(of item: CodeBlockItemSyntax) -> [CodeBlockItemListSyntax]? {
    let finder = InnerLists(viewMode: .sourceAccurate)
    finder.walk(item.item)
    let uses = item.tokens(viewMode: .sourceAccurate).filter { $0.mentions(mine) }
    let areInside = uses.allSatisfy { token in
      finder.found.contains { $0.position <= token.position && token.endPosition <= $0.endPosition }
    }
    return areInside && !finder.found.isEmpty ? finder.found : nil
  }

  /// The only condition of a statement that uses removed names, among others that do not.
  private func onlyCondition(of item: CodeBlockItemSyntax) -> ConditionElementSyntax? {
    guard let conditions = item.item.as(GuardStmtSyntax.self)?.conditions, conditions.count > 1 else { return nil }
    let own = Array(conditions).filter { $0.mentions(mine) }
    guard own.count == 1, let only = own.first, !only.mentions(theirs), only.condition.is(ExprSyntax.self),
      item.item.as(GuardStmtSyntax.self)?.body.mentions(mine) == false
    else { return nil }
    return only
  }

  private static func removal(of condition: ConditionElementSyntax) -> TextEdit {
    let all = Array(condition.parent?.as(ConditionElementListSyntax.self) ?? [])
    guard let index = all.firstIndex(of: condition) else { return TextEdit(at: condition.position, "") }
    guard index == all.count - 1, index > 0 else {
      let next = all[index + 1].positionAfterSkippingLeadingTrivia
      return TextEdit(condition.positionAfterSkippingLeadingTrivia..<next, "")
    }
    let end = condition.endPositionBeforeTrailingTrivia
    return TextEdit((all[index - 1].trailingComma?.position ?? condition.position)..<end, "")
  }

  /// The only element of a list in a statement that uses some names, if nothing else in the statement uses them and the
  /// element does not use others.
  private func onlyElement(of item: CodeBlockItemSyntax) -> ArrayElementSyntax? {
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
}

/// Finds the outermost lists of statements.
private final class InnerLists: SyntaxVisitor {
  private(set) var found: [CodeBlockItemListSyntax] = []

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    found.append(node)
    return .skipChildren
  }
}
