// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Where an inspector records the events of its trees. See `Inspector.start(recording:)`.
public struct Recording: Sendable {
  /// Decides what is recorded of a RIB's `treeSummary`: it returns the text to record, or nil for none.
  public typealias Summaries = @Sendable (_ path: [String], _ summary: String) -> String?

  let path: String
  let limit: Int
  let summaries: Summaries?
  /// The number of events that wait to be written at most. Further events are lost.
  var capacity = 32_768

  /// A file of limited size. Read it with `TreeRecording`.
  ///
  /// `Inspector.start(recording:)` empties a file that exists, whatever it contains: an earlier recording is gone then, so
  /// move it away first or use another path. A symbolic link is refused with an `InspectorError`, and its target stays as
  /// it is. So is a file that another inspector is writing: processes that run at the same time need a path each.
  ///
  /// The file is a ring of segments: when it is full, the oldest segment is overwritten, an eighth of the file or 8 MB.
  /// Before that, the trees whose last keyframe is in this segment get a new one, as long as these take less than half a
  /// segment. The others are missing in the file until their next event, which happens with many quiet trees in a small
  /// file. Only the owner of the file can read it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - bytes: the size of the file at most, and at least 64 KB. A tree whose keyframe takes more than half a segment, a
  ///     sixteenth of the file or 4 MB, may not be recorded. It takes about 40 bytes for each RIB.
  ///   - summaries: decides which summaries are recorded. Called on the recorder's thread, about once a second for each
  ///     RIB with a summary in a tree that has changed. Nil to record none, because they may contain secrets.
  public static func file(_ path: String, upTo bytes: Int, summaries: Summaries? = nil) -> Recording {
    Recording(path: path, limit: max(bytes, 65_536), summaries: summaries)
  }

  /// The size of a segment of the file.
  var segmentSize: Int { min(limit / 8, 8 * 1_024 * 1_024) }
}
