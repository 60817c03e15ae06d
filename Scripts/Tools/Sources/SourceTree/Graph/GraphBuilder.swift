import SourceModel

/// Makes the graph of the RIBs in some sources.
package final class GraphBuilder {
  /// A child that a router builds, and does not attach.
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
  /// The RIBs that somebody attaches or makes from outside.
  package private(set) var built: Set<Int> = []
  private var edges: [Key: Place] = [:]
  private var gaps: [RIBGraph.Gap] = []

  private struct Key: Hashable {
    let parent: Int
    let child: Int
    let kind: RIBGraph.EdgeKind
  }

  /// Where an edge is said: rather where the child is built than where that is asked for.
  private struct Place: Comparable {
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
        let fate = flow.fate(of: step.sink, in: context)
        for child in children where child != rib || fate == .attached {
          if fate == .attached || (fate == .unknown && !catalog.entries[child].isExternal) {
            add(rib, child, .tree, in: context, line: step.line, isIndirect: !isOfBuilder(source, in: context))
          } else if fate == .never, !catalog.entries[child].isExternal, isBuilding(source) {
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

  /// Whether a call is one of a builder or of an initializer: others may return what is there already.
  private func isBuilding(_ expression: Expression) -> Bool {
    switch expression {
    case .call(.member(let base, let name), _): base != .name("self") && Evaluator.isBuilding(name)
    case .call(let callee, _): callee.lastName.first?.isUppercase ?? false
    case .member(let base, _): isBuilding(base)
    default: false
    }
  }

  /// Whether a call is one of a builder itself, or of an initializer.
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

  /// Whether a body only hands on what it is given, for others to call: an override of `attachChild`, or a method of a base
  /// class.
  private func isForwarding(_ flow: Flow, in context: Evaluator.Context, of router: Int) -> Bool {
    guard case .name(let name) = flow.source else { return false }
    if name.contains("@") { return true }
    guard context.function.parameters.contains(where: { $0.name == name }) else { return false }
    return context.function.name == "attachChild" || context.scope.path != index.types[router].path
  }

  /// What is attached from outside of routers: `router.attachChild(…)` in a builder or an interactor, and what the kinds of
  /// a list are registered with.
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

  /// What is built outside of routers, such as the root in a program.
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

  // MARK: The graph

  private func add(
    _ parent: Int, _ child: Int, _ kind: RIBGraph.EdgeKind, in context: Evaluator.Context, line: Int,
    isIndirect: Bool = false
  ) {
    if kind == .tree { built.insert(child) }
    add(
      Key(parent: parent, child: child, kind: kind),
      Place(isIndirect: isIndirect, file: context.scope.file, line: line))
  }

  private func add(_ key: Key, _ place: Place) {
    edges[key] = edges[key].map { min($0, place) } ?? place
  }

  /// The graph, with one edge for each pair: of the kind that says most.
  package func graph() -> RIBGraph {
    var graph = RIBGraph()
    // What nobody needs is left out: names of builders that are not in the sources and attached nowhere.
    let used = Set(edges.keys.flatMap { [$0.parent, $0.child] })
    let kept = catalog.entries.indices.filter { !catalog.entries[$0].isExternal || used.contains($0) }
    let titled = kept.map { node(of: $0) }
    let order = titled.indices.sorted {
      (titled[$0].name, titled[$0].path, titled[$0].line) < (titled[$1].name, titled[$1].path, titled[$1].line)
    }
    var places: [Int: Int] = [:]
    for (place, position) in order.enumerated() { places[kept[position]] = place }
    graph.nodes = RIBGraph.distinguished(order.map { titled[$0] })
    let strength: [RIBGraph.EdgeKind: Int] = [.tree: 0, .di: 1, .listener: 2]
    var best: [[Int]: (kind: RIBGraph.EdgeKind, place: Place)] = [:]
    for (key, place) in edges {
      guard let parent = places[key.parent], let child = places[key.child] else { continue }
      if let other = best[[parent, child]], strength[other.kind, default: 0] < strength[key.kind, default: 0] {
        continue
      }
      best[[parent, child]] = (key.kind, place)
    }
    graph.edges = best.map { pair, found in
      RIBGraph.Edge(
        parent: pair[0], child: pair[1], kind: found.kind, path: index.files[found.place.file].path,
        line: found.place.line)
    }.sorted {
      ($0.parent, strength[$0.kind] ?? 0, $0.path, $0.line, $0.child)
        < ($1.parent, strength[$1.kind] ?? 0, $1.path, $1.line, $1.child)
    }
    for file in index.files {
      guard let line = file.brokenLine else { continue }
      gaps.append(
        RIBGraph.Gap(path: file.path, line: line, message: "this is no Swift; what could be read of the file was"))
    }
    graph.gaps = Set(gaps).sorted { ($0.path, $0.line, $0.message) < ($1.path, $1.line, $1.message) }
    graph.launched = Set(kept.filter(isLaunched).compactMap { places[$0] })
    return graph
  }

  private func node(of rib: Int) -> RIBGraph.Node {
    let entry = catalog.entries[rib]
    guard let main = catalog.mainType(of: rib).map({ index.types[$0] }) else {
      return RIBGraph.Node(
        name: entry.name, module: "", path: "", line: 0, router: nil, builder: nil, hasView: false, isExternal: true,
        summary: nil)
    }
    let builder = entry.builder.map { index.types[$0] }
    let parts = [entry.router.map { index.types[$0] }, interactor(of: rib), builder].compactMap { $0?.facts }
    let summary = parts.first(where: \.isSummaryMarked)?.summary ?? parts.lazy.compactMap(\.summary).first
    return RIBGraph.Node(
      name: entry.name, module: index.files[main.file].module, path: index.files[main.file].path, line: main.line,
      router: entry.router.map { index.types[$0].path.joined(separator: ".") },
      builder: builder?.path.joined(separator: "."), hasView: hasView(rib), isExternal: false, summary: summary)
  }

  private func interactor(of rib: Int) -> TypeIndex.DeclaredType? {
    part("Interactor", of: rib).map { index.types[$0] }
  }

  /// The type of a RIB with an ending: `OrderInteractor`, or `Interactor` in the namespace or the module of the RIB.
  package func part(_ suffix: String, of rib: Int) -> Int? {
    guard let main = catalog.mainType(of: rib) else { return nil }
    let stem = catalog.entries[rib].name
    let type = index.types[main]
    let scope = TypeIndex.Scope(file: type.file, path: type.path)
    return index.declared([type.name.hasPrefix(stem) ? stem + suffix : suffix], in: scope)
  }

  private func hasView(_ rib: Int) -> Bool {
    ancestors(of: rib).contains { $0 == "ViewableRouter" || $0 == "LaunchRouter" }
  }

  /// Whether a RIB is the root of a tree by its router.
  package func isLaunched(_ rib: Int) -> Bool { ancestors(of: rib).contains("LaunchRouter") }

  /// The names of the classes that a router is below.
  private func ancestors(of rib: Int) -> [String] {
    guard let router = catalog.entries[rib].router else { return [] }
    return index.lineage(of: router).flatMap { type -> [String] in
      index.inherited(by: type).map { value in
        switch value {
        case .type(let id, _): index.types[id].name
        case .external(let name, _): name
        default: ""
        }
      }
    }
  }
}

extension RIBGraph {
  /// The nodes, those of the same name with their modules, or else the folders that tell them apart.
  static func distinguished(_ nodes: [Node]) -> [Node] {
    var nodes = nodes
    let known = nodes.indices.filter { !nodes[$0].isExternal }
    for (_, places) in Dictionary(grouping: known, by: { nodes[$0].name }) where places.count > 1 {
      let modules = places.map { nodes[$0].module }
      let folders = places.map { nodes[$0].path.split(separator: "/").map(String.init) }
      let common = folders.reduce(folders[0]) { common, other in
        zip(common, other).prefix { $0 == $1 }.map(\.0)
      }.count
      for (number, place) in places.enumerated() {
        if Set(modules).count == places.count {
          nodes[place].distinction = modules[number].isEmpty ? nil : modules[number]
        } else {
          nodes[place].distinction = folders[number].dropFirst(common).first ?? String(nodes[place].line)
        }
      }
    }
    return nodes
  }
}
