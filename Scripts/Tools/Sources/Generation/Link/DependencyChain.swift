// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// A property or function that a protocol of dependencies requires.
struct DependencyRequirement: Hashable {
  let name: String
  /// The type of a property; empty for a function.
  let type: String
  let declaration: String
}

/// The way on which ancestors hand down what a child needs and its parent does not have.
///
/// The protocols of the dependencies on the way inherit from a protocol of their own for the child, and the components
/// on the way forward its properties.
struct DependencyChain {
  /// The protocols of dependencies to extend, from the parent's upwards.
  private(set) var protocols: [Declaration] = []
  /// The members of the components of ancestors that forward a requirement, by component.
  private(set) var forwarded: [(component: Declaration, requirements: [DependencyRequirement])] = []

  /// What is handed down.
  let requirements: [DependencyRequirement]
  private let read: DependencyReader

  /// Follows the dependencies from the parent's upwards.
  ///
  /// - Parameter dependency: the protocol of the parent's dependency.
  /// - Returns: nil if an ancestor would have to provide a requirement and does not have it.
  init?(of requirements: [DependencyRequirement], from dependency: Declaration, in workspace: Workspace) {
    self.requirements = requirements
    read = DependencyReader(workspace: workspace)
    guard requirements.allSatisfy({ !$0.type.isEmpty }), (try? extend(dependency)) == true else { return nil }
  }

  /// Adds a dependency and what all types that provide it need.
  private mutating func extend(_ dependency: Declaration) throws -> Bool {
    if protocols.contains(where: { $0.name == dependency.name }) { return true }
    guard dependency.kind == .protocol, !dependency.inherited.isEmpty else { return false }
    protocols.append(dependency)
    let providers = read.declarations(mentioning: dependency.name) { $0.inherited.contains(dependency.name) }
    guard !providers.isEmpty else { return false }
    for name in Set(providers.map(\.name)).sorted() {
      let pieces = read.pieces(of: name)
      guard !pieces.contains(where: { $0.kind == .protocol }) else { return false }
      let missing = requirements.filter { !read.provided(by: pieces).contains($0.name) }
      if missing.isEmpty { continue }
      guard try forward(missing, by: pieces) else { return false }
    }
    return true
  }

  /// Adds a component that forwards requirements from its own dependency.
  private mutating func forward(_ missing: [DependencyRequirement], by pieces: [Declaration]) throws -> Bool {
    guard let component = pieces.first(where: { $0.kind == .class }), component.superclass?.name == "Component",
      let argument = component.superclass?.arguments.first,
      !read.hides(missing, in: pieces), !forwarded.contains(where: { $0.component.name == component.name }),
      let dependency = read.only(.protocol, Declaration.baseName(of: argument))
    else { return false }
    forwarded.append((component, missing))
    let known = Set(try read.requirements(of: dependency))
    return try missing.allSatisfy(known.contains) || extend(dependency)
  }
}

/// Reads what protocols of dependencies require, and what components provide.
struct DependencyReader {
  let workspace: Workspace

  /// The names of the runtime and the language, which require and provide nothing here.
  private static let runtime: Set<String> = [
    "AnyObject", "Component", "Dependency", "EmptyComponent", "EmptyDependency", "Sendable", "class",
  ]

  func declarations(mentioning name: String, _ fits: (Declaration) -> Bool) -> [Declaration] {
    workspace.declarations(mentioning: name).filter(fits)
  }

  /// A type and its extensions.
  func pieces(of name: String) -> [Declaration] {
    declarations(mentioning: name) { $0.name == name && $0.kind != .typealias }
  }

  /// The only declaration of a kind with a name.
  func only(_ kind: Declaration.Kind, _ name: String) -> Declaration? {
    let found = declarations(mentioning: name) { $0.name == name && $0.kind == kind }
    return found.count == 1 ? found.first : nil
  }

  /// The type alias with a name, such as one of a composition of protocols.
  func alias(_ name: String) -> Declaration? {
    declarations(mentioning: name) { $0.kind == .typealias && $0.name == name }.first
  }

