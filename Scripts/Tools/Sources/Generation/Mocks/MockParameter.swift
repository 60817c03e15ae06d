import SourceModel
import SwiftSyntax

/// A parameter of a mocked function.
struct MockParameter {
  /// The parameter declaration.
  let declaration: String
  /// The name inside the function.
  let name: String
  /// The type in the recorded arguments; nil if it can't be recorded.
  let keptType: String?
  /// The type in the handler; nil if it can't be forwarded.
  let handedType: String?
  /// The expression passed to the handler.
  let handed: String
  /// The expression that is recorded.
  let kept: String

  /// Reads a parameter.
  ///
  /// - Parameters:
  ///   - generics: the names of the function's generic types.
  ///   - mock: the replacement for `Self`.
  ///   - isOfSubscript: whether a single name is not an argument label.
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
    // A borrowed or consumed parameter needs an explicit copy.
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

/// Text fragments of generated mocks.
enum MockText {
  /// The text of a type, with `Self` replaced by the mock.
  static func resolved(_ type: some SyntaxProtocol, mock: String) -> String {
    let text = type.trimmedDescription
    guard text.contains("Self") else { return text }
    return Words.replacing(in: text) { $0 == "Self" ? mock : nil }?.replacing(mock + ".", with: "") ?? text
  }

  /// Whether a type uses one of some names.
  static func mentions(_ names: Set<String>, in type: some SyntaxProtocol) -> Bool {
    guard !names.isEmpty else { return false }
    return type.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
  }

  /// An optional of a type, with parentheses for function types and existentials.
  static func optional(_ type: String) -> String { "(\(type))?" }
}
