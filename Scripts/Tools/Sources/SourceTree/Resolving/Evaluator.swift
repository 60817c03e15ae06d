import SourceModel

/// Finds out what expressions are, by the types of names, members and results.
package final class Evaluator {
  /// Where an expression stands.
  package struct Context {
    package let function: FunctionFacts
    package let scope: TypeIndex.Scope
    /// The type of `self`.
    package let selfType: Int?
  }

  /// Where an object of a type is made.
  struct Construction {
    let arguments: [Expression.Argument]
    let context: Context
  }

  package let index: TypeIndex
  var constructions: [Int: [Construction]] = [:]
  /// Variables outside all types.
  private var globals: [String: [(binding: FunctionFacts.Binding, context: Context)]] = [:]
  private var globalFunctions: [String: [Context]] = [:]
  /// What is being looked for, so that nothing is looked for inside itself.
  private var active: Set<Question> = []
  private var known: [Question: [Value]] = [:]

  private enum Question: Hashable {
    case property(Int, String)
    case function(owner: Int, file: Int, line: Int, as: Int?)
    case name(file: Int, line: Int, String)
  }

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

  /// Where objects of some types are made, and with what.
  package func constructions(
    of isMeant: (Int) -> Bool
  ) -> [(type: Int, arguments: [Expression.Argument], context: Context)] {
    constructions.keys.sorted().filter(isMeant).flatMap { type in
      (constructions[type] ?? []).map { (type, $0.arguments, $0.context) }
    }
  }

  /// Whether objects of a type are made anywhere but in itself and in some types.
  package func isConstructed(_ type: Int, outside types: [Int]) -> Bool {
    (constructions[type] ?? []).contains { construction in
      construction.context.selfType.map { $0 != type && !types.contains($0) } ?? true
    }
  }

  /// All bodies, each with the type it stands in.
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

  /// The bodies of a type, seen from one that inherits them.
  package func ownContexts(of type: Int, as selfType: Int) -> [Context] {
    index.types[type].parts.flatMap { part in
      part.facts.functions.map { function in
        Context(function: function, scope: index.scope(of: part, generics: function.generics), selfType: selfType)
      }
    }
  }

  private func collectConstructions(in context: Context) {
    for flow in context.function.flows {
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

  /// Notes what an initializer is given, and so that of `.init(…)` in what it is given.
  private func collect(_ arguments: [Expression.Argument], of type: Int, in context: Context) {
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
  private func constructed(_ callee: Expression, in context: Context) -> Int? {
    if case .member(let base, "init") = callee {
      if base == .name("super"), let type = context.selfType {
        return index.parents(of: type).first { index.types[$0].kind == .class }
      }
      return constructed(base, in: context)
    }
    return type(named: callee, in: context)?.declared
  }

  /// The type that an expression names.
  private func type(named expression: Expression, in context: Context) -> Value? {
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

  // MARK: Expressions

  /// What an expression may be.
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

  private func values(ofName name: String, in context: Context, depth: Int) -> [Value] {
    if ["self", "super", "Self", "strongSelf", "weakSelf"].contains(name), let type = context.selfType {
      return [.type(type, [])]
    }
    let bindings = context.function.bindings.filter { $0.name == name }
    let question = Question.name(file: context.scope.file, line: context.function.line, name)
    // In `let child = child.build()` the second name is that of something else.
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

  /// What is assigned in some bodies.
  private func assigned(to targets: [Expression], in contexts: [Context], depth: Int) -> [Value] {
    contexts.flatMap { context in
      context.function.flows.flatMap { flow -> [Value] in
        guard case .assigned(let target) = flow.sink, targets.contains(target) else { return [] }
        return values(of: flow.source, in: context, depth: depth + 1)
      }
    }
  }

  private func values(
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

  private func values(
    ofPlainCall callee: Expression, _ arguments: [Expression.Argument], in context: Context, depth: Int
  ) -> [Value] {
    switch callee {
    case .closure(let results): return results.flatMap { values(of: $0, in: context, depth: depth + 1) }
    case .member(let base, "init"): return values(of: base, in: context, depth: depth + 1)
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

  /// The values without the protocols that others of them conform to.
  private func narrowed(_ values: [Value]) -> [Value] {
    if values.count < 2 { return values }
    let concrete = values.compactMap(\.declared).filter { index.types[$0].kind != .protocol }
    return values.filter { value in
      guard let id = value.declared, index.types[id].kind == .protocol else { return true }
      return !concrete.contains { index.lineage(of: $0).contains(id) }
    }
  }

  private static func called(_ value: Value) -> [Value] {
    switch value {
    case .function(let results): results
    case .any(let values): values.flatMap(called)
    default: []
    }
  }

  // MARK: Members

  private static let transparent: Set<String> = [
    "first", "last", "value", "wrappedValue", "projectedValue", "values", "some", "type", "lazy", "unsafelyUnwrapped",
  ]

  /// What a member of a value may be.
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

  private static func flat(_ value: Value) -> [Value] {
    if case .any(let values) = value { values } else { [value] }
  }

  /// What a property may hold: what it says, what it begins with, and what initializers are called with.
  private func values(
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
    }
    found = found.uniqued()
    // Found half-way through something else, it may be less than all.
    if active.count == 1 { known[question] = found }
    return found
  }

  /// What the initializers of a type are given for a property.
  private func arguments(for property: String, of type: Int, depth: Int) -> [Value] {
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
      + index.descendants(of: type).filter { heir in
        // Those that have no initializer of their own have that of this one.
        !ownContexts(of: heir, as: heir).contains { $0.function.name == "init" && !$0.function.parameters.isEmpty }
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

  // MARK: Calls

  private static let sameElements: Set<String> = [
    "filter", "first", "last", "sorted", "reversed", "shuffled", "prefix", "suffix", "dropFirst", "dropLast",
    "randomElement", "popLast", "removeLast", "removeFirst", "get", "unwrap", "share",
  ]

  /// What a method returns.
  private func result(
    of name: String, on value: Value, _ arguments: [Expression.Argument], in context: Context?, depth: Int
  ) -> [Value] {
    guard depth < 24 else { return [] }
    switch value {
    case .type(let id, let generics):
      if Evaluator.isBuilding(name), isBuilder(id) { return [.built(value)] }
      let functions = index.functions(name, of: id)
      if !functions.isEmpty {
        let found = functions.flatMap { function in
          returned(
            by: Context(
              function: function.facts, scope: index.scope(of: function.part, generics: function.facts.generics),
              selfType: id), owner: function.owner, depth: depth + 1)
        }.uniqued()
        if found.isEmpty, Evaluator.isBuilding(name), !generics.isEmpty { return generics.flatMap(Evaluator.flat) }
        // What a protocol promises without saying what it is, its conforming types know.
        guard index.types[id].kind == .protocol, !found.contains(where: isTelling) else { return found }
        let conforming = index.descendants(of: id).filter {
          index.types[$0].kind != .protocol && !index.types[$0].isTestDouble
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

  private static let mappings: Set<String> = ["map", "flatMap", "compactMap"]

  /// What a closure or a function returns that elements are mapped with.
  private func values(ofMapping arguments: [Expression.Argument], in context: Context, depth: Int) -> [Value] {
    guard let argument = arguments.last else { return [] }
    return values(of: argument.value, in: context, depth: depth).flatMap(Evaluator.called)
  }

  /// What methods of collections and optionals return.
  private func elements(
    of name: String, on value: Value, _ arguments: [Expression.Argument], in context: Context?, depth: Int
  ) -> [Value] {
    if Evaluator.sameElements.contains(name) { return [value] }
    guard let context, let argument = arguments.last else { return [] }
    guard Evaluator.mappings.contains(name) else { return [] }
    if case .member(.other, let property) = argument.value { return member(property, of: value, depth: depth + 1) }
    return values(ofMapping: arguments, in: context, depth: depth + 1)
  }

  /// What a function returns: what it says, and what its body says beyond that.
  private func returned(by context: Context, owner: Int?, depth: Int) -> [Value] {
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

  /// Whether a value says of itself which RIB it is of.
  private func isTelling(_ value: Value) -> Bool {
    switch value {
    case .type(let id, _): index.types[id].kind == .class || BuilderNames.isRouting(index.types[id].name)
    case .external, .function: false
    case .tuple(let elements): elements.contains { $0.values.contains(where: isTelling) }
    case .built: true
    case .any(let values): values.contains(where: isTelling)
    }
  }

  /// Whether a method makes RIBs, by its name.
  package static func isBuilding(_ name: String) -> Bool {
    ["build", "finalStage", "make", "create", "construct"].contains { name.hasPrefix($0) }
  }

  private var builders: [Int: Bool] = [:]

  /// Whether a type is a builder of RIBs: a subclass of one of the runtime's, or what conforms to `Buildable`.
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

extension Array where Element: Hashable {
  /// The elements, each once, in the order of their first places.
  func uniqued() -> [Element] {
    if count < 2 { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
