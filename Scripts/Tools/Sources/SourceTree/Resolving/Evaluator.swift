// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// Resolves expressions to values by the types of names, members and results.
package final class Evaluator {
  /// The context of an expression.
  package struct Context {
    package let function: FunctionFacts
    package let scope: TypeIndex.Scope
    /// The type of `self`.
    package let selfType: Int?
  }

  /// A call that creates an object of a type.
  struct Construction {
    let arguments: [Expression.Argument]
    let context: Context
  }

  package let index: TypeIndex
  var constructions: [Int: [Construction]] = [:]
  /// Variables outside of types.
  private(set) var globals: [String: [(binding: FunctionFacts.Binding, context: Context)]] = [:]
  private(set) var globalFunctions: [String: [Context]] = [:]
  /// Assignments to properties of other objects, by property name.
  private(set) var assignments: [String: [(owner: Expression, source: Expression, context: Context)]] = [:]
  /// The evaluations in progress, to stop recursion.
  var active: Set<Question> = []
  var known: [Question: [Value]] = [:]

  enum Question: Hashable {
    case property(Int, String)
    case function(owner: Int, file: Int, line: Int, as: Int?)
    case name(file: Int, line: Int, String)
  }

  var builders: [Int: Bool] = [:]

  package init(_ index: TypeIndex) {
    self.index = index
    for context in contexts { collectConstructions(in: context) }
    for (file, facts) in index.files.enumerated() {
      for function in facts.functions {
        let context = Context(
          function: function, scope: TypeIndex.Scope(file: file, path: [], generics: function.generics), selfType: nil)
        if function.name == "init" {
          for binding in function.bindings { globals[binding.name, default: []].append((binding, context)) }
        } else {
          globalFunctions[function.name, default: []].append(context)
        }
      }
    }
  }

  /// The calls that create objects of some types, with their arguments.
  package func constructions(
    of isMeant: (Int) -> Bool
  ) -> [(type: Int, arguments: [Expression.Argument], context: Context)] {
    constructions.keys.sorted().filter(isMeant).flatMap { type in
      (constructions[type] ?? []).map { (type, $0.arguments, $0.context) }
    }
  }

  /// Whether objects of a type are created outside of the type itself and some other types.
  package func isConstructed(_ type: Int, outside types: [Int]) -> Bool {
    (constructions[type] ?? []).contains { construction in
      construction.context.selfType.map { $0 != type && !types.contains($0) } ?? true
    }
  }

  /// All bodies, each with its enclosing type.
  package var contexts: [Context] {
    var found: [Context] = []
    for type in index.types { found += ownContexts(of: type.id, as: type.id) }
    for (file, facts) in index.files.enumerated() {
      for function in facts.functions {
        found.append(
          Context(
            function: function, scope: TypeIndex.Scope(file: file, path: [], generics: function.generics),
            selfType: nil))
      }
    }
    return found
  }

  /// The bodies of a type, as inherited by another type.
  package func ownContexts(of type: Int, as selfType: Int) -> [Context] {
    index.types[type].parts.flatMap { part in
      part.facts.functions.map { function in
        Context(function: function, scope: index.scope(of: part, generics: function.generics), selfType: selfType)
      }
    }
  }

  /// The bodies of a type and of its supertypes, without those of the runtime and the defaults of protocols that the type
  /// or a superclass implements.
  package func ownBodies(of type: Int) -> [Context] {
    let lineage = index.ownLineage(of: type)
    var implemented: Set<[String?]> = []
    for owner in lineage where index.types[owner].kind != .protocol {
      implemented.formUnion(index.types[owner].parts.flatMap(\.facts.functions).map(Self.signature))
    }
    return lineage.flatMap { owner -> [Context] in
      let bodies = ownContexts(of: owner, as: type)
      guard index.types[owner].kind == .protocol else { return bodies }
      return bodies.filter { !implemented.contains(Self.signature($0.function)) }
    }
  }

  /// The name of a function and the labels of its parameters.
  private static func signature(_ function: FunctionFacts) -> [String?] {
    [function.name] + function.parameters.map(\.label)
  }

  func collectConstructions(in context: Context) {
    for flow in context.function.flows {
      if case .assigned(.member(let owner, let name)) = flow.sink, owner != .name("self"), name != "router" {
        assignments[name, default: []].append((owner, flow.source, context))
      }
      var expression = flow.source
      while true {
        switch expression {
        case .call(let callee, let arguments):
          if let id = constructed(callee, in: context) {
            collect(arguments, of: id, in: context)
          }
          expression = callee
        case .member(let base, _): expression = base
        case .cast(let base, _): expression = base
        default:
          expression = .other
        }
        if expression == .other { break }
      }
    }
  }

  /// Records the arguments of an initializer call, and of `.init(…)` calls among them.
  func collect(_ arguments: [Expression.Argument], of type: Int, in context: Context) {
    constructions[type, default: []].append(Construction(arguments: arguments, context: context))
    for argument in arguments {
      guard case .call(.member(.other, "init"), let inner) = argument.value else { continue }
      for part in index.types[type].parts {
        let scope = index.scope(of: part)
        let parameter = part.facts.functions.filter { $0.name == "init" }.flatMap(\.parameters)
          .first { $0.label == argument.label }
        let property = part.facts.properties.first { $0.name == argument.label }
        guard let name = parameter?.type ?? property?.type else { continue }
        for case .type(let id, _) in index.resolve(name, in: scope) { collect(inner, of: id, in: context) }
      }
    }
  }

  /// The type whose initializer is called.
  func constructed(_ callee: Expression, in context: Context) -> Int? {
    if case .member(let base, "init") = callee {
      if base == .name("super"), let type = context.selfType {
        return index.parents(of: type).first { index.types[$0].kind == .class }
      }
      return constructed(base, in: context)
    }
    return type(named: callee, in: context)?.declared
  }

  /// The type that an expression names.
  func type(named expression: Expression, in context: Context) -> Value? {
    if case .type(let name) = expression { return index.resolve(name, in: context.scope).first }
    guard let path = expression.path, let first = path.last?.first, first.isUppercase || path == ["Self"] else {
      return nil
    }
    if path == ["Self"] { return context.selfType.map { .type($0, []) } }
    guard index.declared(path, in: context.scope) != nil || context.scope.generics[path[0]] != nil else {
      return path.dropLast().allSatisfy { $0.first?.isUppercase ?? false } ? .external(path.last ?? "", []) : nil
    }
    return index.resolve(.named(path, []), in: context.scope).first
  }
}
