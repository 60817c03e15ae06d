// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Derives the roles of types from their names.
package enum BuilderNames {
  private static let baseBuilders: Set<String> = [
    "Buildable", "Builder", "ComponentizedBuilder", "SimpleComponentizedBuilder", "MultiStageComponentizedBuilder",
    "SimpleMultiStageComponentizedBuilder",
  ]
  private static let baseRouters: Set<String> = ["Router", "ViewableRouter", "LaunchRouter"]
  private static let baseRoutings: Set<String> = ["Routing", "ViewableRouting", "LaunchRouting", "ModelRouting"]
  private static let parts = [
    "ViewControllable", "PresentableListener", "Presentable", "Presenter", "ViewController", "Interactable",
    "Interactor", "Dependency", "Component", "Listener", "Buildable", "Builder", "Building", "Routing", "Router",
  ]
  private static let endings = ["Implementation", "Impl", "Imp", "Protocol", "Type", "Internal"]

  /// Whether a name belongs to a builder or router of the runtime, or to one of their protocols.
  package static func isRuntime(_ name: String) -> Bool {
    baseBuilders.contains(name) || baseRouters.contains(name) || baseRoutings.contains(name)
  }

  /// Whether a name belongs to a builder of the runtime.
  package static func isBase(_ name: String) -> Bool { baseBuilders.contains(name) }

  /// Whether a name belongs to a router of the runtime.
  package static func isBaseRouter(_ name: String) -> Bool { baseRouters.contains(name) }

  /// Whether a name belongs to a router protocol of the runtime.
  package static func isBaseRouting(_ name: String) -> Bool { baseRoutings.contains(name) }

  /// Whether a name is that of a builder or a builder protocol.
  package static func isBuilder(_ name: String) -> Bool {
    ["Buildable", "Builder", "Building"].contains { name.hasSuffix($0) && name != $0 }
  }

  /// Whether a name is that of a router protocol.
  package static func isRouting(_ name: String) -> Bool { name.hasSuffix("Routing") && !baseRoutings.contains(name) }

  /// Whether a name consists of a RIB's name and a role, such as `OrderBuilder`.
  package static func hasRole(_ name: String) -> Bool { parts.contains { name.hasSuffix($0) && name != $0 } }

  /// The name of the RIB that a type belongs to: `Order` of `OrderBuilder`, `Settings` of `Settings.Builder`; empty
  /// for a top-level `Builder`.
  package static func stem(_ path: [String]) -> String {
    let name = path.last ?? ""
    let stem = stem(of: name)
    return stem.isEmpty && path.count > 1 ? Self.stem(Array(path.dropLast())) : stem
  }

  /// The name without the suffix for a role; empty if nothing remains.
  private static func stem(of name: String) -> String {
    var name = name
    for ending in endings where name.hasSuffix(ending) && name.count > ending.count {
      let rest = String(name.dropLast(ending.count))
      if parts.contains(where: { rest.hasSuffix($0) }) { name = rest }
    }
    for part in parts where name.hasSuffix(part) { return String(name.dropLast(part.count)) }
    return name
  }
}
