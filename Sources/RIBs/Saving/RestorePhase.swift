// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Where a restore stands.
///
/// All transitions:
///
/// | from | began | ended | failed |
/// |---|---|---|---|
/// | `launching` | | `launched` | `refused` |
/// | `launched` | `activating` | | |
/// | `activating` | | `launched` | |
/// | `refused` | | | |
enum RestorePhase: Hashable, CaseIterable {
  /// The tree is launched with what was saved.
  case launching
  /// The launch was refused, because a RIB could not be restored. Nothing of the tree follows.
  case refused
  /// Records wait for the activation of a covered RIB, a restart, or a child that code attaches.
  case launched
  /// A RIB is activated with what was attached below it.
  case activating

  enum Event: CaseIterable {
    /// A RIB is activated, and none above it.
    case began
    /// Its activation has ended; at the launch, that of the root.
    case ended
    /// A RIB could not be restored, so the tree ends.
    case failed
  }

  /// The phase after an event; nil if it changes nothing.
  func after(_ event: Event) -> RestorePhase? {
    switch (self, event) {
    case (.launching, .ended), (.activating, .ended): .launched
    case (.launching, .failed): .refused
    case (.launched, .began): .activating
    default: nil
    }
  }

  /// Whether the launch has ended, and was not refused.
  var isLaunched: Bool { self == .launched || self == .activating }
}
