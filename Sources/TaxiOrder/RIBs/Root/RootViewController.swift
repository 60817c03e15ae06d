// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The root view without a screen: records the shown views, the last in front.
final class RootViewController: LoggedInViewControllable {
  private(set) var shown: [any ViewControllable] = []

  func present(_ view: any ViewControllable) { shown.append(view) }

  func dismiss(_ view: any ViewControllable) { shown.removeAll { $0 === view } }
}
