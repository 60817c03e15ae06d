// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

extension GraphBuilder {
  /// A RIB that saved trees identify by the name of a class.
  package struct SavedRIB: Sendable {
    /// Why its name matters.
    package enum Reason: Sendable {
      /// Its interactor saves a state.
      case state
      /// Its router saves containers.
      case containers
      /// A RIB that it contains is saved.
      case contains(String)
      /// A RIB that attaches it saves its containers.
      case containedIn(String)
    }

    /// A class of the RIB, or a superclass of one, that declares `savedNames`.
    package struct Naming: Sendable {
      package let type: String
      package let path: String
      package let line: Int
      /// Whether the class that gives the RIB its name inherits the declaration.
      package let isInherited: Bool
    }

    /// The name of the class that gives the RIB its name: the router, or the interactor of a plain router.
    package let type: String
    package let path: String
    package let reason: Reason
    /// The declarations of `savedNames`, those of the router first.
    package let namings: [Naming]
  }

  /// The RIBs that are in saved trees: those that save something, that contain one that does, or that a container which is
  /// saved may hold.
  package func savedRIBs() -> [SavedRIB] {
    let own = catalog.entries.indices.map(ownReason)
    guard own.contains(where: { $0 != nil }) else { return [] }
    let children = Dictionary(grouping: edges.keys.filter { $0.kind == .tree }, by: \.parent).mapValues {
      $0.map(\.child).sorted { catalog.entries[$0].name < catalog.entries[$1].name }
    }
    let parents = Dictionary(grouping: edges.keys.filter { $0.kind == .tree }, by: \.child).mapValues {
      $0.map(\.parent).sorted { catalog.entries[$0].name < catalog.entries[$1].name }
    }
    return catalog.entries.indices.compactMap { rib in
      let interactor = part("Interactor", of: rib)
      guard let type = catalog.entries[rib].router ?? interactor,
        let reason = own[rib]
          ?? savedBelow(rib, children, own).map({ .contains(catalog.entries[$0].name) })
          ?? parents[rib]?.first(where: { savesContainers($0) }).map({ .containedIn(catalog.entries[$0].name) })
      else { return nil }
      return SavedRIB(
        type: index.types[type].name, path: index.files[index.types[type].file].path, reason: reason,
        namings: [catalog.entries[rib].router, interactor].compactMap { $0 }.flatMap { namings(of: $0, for: type) })
    }
  }

  private func ownReason(_ rib: Int) -> SavedRIB.Reason? {
    if let interactor = part("Interactor", of: rib), savesState(interactor) { return .state }
    return savesContainers(rib) ? .containers : nil
  }

  /// Whether an interactor conforms to `Saving` of this runtime, which has a saved state.
  private func savesState(_ interactor: Int) -> Bool {
    let lineage = index.lineage(of: interactor)
    return index.property("savedState", of: interactor) != nil
      && lineage.contains { type in
        index.inherited(by: type).contains { value in
          switch value {
          case .type(let id, _): index.types[id].name == "Saving"
          case .external(let name, _): name == "Saving"
          default: false
          }
        }
      }
  }

  private func savesContainers(_ rib: Int) -> Bool {
    guard let router = catalog.entries[rib].router, let property = index.property("savedChildren", of: router) else {
      return false
    }
    return index.types[property.owner].name != "RouterNode"
  }

  /// The nearest RIB below another one that saves something.
  private func savedBelow(_ rib: Int, _ children: [Int: [Int]], _ own: [SavedRIB.Reason?]) -> Int? {
    var seen: Set<Int> = [rib]
    var next = [rib]
    while !next.isEmpty {
      next = next.flatMap { children[$0] ?? [] }.filter { seen.insert($0).inserted }
      if let found = next.first(where: { own[$0] != nil }) { return found }
    }
    return nil
  }

  private func namings(of type: Int, for naming: Int) -> [SavedRIB.Naming] {
    index.lineage(of: type).filter { !["RouterNode", "Interactor"].contains(index.types[$0].name) }.flatMap { owner in
      index.types[owner].parts.flatMap { part in
        part.facts.properties.filter { $0.name == "savedNames" }.map {
          SavedRIB.Naming(
            type: index.types[owner].name, path: index.files[part.file].path, line: $0.line,
            isInherited: type == naming && owner != naming)
        }
      }
    }
  }
}
