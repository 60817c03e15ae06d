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

  /// A file of limited size, which is replaced if it exists. Read it with `TreeRecording`.
  ///
  /// The file is a ring: when it is full, the oldest eighth is overwritten, or less in a large file. Everything that is
  /// in it can be shown: each tree has a keyframe there.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - bytes: the size of the file at most, and at least 64 KB. A tree that needs more than a sixteenth of it for a
  ///     keyframe, about 40 bytes for each RIB, is not recorded.
  ///   - summaries: decides which summaries are recorded. Called on the recorder's thread, about once a second for each
  ///     RIB with a summary in a tree that has changed. Nil to record none, because they may contain secrets.
  public static func file(_ path: String, upTo bytes: Int, summaries: Summaries? = nil) -> Recording {
    Recording(path: path, limit: max(bytes, 65_536), summaries: summaries)
  }

  /// The size of a segment of the file.
  var segmentSize: Int { min(limit / 8, 8 * 1_024 * 1_024) }
}
