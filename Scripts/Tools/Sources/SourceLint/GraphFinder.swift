// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree

/// Finds violations that involve several types.
struct GraphFinder {
  private let builder: GraphBuilder
  private let catalog: RIBCatalog
  private let evaluator: Evaluator
  private let index: TypeIndex

  init(_ builder: GraphBuilder) {
    self.builder = builder
    catalog = builder.catalog
    evaluator = builder.evaluator
    index = builder.index
  }

  /// The violations.
  func findings() -> [Finding] {
    let mentioned = mentionedMembers()
    var found = catalog.entries.indices.flatMap { rib -> [Finding] in
      guard let router = catalog.entries[rib].router, !index.isTestDouble(router) else { return [] }
      return attachingWithoutDetaching(router, of: rib, mentioned: mentioned)
        + unusedBuilders(of: router, mentioned: mentioned)
    }
    found += unattachedChildren()
    found += orphans()
    found += missingConformances()
    found += cycles()
    found += SavingFinder(index).findings()
    return found
  }

  // MARK: Attaching

  private func attachingWithoutDetaching(_ router: Int, of rib: Int, mentioned: Set<String>) -> [Finding] {
    // Classes outside the sources can't be inspected.
    guard hasKnownAncestors(router) else { return [] }
    let bodies = bodies(of: router)
    let detaches = bodies.contains { body in
      body.function.flows.contains { flow in
        detaching(flow.source)
          || { if case .argument(let callee, _, _) = flow.sink { detachingName(callee) } else { false } }()
      }
    }
    if detaches { return [] }
    let onlyOnce = methodsCalledOnce(in: bodies, asked: interactorCalls(of: rib), mentioned: mentioned)
    for body in bodies where !onlyOnce.contains(body.function.name) && !isGuarded(body, in: router) {
      let places = body.function.flows.filter { flow in
        if case .argument(let callee, _, _) = flow.sink { callee.lastName == "attachChild" } else { false }
      }
      guard let place = places.first else { continue }
      return [
        Finding(
          rule: .attachWithoutDetach, path: index.files[body.scope.file].path, line: place.line,
          message: "'\(index.types[router].name)' attaches a child in '\(body.function.name)' and never detaches one; "
            + "write a method that does, or attach it in 'didLoad' if it is to stay")
      ]
    }
    return []
  }

  /// All bodies of a router, including inherited ones but excluding the runtime's.
  private func bodies(of router: Int) -> [Evaluator.Context] {
    evaluator.ownBodies(of: router)
  }

  private func hasKnownAncestors(_ router: Int) -> Bool {
    index.ownLineage(of: router).filter { index.types[$0].kind == .class }.allSatisfy { type in
      index.inherited(by: type).allSatisfy { value in
        if case .external(let name, _) = value {
          return !name.hasSuffix("Router") || BuilderNames.isBaseRouter(name)
        }
        return true
      }
    }
  }

  private func detaching(_ expression: Expression) -> Bool {
    switch expression {
    case .call(let callee, _): detachingName(callee) || detaching(callee)
    // Passed as a function.
    case .member(let base, let name): name == "detachChild" || detaching(base)
    case .cast(let base, _): detaching(base)
    case .name(let name): name == "detachChild"
    default: false
    }
  }

  private func detachingName(_ callee: Expression) -> Bool {
    let name = callee.lastName.lowercased()
    if name.contains("detach") { return true }
    // A method of a base class or an extension that removes a child under another name.
    let isOwn = callee.path?.count == 1 || callee.ownProperty != nil
    return isOwn && ["pop", "dismiss", "remove", "close", "replace", "leave"].contains { name.contains($0) }
  }

  /// Whether a body checks a property of the router before storing a child in it, so that it attaches at most one.
  private func isGuarded(_ body: Evaluator.Context, in router: Int) -> Bool {
    let properties = Set(index.types[router].parts.flatMap(\.facts.properties).filter(\.isStored).map(\.name))
    var (kept, asked): (Set<String>, Set<String>) = ([], [])
    for flow in body.function.flows {
      if case .assigned(let target) = flow.sink, let name = target.ownProperty ?? target.path?.first {
        kept.insert(name)
      }
      if case .inspected = flow.sink { flow.source.collectNames(into: &asked) }
    }
    return !properties.intersection(kept).intersection(asked).isEmpty
  }

  /// The router methods that the interactor of a RIB calls, each with the methods that call it.
  private func interactorCalls(of rib: Int) -> [String: Set<String>] {
    guard let interactor = builder.part("Interactor", of: rib) else { return [:] }
    return callers(in: evaluator.ownContexts(of: interactor, as: interactor))
  }

