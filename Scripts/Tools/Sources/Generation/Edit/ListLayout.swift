// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// A comma-separated list, such as the parameters of an initializer, and its layout.
///
/// Adding an item and removing it again restores the list byte for byte. A list in the canonical layout is laid out
/// again after an edit; any other list keeps its layout, and only the item is added or removed.
struct ListLayout {
  enum Kind {
    case inheritance
    case parameters
    case arguments
  }

  /// An item: its text, and its range including comma and space.
  struct Item {
    let text: String
    /// Starts at the end of the previous item.
    let range: Range<AbsolutePosition>
  }

  let kind: Kind
  let file: SourceFile
  /// The range between the colon or opening parenthesis and the brace or closing parenthesis.
  let region: Range<AbsolutePosition>
  let items: [Item]
  let style: LayoutStyle
  let unit: String

  private var head: String { file.lineText(before: region.lowerBound) }
  private var tail: String { file.lineText(after: region.upperBound) }
  private var indentation: String { String(head.prefix { $0 == " " || $0 == "\t" }) }
  private var current: String { file.text(in: region).replacing("\r\n", with: "\n") }

  /// Alternative edits that append an item. Use the first one that can be undone exactly.
  func adding(_ item: String) -> [TextEdit] {
    let texts = items.map(\.text)
    var ways: [TextEdit] = []
    if current == canonical(texts) { ways.append(TextEdit(region, canonical(texts + [item]))) }
    guard let last = items.last else { return ways }
    let end = last.range.upperBound
    let before = file.text(in: last.range).prefix { $0.isWhitespace || $0 == "," }
    let ownLine = TextEdit(at: end, ",\n" + lineIndentation(of: last) + item)
    let sameLine = TextEdit(at: end, ", " + item)
    let fits =
      width(file.lineText(before: end)) + width(", " + item) + width(file.lineText(after: end)) <= style.lineLength
    let isOnOwnLine = before.contains { $0.isNewline }
    ways += isOnOwnLine || !fits ? [ownLine, sameLine] : [sameLine, ownLine]
    return ways
  }

  /// The edit that removes an item.
  func removing(_ index: Int) -> TextEdit {
    let texts = items.map(\.text)
    var rest = texts
    rest.remove(at: index)
    if current == canonical(texts) { return TextEdit(region, canonical(rest)) }
    if index > 0 { return TextEdit(items[index].range, "") }
    let end = items.count > 1 ? items[1].range.lowerBound : items[0].range.upperBound
    let start = items[0].range.lowerBound
    guard items.count > 1 else { return TextEdit(start..<end, "") }
    // The first item, and the comma after it.
    let nextText = file.text(in: items[1].range)
    let gap = nextText.prefix { $0.isWhitespace || $0 == "," }
    let keptGap = file.text(in: items[0].range).prefix { $0.isWhitespace }
    let replaced = items[1].range.lowerBound.utf8Offset + gap.utf8.count
    return TextEdit(start..<AbsolutePosition(utf8Offset: replaced), String(keptGap))
  }

  /// The list in the canonical layout.
  private func canonical(_ items: [String]) -> String {
    let inner = indentation + unit
    let line = items.joined(separator: ", ")
    switch kind {
    case .arguments:
      if fits(line) { return line }
      if width(inner + line + tail) <= style.lineLength { return "\n" + inner + line }
      return "\n" + inner + items.joined(separator: ",\n" + inner)
    case .parameters:
      if fits(line) { return line }
      return "\n" + inner + items.joined(separator: ",\n" + inner) + "\n" + indentation
    case .inheritance:
      if fits(" " + line + " ") { return " " + line + " " }
      if let first = items.first, first.contains("<") {
        return " " + first + "," + filled(Array(items.dropFirst()), inner) + "\n" + indentation
      }
      return filled(items, inner) + "\n" + indentation
    }
  }

  private func fits(_ text: String) -> Bool { width(head + text + tail) <= style.lineLength }

  private func filled(_ items: [String], _ inner: String) -> String {
    var lines: [String] = []
    for (index, item) in items.enumerated() {
      let piece = item + (index == items.count - 1 ? "" : ",")
      if let last = lines.last, width(last + " " + piece) <= style.lineLength {
        lines[lines.count - 1] = last + " " + piece
      } else {
        lines.append(inner + piece)
      }
    }
    return lines.map { "\n" + $0 }.joined()
  }

  private func lineIndentation(of item: Item) -> String {
    let gap = file.text(in: item.range).prefix { $0.isWhitespace || $0 == "," }
    if gap.contains(where: \.isNewline) { return String(gap.reversed().prefix { !$0.isNewline }.reversed()) }
    return indentation + unit
  }

  private func width(_ text: String) -> Int {
    text.reduce(0) { $0 + ($1 == "\t" ? 2 : 1) }
  }
}

extension ListLayout {
  /// The inheritance clause of a declaration.
  init?(inheritance declaration: Declaration, style: LayoutStyle, unit: String) {
    guard let clause = declaration.inheritanceClause, let block = declaration.memberBlock else { return nil }
    var items: [Item] = []
    var end = clause.colon.endPositionBeforeTrailingTrivia
    for type in clause.inheritedTypes {
      items.append(Item(text: type.type.trimmedDescription, range: end..<type.type.endPositionBeforeTrailingTrivia))
      end = type.type.endPositionBeforeTrailingTrivia
    }
    self.init(
      kind: .inheritance, file: declaration.file,
      region: clause.colon.endPositionBeforeTrailingTrivia..<block.leftBrace.positionAfterSkippingLeadingTrivia,
      items: items, style: style, unit: unit)
  }

  /// The parameters of an initializer.
  init(parameters clause: FunctionParameterClauseSyntax, file: SourceFile, style: LayoutStyle, unit: String) {
    var items: [Item] = []
    var end = clause.leftParen.endPositionBeforeTrailingTrivia
    for parameter in clause.parameters {
      let itemEnd = parameter.trailingComma?.position ?? parameter.endPositionBeforeTrailingTrivia
      let text = parameter.with(\.trailingComma, nil).trimmedDescription
      items.append(Item(text: text, range: end..<itemEnd))
      end = itemEnd
    }
    self.init(
      kind: .parameters, file: file,
      region: clause.leftParen.endPositionBeforeTrailingTrivia..<clause.rightParen.positionAfterSkippingLeadingTrivia,
      items: items, style: style, unit: unit)
  }

  /// The arguments of a call; nil if the call has no parentheses.
  init?(arguments call: FunctionCallExprSyntax, file: SourceFile, style: LayoutStyle, unit: String) {
    guard let left = call.leftParen, let right = call.rightParen else { return nil }
    var items: [Item] = []
    var end = left.endPositionBeforeTrailingTrivia
    for argument in call.arguments {
      let itemEnd = argument.expression.endPositionBeforeTrailingTrivia
      items.append(Item(text: argument.with(\.trailingComma, nil).trimmedDescription, range: end..<itemEnd))
      end = itemEnd
    }
    self.init(
      kind: .arguments, file: file,
      region: left.endPositionBeforeTrailingTrivia..<right.positionAfterSkippingLeadingTrivia,
      items: items, style: style, unit: unit)
  }
}
