// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

extension GraphBuilder {
  /// The graph, with one edge per pair of RIBs: the one of the most informative kind.
  package func graph() -> RIBGraph {
    var graph = RIBGraph()
    // Omits unused entries: names of builders that are neither in the sources nor attached.
    let used = Set(edges.keys.flatMap { [$0.parent, $0.child] })
    let kept = catalog.entries.indices.filter { !catalog.entries[$0].isExternal || used.contains($0) }
    let titled = kept.map { node(of: $0) }
    let order = titled.indices.sorted {
      (titled[$0].name, titled[$0].path, titled[$0].line) < (titled[$1].name, titled[$1].path, titled[$1].line)
    }
    var places: [Int: Int] = [:]
    for (place, position) in order.enumerated() { places[kept[position]] = place }
    graph.nodes = RIBGraph.distinguished(order.map { titled[$0] })
    let strength: [RIBGraph.EdgeKind: Int] = [.tree: 0, .unattached: 1, .di: 2, .listener: 3]
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
    let broken = index.files.compactMap { file in
      file.brokenLine.map {
        RIBGraph.Gap(path: file.path, line: $0, message: "syntax error; the rest of the file is included")
      }
    }
    graph.gaps = Set(gaps + broken).sorted { ($0.path, $0.line, $0.message) < ($1.path, $1.line, $1.message) }
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

  /// The type with a suffix that belongs to a RIB: `OrderInteractor`, or `Interactor` in its namespace or module.
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

  /// Whether the RIB's router is a `LaunchRouter`, the root of a tree.
  package func isLaunched(_ rib: Int) -> Bool { ancestors(of: rib).contains("LaunchRouter") }

  /// The names of a router's superclasses.
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
  /// The nodes, with modules or folders added to those that share a name.
  static func distinguished(_ nodes: [Node]) -> [Node] {
    var nodes = nodes
    let known = nodes.indices.filter { !nodes[$0].isExternal }
    for (_, places) in Dictionary(grouping: known, by: { nodes[$0].name }) where places.count > 1 {
      for (place, distinction) in zip(places, distinctions(of: places.map { nodes[$0] })) {
        nodes[place].distinction = distinction
      }
    }
    let names = Set(known.map { nodes[$0].name })
    for place in nodes.indices where nodes[place].isExternal && names.contains(nodes[place].name) {
      nodes[place].distinction = "elsewhere"
    }
    return nodes
  }

  /// The text that distinguishes RIBs of one name: the module, as few folders as needed, or the file and line.
  private static func distinctions(of nodes: [Node]) -> [String] {
    let modules = nodes.map(\.module)
    if Set(modules).count == nodes.count && !modules.contains("") { return modules }
    let folders = nodes.map { $0.path.split(separator: "/").map(String.init) }
    let common = folders.dropFirst().reduce(folders[0]) { common, other in
      zip(common, other).prefix { $0 == $1 }.map(\.0)
    }.count
    for count in 1...max(1, folders.map(\.count).max() ?? 1) {
      let found = folders.map { $0.dropFirst(common).prefix(count).joined(separator: "/") }
      if Set(found).count == nodes.count && !found.contains("") { return found }
    }
    return nodes.map(\.place)
  }
}
