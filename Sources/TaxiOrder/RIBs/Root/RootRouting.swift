// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

package protocol RootRouting: LaunchRouting, SendableMetatype {
  /// The item of LoggedIn, while it is attached.
  var loggedIn: (any LoggedInActionableItem)? { get }
  /// Shows the login, unless another entrance was restored.
  func begin()
  func routeToLoggedIn()
}
