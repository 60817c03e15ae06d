// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// Follows values through the bodies of a router to the place that attaches them.
final class AttachFlow {
  enum Fate: Int {
    /// The value is certainly not attached.
    case never
    /// The value flows to a place that can't be followed.
    case unknown
    case attached
  }

  private let index: TypeIndex
  private let router: Int
  /// All bodies of the router.
  let contexts: [Evaluator.Context]
  /// The variables, parameters and properties that values have flowed into.
  private(set) var reached: Set<String> = []
  private var active: Set<String> = []
  /// The properties, and whether other types can access them.
  private var properties: [String: Bool] = [:]

  init(_ router: Int, in evaluator: Evaluator) {
    self.router = router
    index = evaluator.index
    contexts = evaluator.ownBodies(of: router)
    for type in evaluator.index.ownLineage(of: router) {
      let declared = evaluator.index.types[type]
      for property in declared.parts.flatMap(\.facts.properties) { properties[property.name] = !property.isPrivate }
    }
  }

  /// The fate of a value.
  func fate(of sink: Flow.Sink, in context: Evaluator.Context) -> Fate {
    switch sink {
    case .dropped, .inspected: return .never
    case .result, .other: return .unknown
    case .variable(let name): return fate(ofVariable: name, in: context)
    case .assigned(.name(let name)):
      let isLocal =
        context.function.bindings.contains { $0.name == name }
        || context.function.parameters.contains { $0.name == name }
      if isLocal || properties[name] == nil { return fate(ofVariable: name, in: context) }
      return fate(ofProperty: name)
    case .assigned(let target):
      guard let name = target.ownProperty else { return .unknown }
      return fate(ofProperty: name)
    case .argument(let callee, let label, let position):
      return fate(ofArgument: callee, label: label, position: position, in: context)
    }
  }

  private func fate(ofVariable name: String, in context: Evaluator.Context) -> Fate {
    let key = "\(context.scope.file):\(context.function.line):\(name)"
    reached.insert(key)
    return once(key) {
      var best = Fate.never
      for flow in context.function.flows where isSame(flow.source, .name(name)) {
        best = max(best, fate(of: flow.sink, in: context))
      }
      if context.function.flows.contains(where: { asksToAttach($0.source, .name(name)) }) { best = max(best, .unknown) }
      return best
    }
  }

  private func fate(ofProperty name: String) -> Fate {
    reached.insert(name)
    return once(name) {
      var best = Fate.never
      var isUsed = false
      for context in contexts {
        let isHidden =
          context.function.bindings.contains { $0.name == name }
          || context.function.parameters.contains { $0.name == name }
        for flow in context.function.flows {
          let isMeant =
            isSame(flow.source, .member(.name("self"), name)) || (!isHidden && isSame(flow.source, .name(name)))
          guard isMeant else { continue }
          isUsed = true
          best = max(best, fate(of: flow.sink, in: context))
        }
        let isAsking = context.function.flows.contains {
          asksToAttach($0.source, .member(.name("self"), name)) || (!isHidden && asksToAttach($0.source, .name(name)))
        }
        if isAsking { best = max(best, .unknown) }
      }
      // Another type may attach it.
      return !isUsed && properties[name] == true ? .unknown : best
    }
  }

  private func fate(
    ofArgument callee: Expression, label: String?, position: Int, in context: Evaluator.Context
  ) -> Fate {
    let name = callee.lastName
    if name == "attachChild" { return .attached }
    let isOwn = callee == .name(name) || callee.ownProperty == name || callee == .member(.name("super"), name)
    if isOwn {
      let methods = contexts.filter { $0.function.name == name }
      if !methods.isEmpty {
        var best = Fate.never
        for method in methods {
          let parameters = method.function.parameters
          let parameter =
            label == nil
            ? parameters.indices.contains(position) ? parameters[position] : parameters.last
            : parameters.first { $0.label == label }
          guard let parameter else { continue }
          best = max(best, fate(ofVariable: parameter.name, in: method))
        }
        return best
      }
    }
    let lower = name.lowercased()
    if ["detach", "deattach", "unattach", "dismiss"].contains(where: lower.contains) { return .never }
    if lower.contains("attach") { return .attached }
    // Only routers attach. What a view gets, it shows.
    if case .member(let base, _) = callee, Self.views.contains(base.lastName) { return .never }
    if ["print", "debugPrint", "assert", "precondition", "withExtendedLifetime", "type"].contains(name) {
      return .never
    }
    return .unknown
  }

  private static let views: Set<String> = ["viewController", "viewControllable", "view", "presenter"]

  /// Whether an expression is a value, or the router in the result of a builder.
  private func isSame(_ expression: Expression, _ value: Expression) -> Bool {
    if expression == value { return true }
    switch expression {
    case .member(let base, let name): return ["router", "routing", "rib", "0"].contains(name) && isSame(base, value)
    case .cast(let base, _): return isSame(base, value)
    // A closure or an autoclosure that builds the value.
    case .call(let callee, let arguments): return arguments.isEmpty && callee == value
    default: return false
    }
  }

  /// Whether a method of a value is called to attach it, or gets the router, to which the value may attach itself.
  private func asksToAttach(_ expression: Expression, _ value: Expression) -> Bool {
    guard case .call(.member(let base, let name), _) = expression, isSame(base, value) else { return false }
    return name.lowercased().contains("attach") || name == "launch" || AttachFlow.passesRouter(expression)
  }

  /// Whether a call has the router itself among its arguments.
  static func passesRouter(_ expression: Expression) -> Bool {
    switch expression {
    case .call(let callee, let arguments):
      arguments.contains { $0.value.withoutCasts == .name("self") } || passesRouter(callee)
    case .member(let base, _): passesRouter(base)
    default: false
    }
  }

  /// Runs a closure unless it is already running for the key.
  private func once(_ key: String, _ body: () -> Fate) -> Fate {
    guard active.insert(key).inserted else { return .never }
    defer { active.remove(key) }
    return body()
  }

  /// Whether an attached value has been followed to an expression.
  func isReached(_ expression: Expression, in context: Evaluator.Context) -> Bool {
    switch expression {
    case .name(let name):
      return reached.contains("\(context.scope.file):\(context.function.line):\(name)") || reached.contains(name)
    case .member(.name("self"), let name): return reached.contains(name)
    case .member(let base, _), .cast(let base, _): return isReached(base, in: context)
    case .call(let callee, let arguments): return arguments.isEmpty && isReached(callee, in: context)
    default: return false
    }
  }

  private func max(_ one: Fate, _ other: Fate) -> Fate { one.rawValue < other.rawValue ? other : one }
}
