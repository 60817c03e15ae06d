// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftParser
import SwiftSyntax

/// The name of a RIB, the base for the names of its types, properties and methods.
public struct RIBName: Hashable, Sendable, CustomStringConvertible {
  /// The maximum length. Lines that a link writes with such a name are 120 columns wide.
  public static let longest = 35

  /// The name in upper camel case: `LoggedOut`.
  public let text: String

  /// The name in lower camel case: `loggedOut`, `urlList` for `URLList`.
  public var lowerCamel: String {
    let capitals = text.prefix { $0.isUppercase }
    if capitals.count == text.count { return text.lowercased() }
    // The last of several capitals begins the next word.
    let head = capitals.count > 1 ? capitals.dropLast() : capitals
    return head.lowercased() + text.dropFirst(head.count)
  }

  public var description: String { text }

  /// Validates a name. Throws if types and properties can't be named after it.
  public init(_ text: String) throws {
    self.text = text
    if let reason = reasonAgainst() { throw Failure.usage("'\(text)' can't be the name of a RIB: \(reason)") }
  }

  private func reasonAgainst() -> String? {
    if text.isEmpty { return "it is empty" }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return "it may have only the letters A to Z and digits" }
    let isWord = text.allSatisfy { $0.isLetter || $0.isNumber }
    guard isWord, let first = text.first, !first.isNumber else {
      return "it has to be an identifier: letters and digits, with a letter first"
    }
    guard text.count <= RIBName.longest else {
      return "it has \(text.count) letters, and may have \(RIBName.longest)"
    }
    if RIBName.isKeyword(text) { return "it is a keyword of Swift" }
    guard first.isUppercase else {
      return "it has to begin with a capital; did you mean '\(first.uppercased() + text.dropFirst())'?"
    }
    if RIBName.isKeyword(lowerCamel) {
      return "'\(lowerCamel)', the name of its property, is a keyword of Swift"
    }
    if RIBName.inherited.contains(lowerCamel) {
      return "'\(lowerCamel)', the name of its property, is what every router has already"
    }
    if RIBName.taken.contains(text) { return "its types would be named like those of the module RIBs" }
    if FileFinder.products.contains(text) {
      return "folders of that name have products of other tools, and are not read"
    }
    return nil
  }

  /// Whether Swift does not accept a word as a name.
  private static func isKeyword(_ word: String) -> Bool {
    if ["self", "Self", "Type", "Protocol", "type", "protocol", "Any"].contains(word) { return true }
    let file = Parser.parse(source: "let \(word) = 0")
    guard !file.hasError, let only = file.statements.first, file.statements.count == 1,
      let variable = only.item.as(VariableDeclSyntax.self), let binding = variable.bindings.first
    else { return true }
    return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text != word
  }

  /// Properties of the runtime's routers, whose names a parent can't use for a child.
  private static let inherited: Set<String> = [
    "children", "expectsReattachment", "interactable", "interactor", "lifecycle", "nodeID", "savedChildren",
    "viewControllable", "viewController",
  ]

  /// Names that would conflict with `ViewableRouter`, `EmptyComponent` and others.
  private static let taken: Set<String> = [
    "Componentized", "Empty", "Launch", "MultiStageComponentized", "Presentable", "SimpleComponentized",
    "SimpleMultiStageComponentized", "View", "Viewable",
  ]
}
