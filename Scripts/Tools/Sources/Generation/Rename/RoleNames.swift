// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The names that belong to a RIB: its name combined with a role.
struct RoleNames {
  private static let roles = [
    "Buildable", "Builder", "Component", "Dependency", "Interactable", "Interactor", "Listener", "Plugin",
    "PluginContext", "Presentable", "PresentableListener", "Presenter", "Route", "Router", "Routing", "View",
    "ViewControllable", "ViewController",
  ]
  private static let endings = ["", "Double", "Doubles", "Fake", "Mock", "Mocks", "Spy", "Stub", "Test", "Tests"]

  let rib: RIBName

  /// Whether a type belongs to the RIB: `OrderRouter`, `OrderRouterTests`, `OrderMocks`, `RootDependencyOrder`.
  func ownsType(_ name: String) -> Bool {
    if name.hasPrefix(rib.text) { return isRole(name.dropFirst(rib.text.count)) }
    return name.hasSuffix("Dependency" + rib.text)
  }

  /// Whether a property or parameter is named after a part of the RIB: `orderBuilder`.
  func ownsProperty(_ name: String) -> Bool {
    name.hasPrefix(rib.lowerCamel) && isRole(name.dropFirst(rib.lowerCamel.count))
  }

  /// Whether a file is named after the RIB: `OrderRouter`, `OrderComponent+Receipt`, `RootComponent+Order`.
  func ownsFile(_ stem: String) -> Bool {
    let parts: [Substring] = stem.split(separator: "+", maxSplits: 1)
    guard let first = parts.first else { return false }
    return ownsType(String(first)) || (parts.count == 2 && parts[1] == rib.text && first.hasSuffix("Component"))
  }

  private func isRole(_ rest: Substring) -> Bool {
    guard !rest.isEmpty else { return false }
    return RoleNames.endings.contains { ending in
      guard rest.hasSuffix(ending) else { return false }
      let role = rest.dropLast(ending.count)
      return role.isEmpty || RoleNames.roles.contains(String(role))
    }
  }
}
