import Foundation
import SourceModel
import SwiftSyntax

/// Finds protocols by name in the package and in the module RIBs.
final class ProtocolLibrary {
  private let workspace: Workspace
  /// The protocols and type aliases of the package.
  private lazy var package: [String: [Declaration]] = {
    let paths = Set(["protocol ", "typealias "].flatMap { workspace.paths(mentioning: $0) })
    let all = paths.sorted().compactMap { try? workspace.source(at: $0) }.flatMap(\.declarations)
    return Dictionary(grouping: all.filter { $0.kind == .protocol || $0.kind == .typealias }, by: \.name)
  }()
  /// The protocols of the module RIBs.
  private lazy var runtime: [String: Declaration] = {
    let folder = TemplateLibrary.builtIn.deletingLastPathComponent().appending(path: "Sources/RIBs")
    var found: [String: Declaration] = [:]
    for path in FileFinder.swiftFiles(below: folder) {
      let file = folder.appending(path: path)
      guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("public protocol ") else {
        continue
      }
      for declaration in SourceFile(path: path, text: text).declarations where declaration.kind == .protocol {
        found[declaration.name] = declaration
      }
    }
    return found
  }()

  init(workspace: Workspace) { self.workspace = workspace }

  /// Resolves a name from a declaration to a protocol or a type alias.
  ///
  /// The nearest declaration takes precedence: in the same namespace and file, the same target, one of its
  /// dependencies, one of theirs, RIBs, and elsewhere in the package. Without a package, the nearest folder takes precedence.
  func find(_ name: String, from declaration: Declaration) -> Declaration? {
    let all = package[name] ?? []
    guard let package = workspace.package, let target = package.target(of: declaration.file.path) else {
      return nested(in: declaration, all) ?? nearest(to: declaration, all) ?? runtime[name]
    }
    func isIn(_ targets: [String]) -> (Declaration) -> Bool {
      { targets.contains(package.target(of: $0.file.path)?.name ?? "") }
    }
    let own = all.filter(isIn([target.name]))
    let indirect = package.dependencies(of: target).map(\.name)
    return nested(in: declaration, own) ?? nearest(to: declaration, own)
      ?? nearest(to: declaration, all.filter(isIn(target.dependencies)))
      ?? nearest(to: declaration, all.filter(isIn(indirect))) ?? runtime[name] ?? nearest(to: declaration, all)
  }

  /// A type declared inside a declaration, or next to it in the same file.
  private func nested(in declaration: Declaration, _ found: [Declaration]) -> Declaration? {
    found.first { $0.namespace == declaration.namespace + [declaration.name] }
      ?? found.first { $0.namespace == declaration.namespace && $0.file.path == declaration.file.path }
  }

  /// The declaration whose file shares the most folders.
  private func nearest(to declaration: Declaration, _ found: [Declaration]) -> Declaration? {
    let folders = declaration.file.path.split(separator: "/").dropLast()
    func common(_ other: Declaration) -> Int {
      zip(folders, other.file.path.split(separator: "/").dropLast()).prefix { $0 == $1 }.count
    }
    let most = found.map(common).max()
    return found.first { common($0) == most }
  }

  /// Whether the protocol with a name is class-bound.
  func isClassBound(_ name: String, from declaration: Declaration) -> Bool {
    var visited: Set<String> = []
    return isClassBound(name, from: declaration, &visited)
  }

  /// - Parameter visited: the protocols looked at; those that inherit each other are errors, but must not hang this.
  private func isClassBound(_ name: String, from declaration: Declaration, _ visited: inout Set<String>) -> Bool {
    guard let found = find(name, from: declaration), found.kind == .protocol, visited.insert(found.place).inserted
    else { return false }
    for inherited in found.inherited {
      if inherited == "AnyObject" || isClassBound(inherited, from: found, &visited) { return true }
    }
    return false
  }

  /// Whether a type is a function type, directly or through an alias.
  func isFunction(_ type: TypeSyntax, from declaration: Declaration) -> Bool {
    if type.is(FunctionTypeSyntax.self) { return true }
    if let type = type.as(AttributedTypeSyntax.self) { return isFunction(type.baseType, from: declaration) }
    if let type = type.as(TupleTypeSyntax.self), type.elements.count == 1, let only = type.elements.first {
      return isFunction(only.type, from: declaration)
    }
    guard let type = type.as(IdentifierTypeSyntax.self), let found = find(type.name.text, from: declaration),
      let alias = found.node.as(TypeAliasDeclSyntax.self)
    else { return false }
    return isFunction(alias.initializer.value, from: found)
  }
}
