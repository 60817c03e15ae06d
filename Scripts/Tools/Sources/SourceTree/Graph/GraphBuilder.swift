// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// Builds the graph of the RIBs in some sources.
package final class GraphBuilder {
  /// A child that a router builds and does not attach.
  package struct UnattachedChild: Hashable, Sendable {
    package let path: String
    package let line: Int
    package let router: String
    package let child: String
  }

  package let catalog: RIBCatalog
  package let evaluator: Evaluator
  package let index: TypeIndex
  package private(set) var unattached: [UnattachedChild] = []
  /// The RIBs that routers build, or that are created outside of routers.
  package private(set) var built: Set<Int> = []
  private(set) var edges: [Key: Place] = [:]
  private(set) var gaps: [RIBGraph.Gap] = []

  struct Key: Hashable {
    let parent: Int
    let child: Int
    let kind: RIBGraph.EdgeKind
  }

  /// The location of an edge. The place that builds the child takes precedence over the place that requests it.
  struct Place: Comparable {
    let isIndirect: Bool
    let file: Int
    let line: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.isIndirect ? 1 : 0, one.file, one.line) < (other.isIndirect ? 1 : 0, other.file, other.line)
    }
  }

  package init(_ files: [FileFacts]) {
    index = TypeIndex(files)
    evaluator = Evaluator(index)
    catalog = RIBCatalog(evaluator)
    for rib in catalog.entries.indices { followRouter(of: rib) }
    followOthers()
    for rib in catalog.entries.indices { readParts(of: rib) }
  }

  // MARK: What routers attach

  private func followRouter(of rib: Int) {
    guard let router = catalog.entries[rib].router else { return }
    let flow = AttachFlow(router, in: evaluator)
    var attached: [(flow: Flow, context: Evaluator.Context)] = []
    for context in flow.contexts {
      for step in context.function.flows {
        if isAttaching(step.sink) { attached.append((step, context)) }
        let source = step.source.withoutCasts
        guard isCall(source) else { continue }
        let children = catalog.ribs(of: evaluator.values(of: source, in: context))
        if children.isEmpty { continue }
        var fate = flow.fate(of: step.sink, in: context)
        // A child that gets the router may attach itself.
        if fate == .never, AttachFlow.passesRouter(source) { fate = .unknown }
        for child in children where child != rib || fate == .attached {
          if fate == .attached || (fate == .unknown && !catalog.entries[child].isExternal) {
            add(rib, child, .tree, in: context, line: step.line, isIndirect: !isOfBuilder(source, in: context))
          } else if fate == .never, catalog.buildsRouter(child), isBuilding(source) {
            add(rib, child, .unattached, in: context, line: step.line)
            unattached.append(
              UnattachedChild(
                path: index.files[context.scope.file].path, line: step.line, router: index.types[router].name,
                child: catalog.entries[child].name))
          }
        }
      }
    }
    for (step, context) in attached where !isCallOfBuilder(step.source, in: context) {
      let children = catalog.ribs(of: evaluator.values(of: step.source, in: context))
      for child in children where child != rib {
        add(rib, child, .tree, in: context, line: step.line, isIndirect: true)
      }
      if children.isEmpty, !flow.isReached(step.source, in: context), !isForwarding(step, in: context, of: router) {
        gaps.append(
          RIBGraph.Gap(
            path: index.files[context.scope.file].path, line: step.line,
            message: "'\(index.types[router].name)' attaches what could not be resolved to a RIB"))
      }
    }
  }

  private func isAttaching(_ sink: Flow.Sink) -> Bool {
    if case .argument(let callee, _, _) = sink { callee.lastName == "attachChild" } else { false }
  }

  private func isCall(_ expression: Expression) -> Bool {
    switch expression {
    case .call: true
    case .member(let base, let name): ["router", "routing", "rib", "0"].contains(name) && isCall(base)
    default: false
    }
  }

  /// Whether a call invokes a builder or an initializer. Other functions may return existing objects.
  private func isBuilding(_ expression: Expression) -> Bool {
    switch expression {
    case .call(.member(let base, let name), _): base != .name("self") && Evaluator.isBuilding(name)
    case .call(let callee, _): callee.lastName.first?.isUppercase ?? false
    case .member(let base, _): isBuilding(base)
    default: false
    }
  }

  /// Whether a call invokes a builder itself, or an initializer.
  private func isOfBuilder(_ expression: Expression, in context: Evaluator.Context) -> Bool {
    switch expression {
    case .call(.member(let base, let name), _) where Evaluator.isBuilding(name):
      evaluator.values(of: base, in: context).contains { value in
        switch value {
        case .type(let id, _): evaluator.isBuilder(id)
        case .external(let name, _): BuilderNames.isBuilder(name)
        default: false
        }
      }
    case .call(let callee, _): callee.lastName.first?.isUppercase ?? false
    case .member(let base, _): isOfBuilder(base, in: context)
    default: false
    }
  }

  private func isCallOfBuilder(_ expression: Expression, in context: Evaluator.Context) -> Bool {
    isCall(expression) && !catalog.ribs(of: evaluator.values(of: expression, in: context)).isEmpty
  }

  /// Whether a body only forwards its parameter for callers to use: an override of `attachChild`, or a method of a
  /// base class.
  private func isForwarding(_ flow: Flow, in context: Evaluator.Context, of router: Int) -> Bool {
    guard case .name(let name) = flow.source else { return false }
    if name.contains("@") { return true }
    guard context.function.parameters.contains(where: { $0.name == name }) else { return false }
    return context.function.name == "attachChild" || context.scope.path != index.types[router].path
  }

  /// Follows attachments outside of routers: `router.attachChild(…)` in a builder or an interactor, and the values
  /// that kinds of a list are registered with.
  private func followOthers() {
    for context in evaluator.contexts {
      let isInRouter = context.selfType.map { catalog.isRouter($0) } ?? false
      for flow in context.function.flows {
        if !isInRouter, case .argument(.member(let base, "attachChild"), _, _) = flow.sink {
          let parents = catalog.ribs(of: evaluator.values(of: base, in: context))
          let children = catalog.ribs(of: evaluator.values(of: flow.source, in: context))
          for parent in parents {
            for child in children { add(parent, child, .tree, in: context, line: flow.line) }
          }
        }
        if case .call(.member(let base, "register"), let arguments) = flow.source {
          for value in evaluator.values(of: base, in: context) { register(arguments, value, in: context, flow.line) }
        }
        if !isInRouter { noteBuilt(flow.source, in: context) }
      }
    }
  }

  private func register(
    _ arguments: [Expression.Argument], _ kinds: Value, in context: Evaluator.Context, _ line: Int
  ) {
    let name: String
    switch kinds {
    case .type(let id, _): name = index.types[id].name
    case .external(let external, _): name = external
    default: return
    }
    guard name == "ChildKinds", let closure = arguments.last?.value else { return }
    let children = catalog.ribs(
      of: evaluator.values(of: closure, in: context).flatMap { value -> [Value] in
        if case .function(let results) = value { results } else { [] }
      })
    for parent in catalog.ribs(of: kinds.arguments) {
      for child in children { add(parent, child, .tree, in: context, line: line) }
    }
  }

  /// Records a RIB built outside of routers, such as the root in a program.
  private func noteBuilt(_ expression: Expression, in context: Evaluator.Context) {
    guard isCall(expression) else { return }
    for rib in catalog.ribs(of: evaluator.values(of: expression, in: context)) {
      let own = context.selfType.flatMap { catalog.rib(namedAfter: $0) }
      if own != rib { built.insert(rib) }
    }
  }

  // MARK: What components provide, and interactors listen to

  private func readParts(of rib: Int) {
    let providers = [part("Component", of: rib), catalog.entries[rib].builder ?? part("Builder", of: rib)]
    for type in providers.compactMap({ $0 }) { readProviding(type, of: rib) }
    for suffix in ["Interactable", "Interactor", "InteractableInternal"] {
      if let type = part(suffix, of: rib) { readConformances(type, "Listener", .listener, of: rib) }
    }
  }

  private func readProviding(_ type: Int, of rib: Int) {
    readConformances(type, "Dependency", .di, of: rib)
    for context in evaluator.ownContexts(of: type, as: type) {
      for flow in context.function.flows {
        guard case .call = flow.source else { continue }
        for case .type(let id, _) in evaluator.values(of: flow.source, in: context)
        where evaluator.isBuilder(id) && index.types[id].kind == .class {
          for child in catalog.ribs(ofBuilder: id) where child != rib {
            add(rib, child, .di, in: context, line: flow.line)
          }
        }
      }
    }
  }

  private func readConformances(_ type: Int, _ suffix: String, _ kind: RIBGraph.EdgeKind, of rib: Int) {
    for part in index.types[type].parts {
      for name in part.facts.inherited where name.lastName.hasSuffix(suffix) {
        for value in index.resolve(name, in: TypeIndex.Scope(file: part.file, path: part.facts.path)) {
          guard let id = value.declared, index.types[id].name.hasSuffix(suffix),
            let child = catalog.rib(namedAfter: id), child != rib
          else { continue }
          add(
            Key(parent: rib, child: child, kind: kind), Place(isIndirect: false, file: part.file, line: part.facts.line)
          )
        }
      }
    }
  }

  private func add(
    _ parent: Int, _ child: Int, _ kind: RIBGraph.EdgeKind, in context: Evaluator.Context, line: Int,
    isIndirect: Bool = false
  ) {
    if kind == .tree || kind == .unattached { built.insert(child) }
    add(
      Key(parent: parent, child: child, kind: kind),
      Place(isIndirect: isIndirect, file: context.scope.file, line: line))
  }

  private func add(_ key: Key, _ place: Place) {
    var key = key
    if areSeparate(key.parent, key.child) {
      // A RIB of another copy of the app is a different RIB; the own copy may not have it yet.
      let name = catalog.entries[key.child].name
      let isHere = catalog.entries.indices.contains { rib in
        catalog.entries[rib].name == name && !catalog.entries[rib].isExternal && !areSeparate(key.parent, rib)
      }
      if isHere { return }
      key = Key(parent: key.parent, child: catalog.external(name), kind: key.kind)
    }
    edges[key] = edges[key].map { min($0, place) } ?? place
  }

  /// Whether two RIBs are in different copies of an app.
  private func areSeparate(_ one: Int, _ other: Int) -> Bool {
    guard let one = catalog.mainType(of: one), let other = catalog.mainType(of: other) else { return false }
    return index.areSeparate(index.types[one].file, index.types[other].file)
  }
}
