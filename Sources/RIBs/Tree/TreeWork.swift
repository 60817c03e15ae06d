// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The part of a tree that runs its code, as the kernel knows it. The layer of tasks has the only subclass.
class TreeWork: TreePart {
  /// Runs the end of a tree, which occupies it.
  func runEnd(of tree: TreeCore, _ body: () -> Void) { body() }

  /// Discards what was to run after the current turn, because the tree has ended.
  func discardPostponed() {}
}
