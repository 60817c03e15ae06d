// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// The replacements for the names of a RIB.
struct RenameMap {
  /// The names of the RIB's types.
  private(set) var types: [String: String] = [:]
  /// The names of functions that are derived from the RIB's name, and of what mocks derive from them.
  private(set) var functions: [String: String] = [:]
  /// The names of properties, parameters and constants that are derived from the RIB's name.
  private(set) var properties: [String: String] = [:]
  /// All of these.
  var words: [String: String] {
    types.merging(functions) { first, _ in first }.merging(properties) { first, _ in first }
  }
  /// Classes that hold a child by its bare name, as routers do: `order`.
  private(set) var holders: Set<String> = []

  private let old: RIBName
  private let new: RIBName

  init(from old: RIBName, to new: RIBName, files: OwnFiles, in workspace: Workspace) {
    self.old = old
    self.new = new
    let names = files.names
    let others = RIBParts.names(in: workspace, mentioning: old.text).filter { $0.hasPrefix(old.text) && $0 != old.text }
    let sources = workspace.sources(mentioning: old.text)
    for file in sources {
      for declaration in file.declarations where declaration.kind != .extension {
        let isOthers = others.contains { declaration.name.hasPrefix($0) }
        let isInside = files.owns(file.path) && Self.isWord(declaration.name, after: old.text)
        if names.ownsType(declaration.name) || (isInside && !isOthers) { addType(declaration.name) }
        addMembers(of: declaration, names)
      }
      for token in file.syntax.tokens(viewMode: .sourceAccurate) {
        if case .identifier(let name) = token.tokenKind, names.ownsProperty(name), Self.declares(token) {
          addProperty(name)
        }
      }
    }
  }

  /// Whether a name is that of a declaration, and not a use of what may be declared elsewhere.
  private static func declares(_ token: TokenSyntax) -> Bool {
    guard let parent = token.parent else { return false }
    return !parent.is(DeclReferenceExprSyntax.self) && !parent.is(LabeledExprSyntax.self)
      && !parent.is(ClosureCaptureSyntax.self)
  }

  /// Whether a prefix of a name is followed by another word.
  private static func isWord(_ name: String, after prefix: String) -> Bool {
    name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isLowercase == false
  }

  private mutating func addType(_ name: String) {
    types[name] =
      name.hasPrefix(old.text) ? new.text + name.dropFirst(old.text.count) : name.dropLast(old.text.count) + new.text
  }

  private mutating func addProperty(_ name: String) {
    properties[name] = new.lowerCamel + name.dropFirst(old.lowerCamel.count)
  }

  private mutating func addMembers(of declaration: Declaration, _ names: RoleNames) {
    // Listener callbacks: orderDidEnd.
    if declaration.name == old.text + "Listener" {
      for function in declaration.functions where Self.isWord(function.name.text, after: old.lowerCamel) {
        addCounted(function.name.text, new.lowerCamel + function.name.text.dropFirst(old.lowerCamel.count))
      }
    }
    // Types that hold its builder route to it: routeToOrder, detachOrder.
    let isRouting = ["Routing", "RoutingDouble", "RoutingMock"].contains { declaration.name.hasSuffix($0) }
    let holds = declaration.variable(named: old.lowerCamel + "Builder") != nil
    guard isRouting || holds else { return }
    if holds { holders.insert(declaration.name) }
    for function in declaration.functions {
      let name = function.name.text
      let verb = name.dropLast(old.text.count)
      let routes = holds || ["routeTo", "attach", "detach"].contains(verb)
      if name.hasSuffix(old.text), !verb.isEmpty, routes { addCounted(name, verb + new.text) }
    }
  }

  /// Adds a method, and the names that mocks derive from it.
  private mutating func addCounted(_ name: String, _ renamed: String) {
    functions[name] = renamed
    for ending in ["CallCount", "Handler", "Arguments", "History"] { functions[name + ending] = renamed + ending }
  }
}
