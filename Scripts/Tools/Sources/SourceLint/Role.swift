// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree

/// The role of a class in a RIB.
enum Role: Hashable, Sendable {
  case interactor
  case router
  case worker
  case presenter
  case builder
  case component
  case viewController
  /// A type that conforms to `Identifiable` and `Equatable`, as models of children must.
  case model
}

extension TypeIndex {
  /// The roles of a type, determined by its superclasses and protocols.
  func roles(of type: Int) -> Set<Role> {
    var roles: Set<Role> = []
    var protocols: Set<String> = []
    for ancestor in lineage(of: type) {
      for value in inherited(by: ancestor) {
        let name: String
        let isClass: Bool
        switch value {
        case .type(let id, _):
          name = types[id].name
          isClass = types[id].kind == .class && isRuntimeClass(id)
        case .external(let external, _):
          name = external
          isClass = true
        default: continue
        }
        protocols.insert(name)
        guard isClass, types[ancestor].kind == .class else { continue }
        if name.hasSuffix("Interactor") { roles.insert(.interactor) }
        if name.hasSuffix("Router") { roles.insert(.router) }
        if name == "Worker" { roles.insert(.worker) }
        if name == "Presenter" { roles.insert(.presenter) }
        if name.hasSuffix("Builder") { roles.insert(.builder) }
        if name.hasSuffix("Component") { roles.insert(.component) }
        if name.hasSuffix("ViewController") { roles.insert(.viewController) }
      }
    }
    let isModel = protocols.contains("Identifiable") && !protocols.isDisjoint(with: ["Equatable", "Hashable"])
    if isModel && !protocols.contains("View") { roles.insert(.model) }
    return roles
  }

  /// Whether a class belongs to the runtime, when the runtime is among the sources.
  private func isRuntimeClass(_ type: Int) -> Bool {
    let others = ["Interactor", "PresentableInteractor", "Worker", "Presenter", "Component"]
    let name = types[type].name
    return types[type].path.count == 1
      && (BuilderNames.isBase(name) || BuilderNames.isBaseRouter(name) || others.contains(name))
  }
}
