// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// Gives each member of a mock a unique name, the base of its counter and handler names.
struct MockNames {
  private var taken: Set<String> = []
  private let overloaded: Set<String>
  private let reserved: Set<String>

  /// What a mock appends to the name of a member.
  private static let endings = ["CallCount", "Arguments", "Handler", "SetCallCount", "SetArguments"]

  /// - Parameters:
  ///   - names: the names of all functions, including duplicates for overloads.
  ///   - reserved: the names of all members and parameters, which a derived name must not be.
  init(_ names: [String], reserved: Set<String> = []) {
    self.reserved = reserved
    let names = names.map(MockNames.plain)
    overloaded = Set(names.filter { name in names.count { $0 == name } > 1 })
  }

  /// The unique name of a member: its own name, extended by parameter labels, parameter types or a number in case of
  /// a conflict.
  mutating func name(_ base: String, parameters: FunctionParameterListSyntax = []) -> String {
    let base = MockNames.plain(base)
    let labels = parameters.map { MockNames.capital(($0.firstName.text == "_" ? $0.secondName : $0.firstName)?.text) }
    let types = parameters.map { MockNames.capital($0.type.trimmedDescription) }
    let longer = [base + labels.joined(), base + zip(labels, types).map { $0 + $1 }.joined()]
    let candidates = overloaded.contains(base) && !parameters.isEmpty ? longer : [base] + longer
    let more = (2...).lazy.map { "\(base)\($0)" }
    func isFree(_ name: String) -> Bool {
      !taken.contains(name) && MockNames.endings.allSatisfy { !reserved.contains(name + $0) }
    }
    let free = candidates.first(where: isFree) ?? more.first(where: isFree) ?? base
    taken.insert(free)
    return free
  }

  private static func capital(_ text: String?) -> String {
    let word = (text ?? "").filter { $0.isLetter || $0.isNumber }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  /// A name without backticks; for an operator, the names of its characters.
  private static func plain(_ name: String) -> String {
    let bare = name.filter { $0 != "`" }
    guard let first = bare.unicodeScalars.first, !first.properties.isXIDStart, first != "_" else { return bare }
    return "operator" + bare.unicodeScalars.map { signs[$0] ?? "U" + String($0.value, radix: 16) }.joined()
  }

  private static let signs: [Unicode.Scalar: String] = [
    "=": "Equal", "<": "Less", ">": "Greater", "+": "Plus", "-": "Minus", "*": "Times", "/": "Slash", "!": "Not",
    "&": "And", "|": "Or", "^": "Caret", "%": "Percent", "~": "Tilde", "?": "Question", ".": "Dot",
  ]
}
