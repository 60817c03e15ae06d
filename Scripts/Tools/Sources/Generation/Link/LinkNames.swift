// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The names of the parts of a link between two RIBs.
struct LinkNames {
  let child: RIBName
  let parent: RIBName

  /// The property that holds the child: `loggedOut`.
  var property: String { child.lowerCamel }
  /// The property that holds the child's builder: `loggedOutBuilder`.
  var builderProperty: String { child.lowerCamel + "Builder" }
  var builder: String { child.text + "Builder" }
  var buildable: String { child.text + "Buildable" }
  var listener: String { child.text + "Listener" }
  var dependency: String { child.text + "Dependency" }
  /// The protocol of what ancestors hand down to the child: `LoggedInDependencyOffGame`.
  var handedDown: String { parent.text + "Dependency" + child.text }
  /// The method that attaches the child: `routeToLoggedOut`.
  var attach: String { "routeTo" + child.text }
  /// The method that detaches the child: `detachLoggedOut`.
  var detach: String { "detach" + child.text }
  /// The type of the slot's route: `LoggedOutRoute`.
  var routeType: String { child.text + "Route" }
  /// The file of the component extension: `RootComponent+LoggedOut.swift`.
  var extensionFile: String { "\(parent.text)Component+\(child.text).swift" }

  /// The element of `savedChildren` for a container.
  static func saved(_ property: String) -> String { "\(property).saved(as: \"\(property)\")" }
}
