import Foundation
import SourceModel
import SwiftSyntax

/// The types of a RIB.
struct RIBParts {
  let name: String
  let builder: Declaration
  let router: Declaration
  let interactor: Declaration?
  let component: Declaration?
  /// Protocols of the RIB by name, such as `OrderListener`.
  private let protocols: [String: Declaration]

  var buildable: Declaration? { protocols[name + "Buildable"] }
  var routing: Declaration? { protocols[name + "Routing"] }
  var listener: Declaration? { protocols[name + "Listener"] }
  var dependency: Declaration? { protocols[name + "Dependency"] }

  /// Finds a RIB.
  ///
  /// - Throws: `Failure.missing` if there is none; `Failure.refused` if there are two, or if its code has a form that
  ///   edits do not support.
  static func find(_ name: String, in workspace: Workspace) throws -> RIBParts {
    let declarations = workspace.declarations(mentioning: name)
    func only(_ kind: Declaration.Kind, _ suffix: String) throws -> Declaration? {
      let found = declarations.filter { $0.kind == kind && $0.name == name + suffix && $0.namespace.isEmpty }
      if found.count > 1 {
        throw Failure.refused(
          "'\(name + suffix)' is declared more than once; --target says which is meant",
          advice: found.map { "in \($0.place)" })
      }
      return found.first
    }
    let builder = try only(.class, "Builder")
    let router = try only(.class, "Router")
    guard let builder, let router else {
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
    var protocols: [String: Declaration] = [:]
    for suffix in ["Buildable", "Routing", "Listener", "Dependency"] {
      protocols[name + suffix] = try only(.protocol, suffix)
    }
    return RIBParts(
      name: name, builder: builder, router: router, interactor: try only(.class, "Interactor"),
      component: try only(.class, "Component"), protocols: protocols)
  }

  /// Whether there is a RIB with a name.
  static func exists(_ name: String, in workspace: Workspace) -> Bool {
    names(in: workspace, mentioning: name).contains(name)
  }

  /// The names of the RIBs that have a builder and a router, sorted.
  ///
  /// - Parameter word: limits the search to files that contain this word. Defaults to all files with classes.
  static func names(in workspace: Workspace, mentioning word: String = "class") -> [String] {
    let classes = workspace.declarations(mentioning: word)
      .filter { $0.kind == .class && $0.namespace.isEmpty }.map(\.name)
    func named(_ suffix: String) -> Set<String> {
      Set(classes.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) })
    }
    return named("Builder").intersection(named("Router")).subtracting([""]).sorted()
  }

  private static func missing(_ name: String, in workspace: Workspace) -> Failure {
    let names = names(in: workspace)
    if let near = Suggestion.nearest(to: name, among: names) {
      return .missing("there is no RIB '\(name)' here; did you mean '\(near)'?")
    }
    let known = names.isEmpty ? "there are none at all" : "there are: \(names.joined(separator: ", "))"
    return .missing("there is no RIB '\(name)' in \(workspace.root.path); \(known)")
  }
}
