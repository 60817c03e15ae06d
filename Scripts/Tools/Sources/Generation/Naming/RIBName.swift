import SwiftParser
import SwiftSyntax

/// The name of a RIB, from which those of its types, properties and methods are made.
public struct RIBName: Hashable, Sendable, CustomStringConvertible {
  /// How long a name may be: the lines that a link writes with it are 120 columns wide then.
  public static let longest = 35

  /// The name with a capital: `LoggedOut`.
  public let text: String

  /// The name as properties and functions begin: `loggedOut`, `urlList` for `URLList`.
  public var lowerCamel: String {
    let capitals = text.prefix { $0.isUppercase }
    if capitals.count == text.count { return text.lowercased() }
    // The last capital of several begins the next word.
    let head = capitals.count > 1 ? capitals.dropLast() : capitals
    return head.lowercased() + text.dropFirst(head.count)
  }

  public var description: String { text }

  /// Takes a name, if types and properties can be named after it.
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
    return nil
  }

  /// Whether Swift reads a word as something else where a name stands.
  private static func isKeyword(_ word: String) -> Bool {
    if ["self", "Self", "Type", "Protocol", "type", "protocol", "Any"].contains(word) { return true }
    let file = Parser.parse(source: "let \(word) = 0")
    guard !file.hasError, let only = file.statements.first, file.statements.count == 1,
      let variable = only.item.as(VariableDeclSyntax.self), let binding = variable.bindings.first
    else { return true }
    return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text != word
  }

  /// The properties of the runtime's routers: a parent can't name one for the child like them.
  private static let inherited: Set<String> = [
    "children", "expectsReattachment", "interactable", "interactor", "expectsReattachment", "lifecycle", "nodeID",
    "viewControllable", "viewController",
  ]

  /// Names that would make `ViewableRouter`, `EmptyComponent` and the like.
  private static let taken: Set<String> = [
    "Componentized", "Empty", "Launch", "MultiStageComponentized", "Presentable", "SimpleComponentized",
    "SimpleMultiStageComponentized", "View", "Viewable",
  ]
}
