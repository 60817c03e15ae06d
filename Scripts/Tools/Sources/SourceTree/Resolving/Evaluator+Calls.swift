// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

extension Evaluator {
  static let sameElements: Set<String> = [
    "filter", "first", "last", "sorted", "reversed", "shuffled", "prefix", "suffix", "dropFirst", "dropLast",
    "randomElement", "popLast", "removeLast", "removeFirst", "get", "unwrap", "share",
  ]

  /// The possible results of a method.
  func result(
    of name: String, on value: Value, _ arguments: [Expression.Argument], in context: Context?, depth: Int
  ) -> [Value] {
    guard depth < 24 else { return [] }
    switch value {
    case .type(let id, let generics):
      if Evaluator.isBuilding(name), isBuilder(id) {
        let helped = name == "build" ? [] : resultsOfHelper(name, of: id, depth: depth)
        return helped.isEmpty ? [.built(value)] : helped
      }
      let functions = index.functions(name, of: id)
      if !functions.isEmpty {
        let found = functions.flatMap { function in
          returned(
            by: Context(
              function: function.facts, scope: index.scope(of: function.part, generics: function.facts.generics),
              selfType: id), owner: function.owner, depth: depth + 1)
        }.uniqued()
        if found.isEmpty, Evaluator.isBuilding(name), !generics.isEmpty { return generics.flatMap(Evaluator.flat) }
        // If a protocol declares only an abstract result, the conforming types determine it.
        guard index.types[id].kind == .protocol, !found.contains(where: isTelling) else { return found }
        let conforming = index.descendants(of: id).filter {
          index.types[$0].kind != .protocol && !index.isTestDouble($0)
        }
        guard conforming.count <= 32 else { return found }
        return
          (found
          + conforming.flatMap { result(of: name, on: .type($0, []), arguments, in: context, depth: depth + 1) })
          .uniqued()
      }
      let held = member(name, of: value, depth: depth + 1).flatMap(Evaluator.called)
      if !held.isEmpty { return held }
      let ofElements = generics.flatMap(Evaluator.flat).flatMap {
        result(of: name, on: $0, arguments, in: context, depth: depth + 1)
      }
      return ofElements.isEmpty ? elements(of: name, on: value, arguments, in: context, depth: depth) : ofElements
    case .external(let type, let generics):
      if Evaluator.isBuilding(name), !generics.isEmpty, BuilderNames.isBase(type) || type.hasPrefix("Any") {
        return generics.flatMap(Evaluator.flat)
      }
      if Evaluator.isBuilding(name), BuilderNames.isBuilder(type) { return [.built(value)] }
      let ofElements = generics.flatMap(Evaluator.flat).flatMap {
        result(of: name, on: $0, arguments, in: context, depth: depth + 1)
      }
      return ofElements.isEmpty ? elements(of: name, on: value, arguments, in: context, depth: depth) : ofElements
    case .function(let results): return name == "callAsFunction" ? results : []
    case .any(let values):
      return values.flatMap { result(of: name, on: $0, arguments, in: context, depth: depth + 1) }
    case .tuple, .built: return elements(of: name, on: value, arguments, in: context, depth: depth)
    }
  }

  /// The results of a builder method that is named like one that builds, if they identify a RIB or a builder.
  private func resultsOfHelper(_ name: String, of builder: Int, depth: Int) -> [Value] {
    index.functions(name, of: builder).flatMap { function in
      let context = Context(
        function: function.facts, scope: index.scope(of: function.part, generics: function.facts.generics),
        selfType: builder)
      return returned(by: context, owner: function.owner, depth: depth + 1)
    }.filter { value in
      switch value {
      case .type(let id, _): isTelling(value) || isBuilder(id)
      case .external(let external, _): BuilderNames.isBuilder(external) || BuilderNames.isRouting(external)
      default: isTelling(value)
      }
    }.uniqued()
  }

  static let mappings: Set<String> = ["map", "flatMap", "compactMap"]

  /// The results of a closure or function that elements are mapped with.
  func values(ofMapping arguments: [Expression.Argument], in context: Context, depth: Int) -> [Value] {
    guard let argument = arguments.last else { return [] }
    return values(of: argument.value, in: context, depth: depth).flatMap(Evaluator.called)
  }

  /// The results of collection and optional methods.
  func elements(
    of name: String, on value: Value, _ arguments: [Expression.Argument], in context: Context?, depth: Int
  ) -> [Value] {
    if Evaluator.sameElements.contains(name) { return [value] }
    guard let context, let argument = arguments.last else { return [] }
    guard Evaluator.mappings.contains(name) else { return [] }
    if case .member(.other, let property) = argument.value { return member(property, of: value, depth: depth + 1) }
    return values(ofMapping: arguments, in: context, depth: depth + 1)
  }

  /// The results of a function: its declared type, and more specific types from its body.
  func returned(by context: Context, owner: Int?, depth: Int) -> [Value] {
    let question = Question.function(
      owner: owner ?? -1, file: context.scope.file, line: context.function.line, as: context.selfType)
    if let known = known[question] { return known }
    guard active.insert(question).inserted else { return [] }
    defer { active.remove(question) }
    let said = context.function.result.map { index.resolve($0, in: context.scope) } ?? []
    let found =
      (said + context.function.results.flatMap { values(of: $0, in: context, depth: depth + 1) }).uniqued()
    if active.count == 1 { known[question] = found }
    return found
  }

  /// Whether a value identifies its RIB.
  func isTelling(_ value: Value) -> Bool {
    switch value {
    case .type(let id, _): index.types[id].kind == .class || BuilderNames.isRouting(index.types[id].name)
    case .external, .function: false
    case .tuple(let elements): elements.contains { $0.values.contains(where: isTelling) }
    case .built: true
    case .any(let values): values.contains(where: isTelling)
    }
  }

  /// Whether a method creates RIBs, by its name.
  package static func isBuilding(_ name: String) -> Bool {
    ["build", "finalStage", "make", "create", "construct"].contains { name.hasPrefix($0) }
  }

  /// Whether a type is a RIB builder: a subclass of a builder of the runtime, or a type that conforms to `Buildable`.
  package func isBuilder(_ type: Int) -> Bool {
    if let known = builders[type] { return known }
    builders[type] = false
    let found = index.inherited(by: type).contains { value in
      switch value {
      case .type(let id, _):
        index.isRuntime(id) && BuilderNames.isBase(index.types[id].name) || isBuilder(id)
      case .external(let name, _): BuilderNames.isBase(name) || BuilderNames.isBuilder(name)
      default: false
      }
    }
    builders[type] = found
    return found
  }
}
