// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Finds protocols by name in the package and in the module RIBs.
final class ProtocolLibrary {
  private let workspace: Workspace
  /// The protocols and type aliases of the package, of the names that were looked up.
  private var package: [String: [Declaration]] = [:]
  /// The protocols of the module RIBs, of the names that were looked up. Nil if it has none.
  private var runtime: [String: Declaration?] = [:]
  /// Whether a type can't be copied, of the names that were looked up.
  private var suppressed: [String: Bool] = [:]
  /// The files of the module RIBs.
  private lazy var runtimeFiles: [(path: String, data: Data)] = {
    let folder = TemplateLibrary.builtIn.deletingLastPathComponent().appending(path: "Sources/RIBs")
    return FileFinder.swiftFiles(below: folder).compactMap { path in
      FileManager.default.contents(atPath: folder.appending(path: path).path).map { (path, $0) }
    }
  }()

  init(workspace: Workspace) { self.workspace = workspace }

  /// Resolves a name from a declaration to a protocol or a type alias.
  ///
  /// The nearest declaration takes precedence: in the same namespace and file, the same target, one of its
  /// dependencies, one of theirs, RIBs, and elsewhere in the package. Without a package, the nearest folder takes precedence.
  func find(_ name: String, from declaration: Declaration) -> Declaration? {
    let all = inPackage(name)
    guard let package = workspace.package, let target = package.target(of: declaration.file.path) else {
      return nested(in: declaration, all) ?? nearest(to: declaration, all) ?? inRuntime(name)
    }
    func isIn(_ targets: [String]) -> (Declaration) -> Bool {
      { targets.contains(package.target(of: $0.file.path)?.name ?? "") }
    }
    let own = all.filter(isIn([target.name]))
    let indirect = package.dependencies(of: target).map(\.name)
    return nested(in: declaration, own) ?? nearest(to: declaration, own)
      ?? nearest(to: declaration, all.filter(isIn(target.dependencies)))
      ?? nearest(to: declaration, all.filter(isIn(indirect))) ?? inRuntime(name) ?? nearest(to: declaration, all)
  }

  private func inPackage(_ name: String) -> [Declaration] {
    if let found = package[name] { return found }
    let found = workspace.declarations(of: name, after: ["protocol", "typealias"])
    package[name] = found
    return found
  }

  private func inRuntime(_ name: String) -> Declaration? {
    if let found = runtime[name] { return found }
    let files = runtimeFiles.lazy.filter { $0.data.contains(name, after: ["protocol"]) }
    let declarations = files.flatMap { path, data in
      SourceFile(path: path, text: String(decoding: data, as: UTF8.self)).declarations
    }
    let found = declarations.first { $0.kind == .protocol && $0.name == name }
    runtime[name] = .some(found)
    return found
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

  /// Whether a declaration is one of the module RIBs.
  func isOfRuntime(_ declaration: Declaration) -> Bool {
    runtime.values.contains { $0.map { $0.file.path == declaration.file.path && $0.name == declaration.name } ?? false }
  }

  /// The types of the standard library that can't be copied, or can't leave a function.
  private static let confined: Set<String> = [
    "Span", "RawSpan", "MutableSpan", "MutableRawSpan", "OutputSpan", "OutputRawSpan", "UTF8Span", "Mutex", "Atomic",
  ]

  /// Whether values of a type can be stored.
  ///
  /// - Parameter generics: the generic types around it that need not be copyable or escapable.
  func isStorable(_ type: some SyntaxProtocol, besides generics: Set<String> = []) -> Bool {
    type.tokens(viewMode: .sourceAccurate).allSatisfy { token in
      guard case .identifier(let name) = token.tokenKind else { return true }
      return !Self.confined.contains(name) && !generics.contains(name) && !isSuppressed(name)
    }
  }

  /// Whether a function may return values of a type that can't be stored: they can't be copied, but may leave it.
  func isOwned(_ type: TypeSyntax) -> Bool {
    guard let name = type.as(IdentifierTypeSyntax.self)?.name.text, isSuppressed(name) else { return false }
    return workspace.declarations(of: name, after: ["struct", "enum"]).allSatisfy { found in
      found.inheritanceClause?.inheritedTypes.contains { $0.type.trimmedDescription.contains("Escapable") } != true
    }
  }

  /// Whether the package declares a type that can't be copied, or can't leave a function.
  private func isSuppressed(_ name: String) -> Bool {
    if let known = suppressed[name] { return known }
    let found = workspace.declarations(of: name, after: ["struct", "enum"]).contains { found in
      found.inheritanceClause?.inheritedTypes.contains { $0.type.is(SuppressedTypeSyntax.self) } ?? false
    }
    suppressed[name] = found
    return found
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
