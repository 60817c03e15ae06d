// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
    let suppressed = MockText.suppressed(around: parameter)
    let parameter = parameter.with(\.trailingComma, nil)
    let outer = parameter.firstName.text
    let isUnnamed = (parameter.secondName ?? parameter.firstName).text == "_"
    name = isUnnamed ? "argument\(index + 1)" : MockParameter.name(parameter.secondName ?? parameter.firstName, index)
    let typeText = MockText.resolved(parameter.type, mock: mock)
    let ellipsis = parameter.ellipsis == nil ? "" : "..."
    let attributes = parameter.attributes.isEmpty ? "" : parameter.attributes.trimmedDescription + " "
    declaration =
      attributes
      + ([outer, "`\(outer)`"].contains(name) && !(isOfSubscript && parameter.secondName != nil)
        ? outer : "\(outer) \(name)")
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
    let isMoved = specifiers.contains("borrowing") || specifiers.contains("consuming")
    let isCopyable = library.isStorable(base, besides: suppressed)

    if isPack || !isEscaping || !isCopyable {
      keptType = nil
    } else {
      keptType = isErased ? "Any" : plain
    }
    // A borrowed or consumed parameter needs an explicit copy.
    kept = isErased ? "\(name) as Any" : isMoved ? "copy \(name)" : name
    let isMovedOn = !isCopyable && isMoved && !isErased
    if isPack || (isErased && (isInout || !isEscaping || !isCopyable)) {
      handedType = nil
    } else if isErased {
      handedType = "Any"
    } else {
      let mark = isFunction && isEscaping ? "@escaping " : ""
      let ownership = isMovedOn ? specifiers.joined(separator: " ") + " " : ""
      handedType = (isInout ? "inout " : ownership) + mark + plain
    }
    handed = isErased ? "\(name) as Any" : isInout ? "&\(name)" : isCopyable ? kept : name
  }

  /// The name of a parameter inside the function, where keywords need backticks.
  private static func name(_ token: TokenSyntax, _ index: Int) -> String {
    let name = token.text
    if ["self", "Self", "init", "super", "Type", "Protocol"].contains(name) { return "argument\(index + 1)" }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// Keywords that may be labels, and are no expressions.
  private static let keywords: Set<String> = [
    "Any", "any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "switch", "throw", "throws", "true", "try", "typealias",
    "var", "where", "while",
  ]
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

  /// The generic types of the function around a node that need not be copyable or escapable.
  static func suppressed(around node: some SyntaxProtocol) -> Set<String> {
    var names: Set<String> = []
    var current: Syntax? = Syntax(node)
    while let node = current {
      let clause = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
      for parameter in clause?.parameters ?? [] where parameter.inheritedType?.trimmedDescription.contains("~") == true
      {
        names.insert(parameter.name.text)
      }
      current = node.parent
    }
    return names
  }

  /// An optional of a type, with parentheses for function types and existentials.
  static func optional(_ type: String) -> String { "(\(type))?" }

  /// The conditions under which code is compiled, outermost first.
  static func conditions(around node: some SyntaxProtocol) -> [String] {
    var conditions: [String] = []
    var current = node.parent
    while let node = current {
      if let clause = node.as(IfConfigClauseSyntax.self), let list = clause.parent?.as(IfConfigClauseListSyntax.self) {
        let earlier = list.prefix { $0.id != clause.id }.compactMap(\.condition)
        var all = earlier.map { "!(\($0.trimmedDescription))" }
        if let own = clause.condition {
          all.append(all.isEmpty ? own.trimmedDescription : "(\(own.trimmedDescription))")
        }
        conditions = all + conditions
      }
      current = node.parent
    }
    return conditions.count == 1
      ? conditions : conditions.map { $0.hasPrefix("(") || $0.hasPrefix("!(") ? $0 : "(\($0))" }
  }

  /// The conditions in a protocol under which a requirement is compiled.
  static func conditions(around requirement: DeclSyntax, in owner: Declaration) -> [String] {
    Array(conditions(around: requirement).dropFirst(conditions(around: owner.node).count))
  }

  /// The imports of a conditional block, within its conditions; nil if it has none.
  static func imports(of block: IfConfigDeclSyntax) -> String? {
    let lines = block.clauses.flatMap { clause -> [String] in
      guard case .statements(let statements)? = clause.elements else { return [] }
      return statements.compactMap { $0.item.as(ImportDeclSyntax.self) }.flatMap { node in
        let conditions = conditions(around: node)
        return ["#if " + conditions.joined(separator: " && "), node.trimmedDescription, "#endif"]
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