  /// The names of the members that can implement a requirement, those of extensions of protocols included.
  func provided(by pieces: [Declaration]) -> Set<String> {
    var provided = Set(
      pieces.flatMap(\.variables).filter { !DependencyReader.isPrivate($0.modifiers) }.compactMap(\.firstName))
    provided.formUnion(
      pieces.flatMap(\.functions).filter { !DependencyReader.isPrivate($0.modifiers) }.map(\.name.text))
    return provided.union(providedByProtocols(pieces.flatMap(\.inherited)))
  }

  /// Whether a type has private members with the names of requirements.
  func hides(_ requirements: [DependencyRequirement], in pieces: [Declaration]) -> Bool {
    requirements.contains { hidden($0.name, in: pieces) != nil }
  }

  /// The private property with a name.
  func hidden(_ name: String, in pieces: [Declaration]) -> (VariableDeclSyntax, SourceFile)? {
    for piece in pieces {
      if let variable = piece.variable(named: name), DependencyReader.isPrivate(variable.modifiers) {
        return (variable, piece.file)
      }
    }
    return nil
  }

  static func isPrivate(_ modifiers: DeclModifierListSyntax) -> Bool {
    // That of a setter alone, as in 'private(set)', does not matter.
    modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
  }

  /// The properties that extensions of protocols provide, as those of dependencies that a component forwards.
  ///
  /// - Parameter names: the protocols that the component conforms to; those that they inherit from count too.
  private func providedByProtocols(_ names: [String]) -> Set<String> {
    var names = names
    var seen: Set<String> = []
    var provided: Set<String> = []
    while let name = names.popLast() {
      // Nearly every file mentions those of the runtime.
      guard !DependencyReader.runtime.contains(name), seen.insert(name).inserted else { continue }
      let declarations = declarations(mentioning: name) { $0.name == name }
      guard let declared = declarations.first(where: { $0.kind == .protocol }) else { continue }
      names += declared.inherited
      for declaration in declarations where declaration.node.as(ExtensionDeclSyntax.self)?.genericWhereClause == nil {
        if declaration.kind == .extension { provided.formUnion(declaration.variables.compactMap(\.firstName)) }
      }
    }
    return provided
  }

  /// The protocols that a dependency inherits from, or that its type alias combines.
  private func protocols(of dependency: Declaration) -> [String] {
    guard let alias = dependency.node.as(TypeAliasDeclSyntax.self) else { return dependency.inherited }
    let value = alias.initializer.value
    let type = value.as(SomeOrAnyTypeSyntax.self)?.constraint ?? value
    guard let composition = type.as(CompositionTypeSyntax.self) else { return [Declaration.baseName(of: type)] }
    return composition.elements.map { Declaration.baseName(of: $0.type) }
  }

  /// What a protocol of dependencies requires, inherited requirements first.
  func requirements(of dependency: Declaration, below: [String] = []) throws -> [DependencyRequirement] {
    var all: [DependencyRequirement] = []
    for name in protocols(of: dependency) where !DependencyReader.runtime.contains(name) && !below.contains(name) {
      guard let found = declarations(mentioning: name, { $0.kind == .protocol && $0.name == name }).first ?? alias(name)
      else {
        throw Failure.refused(
          "'\(dependency.name)' (\(dependency.place)) inherits from '\(name)', which is not declared here")
      }
      all += try requirements(of: found, below: below + [dependency.name])
    }
    for member in dependency.members {
      if let function = member.as(FunctionDeclSyntax.self) {
        let declaration = function.trimmedDescription
        all.append(DependencyRequirement(name: function.name.text, type: "", declaration: declaration))
        continue
      }
      guard let variable = member.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
        let name = variable.firstName, let type = binding.typeAnnotation?.type
      else {
        throw Failure.refused(
          "'\(dependency.name)' asks for more than a property (\(dependency.file.place(of: member)))")
      }
      let declaration = "var \(name): \(type.trimmedDescription)"
      all.append(DependencyRequirement(name: name, type: type.trimmedDescription, declaration: declaration))
    }
    return all
  }
}
