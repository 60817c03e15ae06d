// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What is unsaved of a tree, and what happens to it.
///
/// All transitions:
///
/// | from | requested | pause began | pause ended | captured | ended | vanished | succeeded | failed |
/// |---|---|---|---|---|---|---|---|---|
/// | `saved` | `scheduled` | | | | | | | |
/// | `failed` | `scheduled` | | | | `scheduled` | | | |
/// | `scheduled` | | `pausing` | | `saving` | | `failed` | | |
/// | `pausing` | | | `scheduled` | | `scheduled` | | | |
/// | `saving` | `savingChanged` | | | | `savingSpare` | | `saved` | `failed` |
/// | `savingChanged` | | | | | | | `scheduled` | `scheduled` |
/// | `savingSpare` | | | | | | | `saved` | `scheduled` |
enum SaveState: Hashable, CaseIterable {
  /// All changes are saved.
  case saved
  /// The last save has failed, or the tree has ended without one. The changes wait for a request, or for the end.
  case failed
  /// A task captures the tree after the current turn, or saves the copy from its end.
  case scheduled
  /// A timer runs until the next save may begin that nothing waits for.
  case pausing
  /// A task saves what it has captured.
  case saving
  /// It does, and the tree has changed since the capture.
  case savingChanged
  /// It does, and the tree has ended unchanged. The copy from its end is saved if this save fails.
  case savingSpare

  enum Event: CaseIterable {
    /// The tree has changed, or something waits for a save.
    case requested
    case pauseBegan
    case pauseEnded
    case captured
    /// The tree ends, and a copy of it was made.
    case ended
    /// The tree has ended without a copy, so its changes are lost.
    case vanished
    case succeeded
    case failed
  }

  /// The state after an event; nil if it changes nothing.
  func after(_ event: Event) -> SaveState? {
    switch (self, event) {
    case (.saved, .requested), (.failed, .requested), (.failed, .ended): .scheduled
    case (.scheduled, .pauseBegan): .pausing
    case (.scheduled, .captured): .saving
    case (.scheduled, .vanished): .failed
    case (.pausing, .pauseEnded), (.pausing, .ended): .scheduled
    case (.saving, .requested): .savingChanged
    case (.saving, .ended): .savingSpare
    case (.saving, .succeeded), (.savingSpare, .succeeded): .saved
    case (.saving, .failed): .failed
    case (.savingChanged, .succeeded), (.savingChanged, .failed), (.savingSpare, .failed): .scheduled
    default: nil
    }
  }
}
