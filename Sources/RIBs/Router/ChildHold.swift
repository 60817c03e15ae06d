// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The link from a child to the container that holds it. It outlives the container, as a child may.
@usableFromInline
class ChildHold {
  /// The router of the container, while both exist.
  var owner: RouterNode? { nil }

  /// Called when other code has unlinked a child. It must not call user code, nor release anything that may run some,
  /// because the unlinking is still in progress.
  func didLose(_ child: RouterNode) {}

  /// Holds a child. A container that has kept the child loses it.
  final func hold(_ child: RouterNode, at place: Int32) {
    if let previous = child.hold, previous !== self { previous.didLose(child) }
    child.hold = self
    child.placeInContainer = place
  }
}
