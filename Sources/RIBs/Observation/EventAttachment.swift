// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What the events of a tree carry for the inspector that observes it.
final class EventAttachment: Sendable {
  let edits: [TreeEdit]
  let snapshot: TreeSnapshot?

  init(_ edits: [TreeEdit], _ snapshot: TreeSnapshot?) {
    self.edits = edits
    self.snapshot = snapshot
  }
}

extension TreeEvent {
  private var forInspector: EventAttachment? { attachment as? EventAttachment }

  /// What a fold of the events needs beside this event; empty if no inspector observes the tree.
  package var edits: [TreeEdit] { forInspector?.edits ?? [] }

  /// The tree when the event was emitted, without summaries, if an inspector has requested it.
  package var snapshot: TreeSnapshot? { forInspector?.snapshot }
}
