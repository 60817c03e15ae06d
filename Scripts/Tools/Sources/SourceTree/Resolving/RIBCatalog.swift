// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// The RIBs of some sources, found by their routers and builders.
package final class RIBCatalog {
  /// The router and builder of a RIB.
  package struct Entry {
    package let name: String
    /// The router, if the RIB has its own router type.
    package internal(set) var router: Int?
    package internal(set) var builder: Int?
    /// Whether the RIB is not in the sources.
    package var isExternal: Bool { router == nil && builder == nil }
  }

  package let evaluator: Evaluator
  package let index: TypeIndex
  package private(set) var entries: [Entry] = []
  private var byRouter: [Int: Int] = [:]
  private var byBuilder: [Int: [Int]] = [:]
  private var byExternalName: [String: Int] = [:]
  private var routers: [Int: Bool] = [:]

  package init(_ evaluator: Evaluator) {
    self.evaluator = evaluator
    index = evaluator.index
    let classes = index.types.filter { [index] in $0.kind == .class && !index.isTestDouble($0.id) }
    for type in classes where isRouter(type.id) && !isBase(type.id) {
      byRouter[type.id] = entries.count
      entries.append(Entry(name: index.ribName(of: type.id), router: type.id))
    }
    for type in classes where evaluator.isBuilder(type.id) && !index.isRuntime(type.id) { _ = ribs(ofBuilder: type.id) }
  }

  // MARK: Routers

  /// Whether a class is a router: a subclass of one of the runtime's, or of an external class named like one.
  package func isRouter(_ type: Int) -> Bool {
    if let known = routers[type] { return known }
    routers[type] = false
    let found: Bool
    if index.types[type].kind != .class {
      found = false
    } else if index.isRuntime(type) {
      found = BuilderNames.isBaseRouter(index.types[type].name)
    } else {
      found = index.inherited(by: type).contains { value in
        switch value {
        case .type(let id, _): isRouter(id)
        case .external(let name, _): name.hasSuffix("Router")
        default: false
        }
      }
    }
    routers[type] = found
    return found
  }

  /// Whether a router is not a RIB: one of the runtime's, or a base class that only routers instantiate, if any.
  private func isBase(_ type: Int) -> Bool {
    if index.isRuntime(type) { return true }
    let isOnlyBase = (evaluator.constructions[type] ?? []).allSatisfy { construction in
      construction.context.selfType.map(isRouter) ?? false
    }
    if !isOnlyBase { return false }
    return (index.subtypes[type] ?? []).contains(where: isRouter)
      || (isUnusedBase(type) && !builderNames.contains(index.ribName(of: type)))
  }

  /// Whether a class of a framework is meant to be inherited: it is open or generic, and never instantiated.
  private func isUnusedBase(_ type: Int) -> Bool {
    let facts = index.types[type].facts
    return (facts.isOpen || !facts.generics.isEmpty && !facts.isFinal) && (evaluator.constructions[type] ?? []).isEmpty
  }

  /// The names of the RIBs that have a builder or a builder protocol.
  private lazy var builderNames: Set<String> = Set(
    index.types.filter { BuilderNames.isBuilder($0.name) || evaluator.isBuilder($0.id) }.map {
      index.ribName(of: $0.id)
    })

  // MARK: What values are of

  /// The RIBs whose router a value is.
  package func ribs(of values: [Value]) -> [Int] {
    let found = values.map { (value: $0, ribs: ribs(of: $0)) }
    // A class is more specific than a protocol it conforms to.
    let telling = found.filter { isConcrete($0.value) && !$0.ribs.isEmpty }
    return (telling.isEmpty ? found : telling).flatMap(\.ribs).uniqued()
  }

  private func isConcrete(_ value: Value) -> Bool {
    switch value {
    case .type(let id, _): index.types[id].kind != .protocol
    case .built(let builder): isConcrete(builder)
    case .tuple(let elements): elements.contains { $0.values.contains(where: isConcrete) }
    case .any(let values): values.contains(where: isConcrete)
    case .external, .function: false
    }
  }

  private func ribs(of value: Value) -> [Int] {
    switch value {
    case .type(let id, _): ribs(ofRouter: id)
    case .built(let builder): ribs(ofBuilder: builder)
    case .tuple(let elements): elements.flatMap { ribs(of: $0.values) }.uniqued()
    case .any(let values): ribs(of: values)
    case .external(let name, _): ribs(ofExternalRouting: name)
    case .function: []
    }
  }

  private func ribs(ofRouter type: Int) -> [Int] {
    if let rib = byRouter[type] { return [rib] }
    guard index.types[type].kind == .protocol else { return [] }
    if index.isRuntime(type) { return [] }
    let conforming = index.descendants(of: type).filter { byRouter[$0] != nil }
    if let only = namesake(of: type, among: conforming) ?? (conforming.count == 1 ? conforming[0] : nil) {
      return byRouter[only].map { [$0] } ?? []
    }
    return []
  }

  /// The RIB whose router conforms to a protocol that is not in the sources.
  private func ribs(ofExternalRouting name: String) -> [Int] {
    guard BuilderNames.isRouting(name) else { return [] }
    let conforming = (index.subtypesOfExternal[name] ?? []).compactMap { byRouter[$0] }
    return isOne(conforming) ? conforming : []
  }

  /// The RIBs of a builder protocol that is not in the sources: those of the conforming builders, or the one with its
  /// name.
  private func ribs(ofExternalBuilder name: String) -> [Int] {
    guard BuilderNames.isBuilder(name) else { return [] }
    let conforming = (index.subtypesOfExternal[name] ?? []).filter {
      index.types[$0].kind != .protocol && !index.isTestDouble($0)
    }
    let found = conforming.flatMap(ribs(ofBuilder:)).uniqued()
    if !found.isEmpty { return found }
    let stem = BuilderNames.stem([name])
    let named = entries.indices.filter { entries[$0].name == stem && entries[$0].router != nil }
    return isOne(named) ? named : [external(stem)]
  }

  /// Whether some RIBs of one name are the same RIB, in one copy of an app or in several.
  private func isOne(_ ribs: [Int]) -> Bool {
    let files = ribs.compactMap(mainType(of:)).map { index.types[$0].file }
    return !files.isEmpty
      && files.indices.allSatisfy { one in
        files[(one + 1)...].allSatisfy { index.areSeparate(files[one], $0) }
      }
  }

  private func ribs(ofBuilder value: Value) -> [Int] {
    switch value {
    case .type(let id, _): ribs(ofBuilder: id)
    case .external(let name, _): ribs(ofExternalBuilder: name)
    case .any(let values): values.flatMap(ribs(ofBuilder:)).uniqued()
    case .built, .tuple, .function: []
    }
  }

  /// The RIBs that a builder builds.
  package func ribs(ofBuilder type: Int) -> [Int] {
    if let known = byBuilder[type] { return known }
    byBuilder[type] = []
    if index.isRuntime(type) { return [] }
    let found = index.types[type].kind == .protocol ? ribs(ofBuildable: type) : ribs(ofBuilderClass: type)
    byBuilder[type] = found
    return found
  }

  private func ribs(ofBuildable type: Int) -> [Int] {
    let declared = index.types[type]
    let conforming = index.descendants(of: type).filter {
      index.types[$0].kind != .protocol && !index.isTestDouble($0)
    }
    if let namesake = namesake(of: type, among: conforming) { return ribs(ofBuilder: namesake) }
    if !conforming.isEmpty { return conforming.count > 32 ? [] : conforming.flatMap(ribs(ofBuilder:)).uniqued() }
    // A protocol without conforming types, from a module that is not among the sources.
    let stem = index.ribName(of: type)
    let named = entries.indices.filter { rib in
      entries[rib].name == stem
        && mainType(of: rib).map { !index.areSeparate(index.types[$0].file, declared.file) } ?? false
    }
    if let nearest = index.nearest(named.compactMap { entries[$0].router ?? entries[$0].builder }, to: declared.file) {
      return named.filter { entries[$0].router == nearest || entries[$0].builder == nearest }
    }
    return [external(stem)]
  }

  private func ribs(ofBuilderClass type: Int) -> [Int] {
    let stem = index.ribName(of: type)
    var made: [Int] = []
    for owner in index.lineage(of: type) where index.types[owner].kind == .class {
      for context in evaluator.ownContexts(of: owner, as: type) {
        for flow in context.function.flows {
          // A router that is created here, not one that another builder builds.
          guard let rib = madeRouter(flow.source, in: context) else { continue }
          made.append(rib)
        }
      }
      if !made.isEmpty { break }
    }
    let own = made.uniqued().filter { entries[$0].name == stem }
    let returned = returnedRIBs(of: type).filter(made.contains)
    let found = !returned.isEmpty ? returned : own.isEmpty ? made.uniqued() : own
    if !found.isEmpty {
      for rib in found where entries[rib].builder == nil { entries[rib].builder = type }
      return found
    }
    let handedOn = returnedRIBs(of: type)
    if !handedOn.isEmpty { return handedOn }
    guard evaluator.isBuilder(type), !isOnlyInherited(type), !isUnusedBase(type) else { return [] }
    // It has the router of its name in another file, or a plain router.
    let namesakes = entries.indices.filter { rib in
      entries[rib].name == stem
        && entries[rib].router.map { !index.areSeparate(index.types[$0].file, index.types[type].file) } ?? false
    }
    if let router = index.nearest(namesakes.compactMap { entries[$0].router }, to: index.types[type].file),
      let rib = byRouter[router]
    {
      if entries[rib].builder == nil { entries[rib].builder = type }
      return [rib]
    }
    entries.append(Entry(name: stem, router: nil, builder: type))
    return [entries.count - 1]
  }

  /// The RIBs of the results of a builder's methods.
  private func returnedRIBs(of type: Int) -> [Int] {
    index.lineage(of: type).flatMap { evaluator.ownContexts(of: $0, as: type) }
      .filter { Evaluator.isBuilding($0.function.name) }
      .flatMap { context in ribs(of: context.function.results.flatMap { evaluator.values(of: $0, in: context) }) }
      .uniqued()
  }

  /// Whether the builder of a RIB returns a router, rather than a view or a service of that name.
  package func buildsRouter(_ rib: Int) -> Bool {
    if entries[rib].router != nil { return true }
    guard let builder = entries[rib].builder else { return false }
    return index.lineage(of: builder).flatMap { evaluator.ownContexts(of: $0, as: builder) }.contains { context in
      guard Evaluator.isBuilding(context.function.name), let result = context.function.result?.lastName else {
        return false
      }
      return result.hasSuffix("Routing") || result.hasSuffix("Router")
    }
  }

  /// Whether a builder is only a base class.
  private func isOnlyInherited(_ type: Int) -> Bool {
    !(index.subtypes[type] ?? []).isEmpty && (evaluator.constructions[type] ?? []).isEmpty
  }

  private func madeRouter(_ expression: Expression, in context: Evaluator.Context) -> Int? {
    guard case .call(let callee, _) = expression, callee.path != nil || callee.lastName == "init" else { return nil }
    if case .member(let base, "init") = callee, base == .name("super") { return nil }
    for case .type(let id, _) in evaluator.values(of: expression, in: context) {
      if let rib = byRouter[id], evaluator.constructions[id] != nil { return rib }
    }
    return nil
  }

  /// The RIB with a name that is not in the sources.
  package func external(_ name: String) -> Int {
    if let known = byExternalName[name] { return known }
    byExternalName[name] = entries.count
    entries.append(Entry(name: name, router: nil, builder: nil))
    return entries.count - 1
  }

  /// The nearest of some types that is named after the same RIB.
  private func namesake(of type: Int, among candidates: [Int]) -> Int? {
    let stem = index.ribName(of: type)
    let named = candidates.filter { index.ribName(of: $0) == stem }
    return index.nearest(named, to: index.types[type].file)
  }

  // MARK: Parts

  /// The RIB that a type belongs to by its name: the nearest `Order` for `OrderListener`.
  package func rib(namedAfter type: Int) -> Int? {
    let stem = index.ribName(of: type)
    let named = (byName[stem] ?? []).filter { rib in
      mainType(of: rib).map { !index.areSeparate(index.types[$0].file, index.types[type].file) } ?? false
    }
    guard let nearest = index.nearest(named.compactMap(mainType(of:)), to: index.types[type].file) else { return nil }
    return named.first { mainType(of: $0) == nearest }
  }

  private lazy var byName: [String: [Int]] = Dictionary(
    grouping: entries.indices.filter { !entries[$0].isExternal }, by: { entries[$0].name })

  /// The type that represents a RIB: its router or its builder.
  package func mainType(of rib: Int) -> Int? { entries[rib].router ?? entries[rib].builder }

  /// The RIB of a router class.
  package func rib(ofRouter type: Int) -> Int? { byRouter[type] }
}
