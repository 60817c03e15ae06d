// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// The types of a RIB that concern its parent. The RIB may have a plain router.
struct ChildParts {
  let name: String
  let builder: Declaration
  /// Protocols of the RIB by name, such as `OrderListener`.
  fileprivate let protocols: [String: Declaration]

  var buildable: Declaration? { protocols[name + "Buildable"] }
  var listener: Declaration? { protocols[name + "Listener"] }
  var dependency: Declaration? { protocols[name + "Dependency"] }

  /// Finds a RIB.
  ///
  /// - Throws: `Failure.missing` if there is none; `Failure.refused` if there are two, or if its code has a form that
  ///   edits do not support.
  static func find(_ name: String, in workspace: Workspace) throws -> ChildParts {
    guard let builder = try RIBParts.only(.class, name + "Builder", in: workspace) else {
      return try RIBParts.find(name, in: workspace).asChild
    }
    return ChildParts(name: name, builder: builder, protocols: try RIBParts.protocols(of: name, in: workspace))
  }
}

/// The types of a RIB.
struct RIBParts {
  let name: String
  let builder: Declaration
  let router: Declaration
  let interactor: Declaration?
  let component: Declaration?
  /// Protocols of the RIB by name, such as `OrderListener`.
  private let protocols: [String: Declaration]

  var routing: Declaration? { protocols[name + "Routing"] }
  var dependency: Declaration? { protocols[name + "Dependency"] }

  /// The types that concern its parent.
  var asChild: ChildParts { ChildParts(name: name, builder: builder, protocols: protocols) }

  /// Finds a RIB.
  ///
  /// - Throws: `Failure.missing` if there is none; `Failure.refused` if there are two, or if its code has a form that
  ///   edits do not support.
  static func find(_ name: String, in workspace: Workspace) throws -> RIBParts {
    func only(_ kind: Declaration.Kind, _ suffix: String) throws -> Declaration? {
      try Self.only(kind, name + suffix, in: workspace)
    }
    let builder = try only(.class, "Builder")
    let router = try only(.class, "Router")
    guard let builder, let router else {
      let declarations = workspace.declarations(mentioning: name)
      let space = declarations.first { $0.kind == .enum && $0.name == name && $0.namespace.isEmpty }
      if let space, declarations.contains(where: { $0.namespace == [name] && $0.name == "Builder" }) {
        throw Failure.refused(
          "the types of '\(name)' are nested in an enum (\(space.place)), which can be read and not edited")
      }
      if let found = builder ?? router {
        throw Failure.refused("'\(name)' has only a \(found.name) (\(found.place)), and needs a builder and a router")
      }
      throw missing(name, in: workspace)
    }
    return RIBParts(
      name: name, builder: builder, router: router, interactor: try only(.class, "Interactor"),
      component: try only(.class, "Component"), protocols: try protocols(of: name, in: workspace))
  }

  /// The only top-level declaration with a name; nil if there is none.
  fileprivate static func only(
    _ kind: Declaration.Kind, _ typeName: String, in workspace: Workspace
  ) throws -> Declaration? {
    let found = workspace.declarations(mentioning: typeName)
      .filter { $0.kind == kind && $0.name == typeName && $0.namespace.isEmpty }
    if found.count > 1 {
      throw Failure.refused(
        "'\(typeName)' is declared more than once; --target says which is meant",
        advice: found.map { "in \($0.place)" })
    }
    return found.first
  }

  fileprivate static func protocols(of name: String, in workspace: Workspace) throws -> [String: Declaration] {
    var protocols: [String: Declaration] = [:]
    for suffix in ["Buildable", "Routing", "Listener", "Dependency"] {
      protocols[name + suffix] = try only(.protocol, name + suffix, in: workspace)
    }
    return protocols
  }

  /// Whether there is a RIB with a name.
  static func exists(_ name: String, in workspace: Workspace) -> Bool {
    names(in: workspace, mentioning: name).contains(name)
  }

  /// The names of the RIBs that have a builder and a router, sorted.
  ///
  /// - Parameter word: limits the search to files that contain this word. Defaults to all files with classes.
  static func names(in workspace: Workspace, mentioning word: String = "class") -> [String] {
    names(
      ofClasses: workspace.declarations(mentioning: word).filter { $0.kind == .class && $0.namespace.isEmpty }.map(
        \.name))
  }

  private static func names(ofClasses classes: [String]) -> [String] {
    func named(_ suffix: String) -> Set<String> {
      Set(classes.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) })
    }
    return named("Builder").intersection(named("Router")).subtracting([""]).sorted()
  }

  private static func missing(_ name: String, in workspace: Workspace) -> Failure {
    // A RIB in a module or folder of its own may name its types only by their roles.
    let folder = "/" + name + "/"
    let bare = workspace.paths(mentioning: "Builder").filter { ("/" + $0).contains(folder) }
      .compactMap { try? workspace.source(at: $0) }.flatMap(\.declarations)
      .first { $0.kind == .class && $0.name == "Builder" && $0.namespace.isEmpty }
    if let bare {
      return .refused(
        "the types of '\(name)' are named by their roles only (\(bare.place)), which can be read and not edited")
    }
    // Texts suffice for a suggestion, and parsing all files takes long.
    let names = names(
      ofClasses: workspace.sourcePaths.flatMap { classNames(in: (try? workspace.data(at: $0)) ?? Data()) })
    if let near = Suggestion.nearest(to: name, among: names) {
      return .missing("there is no RIB '\(name)' here; did you mean '\(near)'?")
    }
    let known = names.isEmpty ? "there are none at all" : "there are: \(names.joined(separator: ", "))"
    return .missing("there is no RIB '\(name)' in \(workspace.root.path); \(known)")
  }

  /// The words after 'class' in a text.
  private static func classNames(in text: Data) -> [String] {
    let keyword = Array("class ".utf8)
    var names: [String] = []
    var rest = text[...]
    while let found = rest.firstRange(of: keyword) {
      rest = rest[found.upperBound...]
      let name = rest.prefix { byte in
        byte == UInt8(ascii: "_") || UInt8(ascii: "a") <= byte | 0x20 && byte | 0x20 <= UInt8(ascii: "z")
          || UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") || byte >= 0x80
      }
      if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
    }
    return names
  }
}
