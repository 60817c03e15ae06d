import SourceModel
import SwiftSyntax

/// A parameter of a function that is mocked.
struct MockParameter {
  /// As it is declared.
  let declaration: String
  /// How the function calls it.
  let name: String
  /// Its type in the list of arguments; nil if it can't be kept.
  let keptType: String?
  /// Its type for the handler; nil if it can't be handed on.
  let handedType: String?
  /// What is handed on.
  let handed: String
  /// What is kept.
  let kept: String

  /// Reads a parameter.
  ///
  /// - Parameters:
  ///   - generics: the names of types that only the function knows.
  ///   - mock: what `Self` is.
  ///   - isOfSubscript: whether one name alone is no label.
  init(
    _ parameter: FunctionParameterSyntax, index: Int, generics: Set<String>, mock: String, owner: Declaration,
    isOfSubscript: Bool = false, in library: ProtocolLibrary
  ) {
    let parameter = parameter.with(\.trailingComma, nil)
    let outer = parameter.firstName.text
    let isUnnamed = (parameter.secondName ?? parameter.firstName).text == "_"
    name = isUnnamed ? "argument\(index + 1)" : (parameter.secondName ?? parameter.firstName).text
    let typeText = MockText.resolved(parameter.type, mock: mock)
    let ellipsis = parameter.ellipsis == nil ? "" : "..."
    let attributes = parameter.attributes.isEmpty ? "" : parameter.attributes.trimmedDescription + " "
    declaration =
      attributes + (outer == name && !(isOfSubscript && parameter.secondName != nil) ? outer : "\(outer) \(name)")
      + ": " + typeText + ellipsis

    let attributed = parameter.type.as(AttributedTypeSyntax.self)
    let specifiers = attributed?.specifiers.map(\.trimmedDescription) ?? []
    let marks = attributed?.attributes.map(\.trimmedDescription) ?? []
    let base = attributed?.baseType ?? parameter.type
    let plainMarks = marks.filter { $0 != "@escaping" && $0 != "@autoclosure" }
    let isFunction = library.isFunction(base, from: owner)
    let isEscaping = !isFunction || marks.contains("@escaping")
    let isErased = MockText.mentions(generics, in: base) || base.trimmedDescription.contains("some ")
    let isPack = base.is(PackExpansionTypeSyntax.self)
    var plain = (plainMarks + [MockText.resolved(base, mock: mock)]).joined(separator: " ")
    if base.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { plain = plain.dropLast() + "?" }
    if parameter.ellipsis != nil { plain = "[\(plain)]" }
    let isInout = specifiers.contains("inout")

    if isPack || !isEscaping {
      keptType = nil
    } else {
      keptType = isErased ? "Any" : plain
    }
    // A parameter that is lent or given away is copied in so many words.
    let isMoved = specifiers.contains("borrowing") || specifiers.contains("consuming")
    kept = isErased ? "\(name) as Any" : isMoved ? "copy \(name)" : name
    if isPack || (isErased && (isInout || !isEscaping)) {
      handedType = nil
    } else if isErased {
      handedType = "Any"
    } else {
      let mark = isFunction && isEscaping ? "@escaping " : ""
      handedType = (isInout ? "inout " : "") + mark + plain
    }
    handed = isErased ? "\(name) as Any" : isInout ? "&\(name)" : kept
  }
}

/// Pieces of Swift, as mocks write them.
enum MockText {
  /// The text of a type, with the mock for `Self`.
  static func resolved(_ type: some SyntaxProtocol, mock: String) -> String {
    let text = type.trimmedDescription
    guard text.contains("Self") else { return text }
    return Words.replacing(in: text) { $0 == "Self" ? mock : nil }?.replacing(mock + ".", with: "") ?? text
  }

  /// Whether a type mentions one of some names.
  static func mentions(_ names: Set<String>, in type: some SyntaxProtocol) -> Bool {
    guard !names.isEmpty else { return false }
    return type.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
  }

  /// A type as part of another one: function types and existentials in parentheses.
  static func optional(_ type: String) -> String { "(\(type))?" }
}
