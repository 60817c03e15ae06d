// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Collects what the events of a tree carry for an inspector, at the moments of RIBs and of work between two events.
///
/// There is one while the tree is observed through its `TreeHandle`.
package protocol EventNotes: AnyObject {
  /// The moments at which this is called.
  var moments: TreeMoments { get }

  func node(_ moment: TreeMoments, _ node: RouterNode)
  func work(_ moment: TreeMoments, _ task: BoundTask, in tree: TreeCore)
  func worker(_ moment: TreeMoments, _ worker: TaskOwner, at index: Int, of node: NodeID)

  /// Called with an event that this follows, before its attachment is taken.
  func receive(_ event: TreeEvent)

  /// What an event carries, as `TreeEvent.attachment`; nil for nothing.
  func attachment(of event: TreeEvent, in tree: TreeCore) -> (any AnyObject & Sendable)?
}

/// The part of a tree that calls the notes of its inspector.
final class EventNotesPart: TaskPart {
  let notes: any EventNotes

  init(_ notes: any EventNotes) {
    self.notes = notes
    super.init(notes.moments)
  }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) { notes.node(moment, node) }

  override func work(_ moment: TreeMoments, _ task: BoundTask, in tree: TreeCore) { notes.work(moment, task, in: tree) }

  override func worker(_ moment: TreeMoments, _ worker: TaskOwner, at index: Int, of node: NodeID) {
    notes.worker(moment, worker, at: index, of: node)
  }

  override func receive(_ event: TreeEvent, in tree: TreeCore) { notes.receive(event) }
}

extension TreeCore {
  /// The notes for the events, while an inspector observes the tree.
  package var eventNotes: (any EventNotes)? { part(EventNotesPart.self)?.notes }
}
