// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector

/// The page of `ribs serve` with a recorded tree in it: one file, which loads nothing and needs no server.
struct StandalonePage {
  /// The maximum number of events in a page, and of the bytes that they take in it.
  static let mostEvents = 20_000
  static let mostBytes = 16 * 1_024 * 1_024
  static let limits = "at most 20,000 events and 16 MB of them"

  let html: String
  /// A note about events that the page omits; nil if it contains all.
  let note: String?

  private struct Contents: Encodable {
    let process: ListedProcess
    let trees: TreeLists.Changes
    let part: ServedRecording.Part
    /// What to show first: the time, and the number of the last event, or none for all up to the time.
    let time: Int64
    let number: Int?
    let note: String?
  }

  /// - Parameters:
  ///   - moment: the moment that the page shows first; nil for the last one at which the tree has RIBs.
  ///   - mostEvents: the maximum number of events.
  ///   - mostBytes: the maximum number of bytes that they take.
  init(
    of tree: RecordedTree, in recording: TreeRecording, at moment: Moment?, mostEvents: Int = StandalonePage.mostEvents,
    mostBytes: Int = StandalonePage.mostBytes
  ) throws {
    let served = ServedRecording(recording: recording)
    var time: Int64?
    var number: Int?
    switch moment {
    case nil: break
    case .time(let instant): time = instant.nanoseconds
    case .event(let event):
      number = event
      let known = try recording.events(of: tree.id).first { $0.number == event }
      time = (known?.time ?? tree.time.lowerBound).nanoseconds
    }
    var most = mostEvents
    var part = try served.part(of: tree, around: time, most: most)
    while most > 1, try part.events.count > mostEvents || JSONEncoder().encode(part.events).count > mostBytes {
      most /= 2
      part = try served.part(of: tree, around: time, most: most)
    }
    let isWhole = part.from == part.start && part.to == part.end
    note =
      isWhole
      ? nil
      : "the page has \(part.events.count) of \(tree.events) events, from \(StandalonePage.text(part.from)) to "
        + "\(StandalonePage.text(part.to)); the recording goes from \(StandalonePage.text(part.start)) to "
        + StandalonePage.text(part.end)
    // The slider covers the part that the page contains.
    part.start = part.from
    part.end = part.to
    let contents = Contents(
      process: ListedProcess(
        key: ServedRecording.key, name: recording.process.name, pid: recording.process.id, isRecorded: true),
      trees: TreeLists.Changes(version: 1, trees: [ServedRecording.listed(tree)]), part: part,
      time: time ?? tree.lastTime.nanoseconds,
      number: number, note: note)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    html = Page.html(
      nonce: AccessToken().text, recording: String(decoding: try encoder.encode(contents), as: UTF8.self))
  }

  private static func text(_ nanoseconds: Int64) -> String { "\(Duration.nanoseconds(nanoseconds).secondsText) s" }
}