  /// The functions called or passed in some bodies, each with the methods that do so.
  private func callers(in bodies: [Evaluator.Context]) -> [String: Set<String>] {
    var callers: [String: Set<String>] = [:]
    for body in bodies {
      for flow in body.function.flows {
        for name in flow.source.calledNames { callers[name, default: []].insert(body.function.name) }
      }
    }
    return callers
  }

  /// The interactor methods that run once per activation: `didBecomeActive`, and methods only it calls.
  private func methodsOfActivation(_ calls: [String: Set<String>]) -> Set<String> {
    var once: Set<String> = ["didBecomeActive"]
    while let next = calls.first(where: { !once.contains($0.key) && $0.value.isSubset(of: once) })?.key {
      once.insert(next)
    }
    return once
  }

  /// The methods that run once per activation of a RIB: `didLoad`, initializers, and methods called only by them or
  /// by the interactor when it becomes active.
  ///
  /// - Parameters:
  ///   - calls: the router methods that the interactor calls, each with the methods that call it.
  ///   - mentioned: the names of members accessed on other objects.
  private func methodsCalledOnce(
    in bodies: [Evaluator.Context], asked calls: [String: Set<String>], mentioned: Set<String>
  ) -> Set<String> {
    let callers = callers(in: bodies)
    let activation = methodsOfActivation(calls)
    var once: Set<String> = ["didLoad", "init"]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for body in bodies where !once.contains(body.function.name) {
        let name = body.function.name
        // A method that only the router calls runs as often as its callers, private or not.
        let isOwn = body.function.isPrivate || (callers[name] != nil && !mentioned.contains(name))
        let isAskedOnce = calls[name]?.isSubset(of: activation) ?? isOwn
        let isCalledOnce = callers[name]?.isSubset(of: once) ?? !body.function.isPrivate
        guard isAskedOnce, isCalledOnce else { continue }
        once.insert(name)
        isGrowing = true
      }
    }
    return once
  }

  private func unattachedChildren() -> [Finding] {
    builder.unattached.map { child in
      Finding(
        rule: .buildWithoutAttach, path: child.path, line: child.line,
        message: "'\(child.router)' builds \(child.child) and does not attach it; call 'attachChild' with what is built"
      )
    }
  }

  // MARK: Builders

  /// The names of members accessed on objects other than `self`.
  private func mentionedMembers() -> Set<String> {
    var names: Set<String> = []
    for context in evaluator.contexts {
      for flow in context.function.flows { flow.source.collectForeignMembers(into: &names) }
    }
    return names
  }

  private func unusedBuilders(of router: Int, mentioned: Set<String>) -> [Finding] {
    let bodies = bodies(of: router)
    let subtypes = index.descendants(of: router).flatMap { evaluator.ownContexts(of: $0, as: $0) }
    var used: Set<String> = []
    for body in bodies + subtypes {
      for flow in body.function.flows {
        // Storing a parameter of the same name in the property is not a use of the property.
        if case .name(let name) = flow.source, body.function.parameters.contains(where: { $0.name == name }) {
          continue
        }
        flow.source.collectNames(into: &used)
      }
    }
    return index.types[router].parts.flatMap { part in
      part.facts.properties.compactMap { property -> Finding? in
        guard property.isStored, !used.contains(property.name), let type = property.type,
          property.isPrivate || !mentioned.contains(property.name), isBuilder(type, in: part)
        else { return nil }
        return Finding(
          rule: .unusedChildBuilder, path: index.files[part.file].path, line: property.line,
          message: "'\(index.types[router].name)' never uses '\(property.name)'; attach the child, or take it out")
      }
    }
  }

  private func isBuilder(_ type: TypeName, in part: TypeIndex.Part) -> Bool {
    index.resolve(type, in: index.scope(of: part)).contains { value in
      switch value {
      case .type(let id, _): evaluator.isBuilder(id)
      case .external(let name, _): name.hasSuffix("Buildable")
      default: false
      }
    }
  }

  // MARK: RIBs

  private func orphans() -> [Finding] {
    // If nothing is built in a module, the code that builds its RIBs is not among the sources.
    let inhabited = Set(builder.built.compactMap { catalog.mainType(of: $0) }.map(home))
    return catalog.entries.indices.compactMap { rib in
      guard let main = catalog.mainType(of: rib), inhabited.contains(home(of: main)), !builder.built.contains(rib),
        !builder.isLaunched(rib), expectsParent(rib)
      else { return nil }
      let parts = [catalog.entries[rib].router, catalog.entries[rib].builder].compactMap { $0 }
      guard !parts.contains(where: { index.types[$0].facts.isPublic }), !isMade(rib) else { return nil }
      let type = index.types[main]
      return Finding(
        rule: .orphanRIB, path: index.files[type.file].path, line: type.line,
        message: "no parent builds \(catalog.entries[rib].name); link it to a parent, or remove it")
    }
  }

  /// The module of a type, or its outermost folder.
  private func home(of type: Int) -> String {
    let file = index.files[index.types[type].file]
    return file.module.isEmpty ? file.path.split(separator: "/").first.map(String.init) ?? "" : file.module
  }

  /// Whether a RIB has a listener, which only a parent can be.
  private func expectsParent(_ rib: Int) -> Bool {
    guard let listener = builder.part("Listener", of: rib), let main = catalog.mainType(of: rib) else { return false }
    return home(of: listener) == home(of: main)
  }

  /// Whether the builder of a RIB is created somewhere, or its router is created elsewhere than in the builder.
  private func isMade(_ rib: Int) -> Bool {
    let entry = catalog.entries[rib]
    if let builder = entry.builder, evaluator.isConstructed(builder, outside: [builder]) { return true }
    guard let router = entry.router else { return false }
    return evaluator.isConstructed(router, outside: [entry.builder].compactMap { $0 })
  }

  private func missingConformances() -> [Finding] {
    evaluator.constructions(of: { evaluator.isBuilder($0) }).compactMap { type, arguments, context in
      guard let argument = arguments.first(where: { $0.label == "dependency" }),
        let dependency = dependency(of: type)
      else { return nil }
      let given = evaluator.values(of: argument.value, in: context)
      guard given.count == 1, case .type(let component, _)? = given.first,
        index.types[component].kind == .class, isWhollyKnown(component),
        !index.lineage(of: component).contains(dependency)
      else { return nil }
      let name = index.types[dependency].name
      return Finding(
        rule: .missingComponentConformance, path: index.files[context.scope.file].path, line: context.function.line,
        message: "'\(index.types[component].name)' is the dependency of a '\(index.types[type].name)' and does not "
          + "conform to '\(name)'; write 'extension \(index.types[component].name): \(name) {}' and what it asks for")
    }
  }

  /// The protocol that a builder requires of its dependency.
  private func dependency(of builder: Int) -> Int? {
    for value in index.inherited(by: builder) {
      let isBase: Bool
      switch value {
      case .type(let id, _): isBase = index.isRuntime(id)
      case .external(let name, _): isBase = BuilderNames.isBase(name)
      default: isBase = false
      }
      guard isBase, case .any(let first)? = value.arguments.first, first.count == 1, let id = first.first?.declared,
        index.types[id].kind == .protocol
      else { continue }
      return id
    }
    return nil
  }

  /// Whether all superclasses and protocols of a class are known.
  private func isWhollyKnown(_ type: Int) -> Bool {
    index.lineage(of: type).allSatisfy { ancestor in
      index.inherited(by: ancestor).allSatisfy { value in
        guard case .external(let name, _) = value else { return true }
        return ["Component", "Dependency", "AnyObject", "EmptyDependency", "Sendable"].contains(name)
      }
    }
  }

  // MARK: Circles

  private func cycles() -> [Finding] {
    let graph = builder.graph()
    let children = graph.children([.tree])
    return Circles.find(children.map { $0.map(\.child) }).compactMap { circle in
      let steps = zip(circle, circle.dropFirst() + [circle[0]])
      let edges = steps.compactMap { parent, child in children[parent].first { $0.child == child } }
      guard let first = edges.first else { return nil }
      // A RIB that attaches another of its own kind on request, such as a reply to a reply, is finite.
      if circle.count == 1, !isAttachedOnLoading(at: first) { return nil }
      let names = (circle + [circle[0]]).map { graph.nodes[$0].title }
      return Finding(
        rule: .cycle, path: first.path, line: first.line,
        message: "\(names.joined(separator: " attaches "))")
    }
  }

  private func isAttachedOnLoading(at edge: RIBGraph.Edge) -> Bool {
    evaluator.contexts.contains { context in
      context.function.name == "didLoad" && index.files[context.scope.file].path == edge.path
        && context.function.flows.contains { $0.line == edge.line }
    }
  }
}
