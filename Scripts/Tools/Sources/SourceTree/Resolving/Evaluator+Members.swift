// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

extension Evaluator {
  static let transparent: Set<String> = [
    "first", "last", "value", "wrappedValue", "projectedValue", "values", "some", "type", "lazy", "unsafelyUnwrapped",
  ]

  /// The possible values of a member.
  func member(_ name: String, of value: Value, depth: Int) -> [Value] {
    guard depth < 24 else { return [] }
    switch value {
    case .type(let id, let arguments):
      if let property = index.property(name, of: id) {
        return values(of: property.facts, of: id, owner: property.owner, in: property.part, depth: depth + 1)
      }
      let functions = index.functions(name, of: id)
      if !functions.isEmpty {
        return [.function(result(of: name, on: value, [], in: nil, depth: depth + 1))]
      }
      if Evaluator.transparent.contains(name) { return arguments.isEmpty ? [value] : arguments.flatMap(Evaluator.flat) }
      return arguments.flatMap(Evaluator.flat).flatMap { member(name, of: $0, depth: depth + 1) }
    case .external(_, let arguments):
      if Evaluator.transparent.contains(name) { return arguments.isEmpty ? [value] : arguments.flatMap(Evaluator.flat) }
      return arguments.flatMap(Evaluator.flat).flatMap { member(name, of: $0, depth: depth + 1) }
    case .tuple(let elements):
      if let index = Int(name), elements.indices.contains(index) { return elements[index].values }
      if let element = elements.first(where: { $0.label == name }) { return element.values }
      return []
    case .built: return ["0", "router", "routing", "rib"].contains(name) ? [value] : []
    case .any(let values): return values.flatMap { member(name, of: $0, depth: depth + 1) }
    case .function: return []
    }
  }

  static func flat(_ value: Value) -> [Value] {
    if case .any(let values) = value { values } else { [value] }
  }

  /// The possible values of a property: from its type, its initial value and initializer arguments.
  func values(
    of property: PropertyFacts, of type: Int, owner: Int, in part: TypeIndex.Part, depth: Int
  ) -> [Value] {
    let question = Question.property(type, property.name)
    if let known = known[question] { return known }
    guard active.insert(question).inserted else { return [] }
    defer { active.remove(question) }
    let scope = index.scope(of: part)
    var found = property.type.map { index.resolve($0, in: scope) } ?? []
    if let value = property.value {
      let own = part.facts.functions.first { $0.line == property.line && $0.name == "init" }
      let context = Context(
        function: own ?? FunctionFacts(name: "init", line: property.line), scope: scope, selfType: type)
      found += values(of: value, in: context, depth: depth + 1)
    }
    if property.isStored {
      found += arguments(for: property.name, of: owner, depth: depth + 1)
      let bodies = ownContexts(of: owner, as: type).filter { body in
        body.function.name != "init" && !body.function.parameters.contains { $0.name == property.name }
      }
      found += assigned(
        to: [.member(.name("self"), property.name), .name(property.name)], in: bodies, depth: depth + 1)
      if !property.isPrivate, leadsToRIB(property.type) {
        found += assignedByOthers(to: property.name, of: owner, depth: depth + 1)
      }
    }
    found = found.uniqued()
    // A result found during another evaluation may be incomplete.
    if active.count == 1 { known[question] = found }
    return found
  }

  /// Whether a property of a type may hold a router or a builder.
  func leadsToRIB(_ type: TypeName?) -> Bool {
    guard let name = type?.lastName else { return false }
    return ["Routing", "Router", "Buildable", "Builder"].contains { name.hasSuffix($0) }
  }

  /// The values that other types assign to a property: `router.container = containerBuilder.build()`.
  func assignedByOthers(to property: String, of type: Int, depth: Int) -> [Value] {
    (assignments[property] ?? []).flatMap { assignment -> [Value] in
      let owners = values(of: assignment.owner, in: assignment.context, depth: depth).compactMap(\.declared)
      let isMeant = owners.contains { index.lineage(of: $0).contains(type) || index.lineage(of: type).contains($0) }
      return isMeant ? values(of: assignment.source, in: assignment.context, depth: depth) : []
    }
  }

  /// The arguments passed to the initializers of a type for a property.
  func arguments(for property: String, of type: Int, depth: Int) -> [Value] {
    guard depth < 20 else { return [] }
    let initializers = ownContexts(of: type, as: type).filter { $0.function.name == "init" }
    var labels: [(label: String?, position: Int)] = []
    for initializer in initializers {
      for flow in initializer.function.flows {
        guard case .assigned(let target) = flow.sink, case .name(let name) = flow.source,
          target == .member(.name("self"), property) || target == .name(property),
          let position = initializer.function.parameters.firstIndex(where: { $0.name == name })
        else { continue }
        labels.append((initializer.function.parameters[position].label, position))
      }
    }
    if labels.isEmpty && index.types[type].kind == .struct { labels.append((property, 0)) }
    let types =
      [type]
      + index.descendants(of: type).filter { subtype in
        // Subclasses without their own initializer inherit this one.
        !ownContexts(of: subtype, as: subtype).contains {
          $0.function.name == "init" && !$0.function.parameters.isEmpty
        }
      }
    return types.flatMap { constructions[$0] ?? [] }.flatMap { construction in
      labels.flatMap { label, position -> [Value] in
        let argument =
          label == nil
          ? construction.arguments.indices.contains(position) ? construction.arguments[position] : nil
          : construction.arguments.first { $0.label == label }
        return argument.map { values(of: $0.value, in: construction.context, depth: depth + 1) } ?? []
      }
    }.uniqued()
  }
}
