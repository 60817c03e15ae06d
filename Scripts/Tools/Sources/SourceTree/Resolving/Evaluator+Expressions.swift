// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

extension Evaluator {
  /// The possible values of an expression.
  package func values(of expression: Expression, in context: Context, depth: Int = 0) -> [Value] {
    guard depth < 24 else { return [] }
    switch expression {
    case .name(let name): return values(ofName: name, in: context, depth: depth + 1)
    case .member(let base, let name):
      if let type = type(named: expression, in: context) { return [type] }
      if name == "init" { return values(of: base, in: context, depth: depth + 1) }
      return values(of: base, in: context, depth: depth + 1).flatMap { member(name, of: $0, depth: depth + 1) }
    case .type(let name): return index.resolve(name, in: context.scope)
    case .call(let callee, let arguments):
      return values(ofCall: callee, arguments, in: context, depth: depth + 1)
    case .closure(let results):
      return [.function(results.flatMap { values(of: $0, in: context, depth: depth + 1) })]
    case .tuple(let elements):
      return [
        .tuple(
          elements.map { Value.Element(label: $0.label, values: values(of: $0.value, in: context, depth: depth + 1)) })
      ]
    case .any(let parts): return parts.flatMap { values(of: $0, in: context, depth: depth + 1) }.uniqued()
    case .cast(let expression, let type):
      return (values(of: expression, in: context, depth: depth + 1) + index.resolve(type, in: context.scope)).uniqued()
    case .other: return []
    }
  }

  func values(ofName name: String, in context: Context, depth: Int) -> [Value] {
    if ["self", "super", "Self", "strongSelf", "weakSelf"].contains(name), let type = context.selfType {
      return [.type(type, [])]
    }
    let bindings = context.function.bindings.filter { $0.name == name }
    let question = Question.name(file: context.scope.file, line: context.function.line, name)
    // The second name in `let child = child.build()` refers to something else.
    if !bindings.isEmpty, active.insert(question).inserted {
      defer { active.remove(question) }
      let bound = bindings.flatMap { binding in
        (binding.type.map { index.resolve($0, in: context.scope) } ?? [])
          + (binding.value.map { values(of: $0, in: context, depth: depth + 1) } ?? [])
      }
      return (bound + assigned(to: [.name(name)], in: [context], depth: depth + 1)).uniqued()
    }
    if let parameter = context.function.parameters.first(where: { $0.name == name }) {
      return index.resolve(parameter.type, in: context.scope)
    }
    if let type = context.selfType {
      let found = member(name, of: .type(type, []), depth: depth + 1)
      if !found.isEmpty { return found }
    }
    if let type = type(named: .name(name), in: context) { return [type] }
    return (globals[name] ?? []).flatMap { global in
      (global.binding.type.map { index.resolve($0, in: global.context.scope) } ?? [])
        + (global.binding.value.map { values(of: $0, in: global.context, depth: depth + 1) } ?? [])
    }
  }

  /// The values assigned to targets in some bodies.
  func assigned(to targets: [Expression], in contexts: [Context], depth: Int) -> [Value] {
    contexts.flatMap { context in
      context.function.flows.flatMap { flow -> [Value] in
        guard case .assigned(let target) = flow.sink, targets.contains(target) else { return [] }
        return values(of: flow.source, in: context, depth: depth + 1)
      }
    }
  }

  func values(
    ofCall callee: Expression, _ arguments: [Expression.Argument], in context: Context, depth: Int
  ) -> [Value] {
    if let type = type(named: callee, in: context) { return [type] }
    let found = values(ofPlainCall: callee, arguments, in: context, depth: depth)
    // `resolver.resolve(HomeBuildable.self)`
    if found.isEmpty, case .member(let type, "self")? = arguments.first?.value, !type.lastName.hasSuffix("Routing") {
      return values(of: type, in: context, depth: depth + 1)
    }
    return found
  }

  func values(
    ofPlainCall callee: Expression, _ arguments: [Expression.Argument], in context: Context, depth: Int
  ) -> [Value] {
    switch callee {
    case .closure(let results): return results.flatMap { values(of: $0, in: context, depth: depth + 1) }
    case .member(let base, "init"): return values(of: base, in: context, depth: depth + 1)
    // `interactor.connect(to: HomeRouter(interactor: interactor), listener: listener)` returns the router.
    case .member(_, "connect") where arguments.map(\.label) == ["to", "listener"]:
      return values(of: arguments[0].value, in: context, depth: depth + 1)
    case .member(let base, let name):
      let bases = narrowed(values(of: base, in: context, depth: depth + 1))
      let found = bases.flatMap { result(of: name, on: $0, arguments, in: context, depth: depth + 1) }.uniqued()
      if !found.isEmpty || !Evaluator.mappings.contains(name) { return found }
      return values(ofMapping: arguments, in: context, depth: depth + 1)
    case .name(let name):
      let isLocal =
        context.function.bindings.contains { $0.name == name }
        || context.function.parameters.contains { $0.name == name }
      if !isLocal, let type = context.selfType {
        let found = result(of: name, on: .type(type, []), arguments, in: context, depth: depth + 1)
        if !found.isEmpty { return found }
      }
      let called = values(ofName: name, in: context, depth: depth + 1).flatMap(Evaluator.called)
      if !called.isEmpty { return called }
      return (globalFunctions[name] ?? []).flatMap { returned(by: $0, owner: nil, depth: depth + 1) }
    default: return values(of: callee, in: context, depth: depth + 1).flatMap(Evaluator.called)
    }
  }

  /// The values without protocols to which others of them conform.
  func narrowed(_ values: [Value]) -> [Value] {
    if values.count < 2 { return values }
    let concrete = values.compactMap(\.declared).filter { index.types[$0].kind != .protocol }
    return values.filter { value in
      guard let id = value.declared, index.types[id].kind == .protocol else { return true }
      return !concrete.contains { index.lineage(of: $0).contains(id) }
    }
  }

  static func called(_ value: Value) -> [Value] {
    switch value {
    case .function(let results): results
    case .any(let values): values.flatMap(called)
    default: []
    }
  }
}
