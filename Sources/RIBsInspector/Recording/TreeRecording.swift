// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

/// A recording of the trees of a process; see `Inspector.start(recording:)`.
///
/// ```swift
/// let recording = try TreeRecording(contentsOf: "orders.ribs")
/// for tree in recording.trees {
///   print(tree.name)
///   for event in try recording.events(of: tree.id) where event.kind == "failed" {
///     print(event, try recording.snapshot(of: tree.id, after: event.number)?.text() ?? "")
///   }
/// }
/// ```
///
/// Opening a recording reads the file once, on all processors, and keeps an index of it. A snapshot or events are then
/// read from the file. A file that is truncated, damaged, or still being written is opened as far as it can be read; open
/// it again to see more.
public struct TreeRecording: Sendable {
  /// The process that was recorded.
  public struct Process: Sendable, Hashable {
    /// The process ID.
    public let id: Int32
    /// The name of the executable.
    public let name: String
  }

  /// Where a keyframe stands.
  private struct Keyframe {
    let segment: Int
    let offset: Int
    let time: Int64
    /// The number of the last event before it; 0 if there was none.
    let number: Int
    /// The number of recorded events before it.
    let position: Int
  }

  /// The process that was recorded.
  public let process: Process
  /// When the recording began, in seconds since 1970.
  public let start: Double
  /// The recorded trees, in the order of their IDs.
  public private(set) var trees: [RecordedTree] = []
  /// The number of events that were lost, because the recorder was too slow.
  public private(set) var lostEvents = 0
  /// What could not be read, and what was not recorded, each as a sentence.
  public private(set) var problems: [String] = []
  /// Whether the recording was ended by `Inspector.stop()`. If not, it may still be written, or the process has ended
  /// without stopping it.
  public private(set) var isComplete = false

  private let reader: RecordingReader
  /// The segments, and the bytes of their lines.
  private var segments: [(segment: RecordingReader.Segment, size: Int)] = []
  private var keyframes: [InspectedTree.ID: [Keyframe]] = [:]
  private var indexes: [InspectedTree.ID: Int] = [:]

  /// Opens a recording.
  ///
  /// - Parameter path: the path of the file.
  /// - Throws: an `InspectorError` if the file can't be read, or is not a recording.
  public init(contentsOf path: String) throws(InspectorError) {
    reader = RecordingReader(path: path)
    let (first, offset) = try TreeRecording.firstHeader(in: reader)
    process = Process(id: first.process, name: first.name)
    start = first.start
    // The beginning of a file that is damaged or cut off there is missing.
    if offset > 0 { problems.append("The file can't be read before byte \(offset).") }
    var position = offset % first.size
    var found: [RecordingReader.Segment] = []
    while true {
      let bytes = try reader.read(at: position, 4_096)
      if bytes.isEmpty { break }
      if let header = TreeRecording.header(of: bytes), header.size == first.size, header.start == first.start {
        found.append(RecordingReader.Segment(offset: position, header: header))
      } else if position >= offset, bytes.first != 0x0A {
        problems.append("The segment at byte \(position) is damaged: it has no header.")
      }
      position += first.size
    }
    found.sort { $0.header.sequence < $1.header.sequence }
    for index in try SegmentIndex.indexes(of: found, in: reader) { add(index) }
    trees.sort { $0.id < $1.id }
    indexes = Dictionary(uniqueKeysWithValues: trees.enumerated().map { ($1.id, $0) })
  }

  // MARK: Index

  /// The first header of a segment, and where it stands.
  private static func firstHeader(
    in reader: RecordingReader
  ) throws(InspectorError) -> (header: RecordingReader.Header, offset: Int) {
    let bytes = try reader.read(at: 0, 4_096)
    if bytes.isEmpty { throw InspectorError(.recording, "The recording \(reader.path) is empty.") }
    if let header = header(of: bytes) { return (header, 0) }
    // The first segment may be damaged, or about to be overwritten.
    let mark = Array(#"{"segment":"#.utf8)
    var offset = 0
    while true {
      let bytes = try reader.read(at: offset, 1 << 20)
      if bytes.count < mark.count { break }
      var start = 0
      while let found = bytes[start...].firstIndex(of: mark[0]) {
        if bytes[found...].starts(with: mark), let header = header(of: try reader.read(at: offset + found, 4_096)) {
          return (header, offset + found)
        }
        start = found + 1
      }
      offset += bytes.count - mark.count + 1
    }
    throw InspectorError(.recording, "The file \(reader.path) is not a recording of trees, or none of it can be read.")
  }

  private static func header(of bytes: [UInt8]) -> RecordingReader.Header? {
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    return RecordedValue(bytes[..<end]).flatMap { RecordingReader.Header($0) }
  }

  /// Adds the trees of a segment.
  private mutating func add(_ index: SegmentIndex) {
    for tree in index.trees { add(tree) }
    segments.append((index.segment, index.size))
    lostEvents = lostEvents.addingReportingOverflow(index.lostEvents).partialValue
    problems += index.problems
    if index.isLast { isComplete = true }
  }

  private mutating func add(_ tree: SegmentIndex.Tree) {
    if let index = indexes[tree.id] {
      trees[index].lostEvents = trees[index].lostEvents.addingReportingOverflow(tree.lostEventsBefore).partialValue
      if tree.hasEndedBefore { trees[index].hasEnded = true }
    }
    guard let first = tree.keyframes.first else { return }
    let index = indexes[tree.id] ?? trees.count
    if index == trees.count {
      let time = Duration.nanoseconds(first.time)
      let value = tree.description
      indexes[tree.id] = index
      trees.append(
        RecordedTree(
          id: tree.id, name: value?["name"]?.text ?? "", labels: value?.labels ?? [:],
          launched: value?["launched"]?.wallTime ?? start, time: time...time))
    }
    let events = trees[index].events
    keyframes[tree.id, default: []] += tree.keyframes.map { keyframe in
      Keyframe(
        segment: segments.count, offset: keyframe.offset, time: keyframe.time, number: keyframe.number,
        position: events + keyframe.position)
    }
    trees[index].events += tree.events
    trees[index].lostEvents = trees[index].lostEvents.addingReportingOverflow(tree.lostEvents).partialValue
    if tree.hasEnded { trees[index].hasEnded = true }
    let (range, latest) = (trees[index].time, Duration.nanoseconds(tree.latest))
    if latest > range.upperBound { trees[index].time = range.lowerBound...latest }
  }

  // MARK: Moments

  /// A tree at a time: after the last event that is not later.
  ///
  /// - Parameters:
  ///   - id: the tree.
  ///   - time: the time since the launch of the tree, as in its events.
  /// - Returns: nil if the recording does not contain the tree at this time, or the tree has ended. Events before this
  ///   time may be lost; see `RecordedTree.lostEvents`.
  /// - Throws: an `InspectorError` if there is no such tree, or the file has changed.
  /// - Complexity: linear in the size of a segment.
  public func snapshot(of id: InspectedTree.ID, at time: Duration) throws(InspectorError) -> TreeSnapshot? {
    let instant = time.wholeNanoseconds
    guard indexes[id] != nil, let keyframes = keyframes[id] else { throw unknown(id) }
    guard let keyframe = keyframes.last(where: { $0.time <= instant }) else { return nil }
    guard let fold = try fold(of: id, from: keyframe, upTo: instant), !fold.isEmpty else { return nil }
    return fold.snapshot(at: time)
  }

  /// A tree after an event, also if other events have the same time.
  ///
  /// - Parameters:
  ///   - id: the tree.
  ///   - number: the number of the event, as in `InspectedEvent.number`; the one before the first event for the beginning.
  /// - Returns: nil if the recording does not contain the event, or the tree has no RIBs after it: it has ended, or is
  ///   about to be launched.
  /// - Throws: an `InspectorError` if there is no such tree, or the file has changed.
  /// - Complexity: linear in the size of a segment.
  public func snapshot(of id: InspectedTree.ID, after number: Int) throws(InspectorError) -> TreeSnapshot? {
    guard indexes[id] != nil, let keyframes = keyframes[id] else { throw unknown(id) }
    guard let keyframe = keyframes.last(where: { $0.number <= number }) else { return nil }
    let fold = try fold(of: id, from: keyframe, upTo: .max, number: number)
    guard let fold, fold.number == number, !fold.isEmpty else { return nil }
    return fold.snapshot()
  }

  /// Folds the events after a keyframe, up to a time and to an event with a number.
  private func fold(
    of id: InspectedTree.ID, from keyframe: Keyframe, upTo instant: Int64, number: Int = .max
  ) throws(InspectorError) -> TreeFold? {
    var fold: TreeFold?
    try forEachLine(of: id, in: keyframe.segment, from: keyframe.offset) { line, kind, names in
      switch kind {
      case .keyframe:
        guard fold == nil else { return false }
        fold = RecordedValue(line).flatMap { TreeFold($0, names) }
        return fold != nil
      case .event(_, let time, let isEnd):
        guard time <= instant, let last = fold?.number, last < number,
          let changes = RecordingReader.changes(of: line, names)
        else { return false }
        fold?.apply(changes, time: .nanoseconds(time), isEnd: isEnd)
        return true
      case .ended:
        if let last = fold?.number, last < number { fold?.end() }
        return false
      default: return false
      }
    }
    return fold
  }

  /// The events of a tree, in order.
  ///
  /// - Parameters:
  ///   - id: the tree.
  ///   - range: the times since the launch of the tree; nil for all.
  /// - Throws: an `InspectorError` if there is no such tree, or the file has changed.
  public func events(
    of id: InspectedTree.ID, in range: ClosedRange<Duration>? = nil
  ) throws(InspectorError) -> [InspectedEvent] {
    let times = range.map { $0.lowerBound.wholeNanoseconds...$0.upperBound.wholeNanoseconds }
    return try events(of: id) { time, _ in
      guard let times else { return .taken }
      return time > times.upperBound ? .after : time < times.lowerBound ? .before : .taken
    }
  }

  /// Some of the recorded events of a tree, in order.
  ///
  /// - Parameters:
  ///   - id: the tree.
  ///   - positions: which of the `RecordedTree.events` events, from 0.
  /// - Throws: an `InspectorError` if there is no such tree, or the file has changed.
  public func events(of id: InspectedTree.ID, at positions: Range<Int>) throws(InspectorError) -> [InspectedEvent] {
    try events(of: id) { _, position in
      position >= positions.upperBound ? .after : position < positions.lowerBound ? .before : .taken
    }
  }

  /// The number of recorded events of a tree up to a time.
  ///
  /// - Throws: an `InspectorError` if there is no such tree, or the file has changed.
  public func eventCount(of id: InspectedTree.ID, upTo time: Duration) throws(InspectorError) -> Int {
    guard indexes[id] != nil, let keyframes = keyframes[id] else { throw unknown(id) }
    let instant = time.wholeNanoseconds
    guard let keyframe = keyframes.last(where: { $0.time <= instant }) else { return 0 }
    var count = keyframe.position
    try forEachLine(of: id, in: keyframe.segment, from: keyframe.offset) { _, kind, _ in
      guard case .event(_, let time, _) = kind else { return true }
      if time <= instant { count += 1 }
      return time <= instant
    }
    return count
  }

  /// Calls a closure with each recorded event of a tree in order, and the fold that shows the tree after it.
  ///
  /// It reads each part of the file once, unlike `snapshot(of:after:)` for each event.
  ///
  /// - Parameters:
  ///   - id: the tree.
  ///   - number: the number of the event after which it begins; nil for all events.
  ///   - body: returns whether to continue.
  /// - Throws: an `InspectorError` if there is no such tree, or the file has changed.
  public func forEachEvent(
    of id: InspectedTree.ID, after number: Int? = nil, _ body: (InspectedEvent, TreeFold) -> Bool
  ) throws(InspectorError) {
    guard indexes[id] != nil, let keyframes = keyframes[id] else { throw unknown(id) }
    var last = -1
    var continues = true
    for (index, keyframe) in keyframes.enumerated() where keyframe.segment != last {
      last = keyframe.segment
      if let number, let next = keyframes[index...].first(where: { $0.segment != last }), next.number <= number {
        continue
      }
      var fold: TreeFold?
      try forEachLine(of: id, in: keyframe.segment, from: keyframe.offset) { line, kind, names in
        switch kind {
        case .keyframe:
          fold = RecordedValue(line).flatMap { TreeFold($0, names) }
          return fold != nil
        case .event:
          guard let last = fold?.number,
            let event = RecordedValue(line).flatMap({ InspectedEvent($0, number: last + 1, names) })
          else { return false }
          fold?.apply(event)
          if let fold, number.map({ event.number > $0 }) ?? true { continues = body(event, fold) }
          return continues
        default: return true
        }
      }
      if !continues { return }
    }
  }

  /// Where an event stands compared with those that are wanted.
  private enum Side {
    case before, taken, after
  }

  /// The events that a closure chooses by their times and positions. Both ascend.
  private func events(
    of id: InspectedTree.ID, _ side: (_ time: Int64, _ position: Int) -> Side
  ) throws(InspectorError) -> [InspectedEvent] {
    guard indexes[id] != nil, let keyframes = keyframes[id] else { throw unknown(id) }
    var events: [InspectedEvent] = []
    var last = -1
    for (index, keyframe) in keyframes.enumerated() where keyframe.segment != last {
      last = keyframe.segment
      if side(keyframe.time, keyframe.position) == .after { break }
      if let next = keyframes[index...].first(where: { $0.segment != last }), side(next.time, next.position) == .before
      {
        continue
      }
      var number = 0
      var position = keyframe.position
      try forEachLine(of: id, in: keyframe.segment, from: keyframe.offset) { line, kind, names in
        switch kind {
        case .keyframe(_, _, let last): number = last
        case .event(_, let time, _):
          number = number.addingReportingOverflow(1).partialValue
          defer { position += 1 }
          switch side(time, position) {
          case .before: break
          case .after: return false
          case .taken:
            guard let event = RecordedValue(line).flatMap({ InspectedEvent($0, number: number, names) }) else {
              return false
            }
            events.append(event)
          }
        default: break
        }
        return true
      }
    }
    return events
  }

  private func unknown(_ id: InspectedTree.ID) -> InspectorError {
    let known = trees.prefix(20).map { String($0.id) }.joined(separator: ", ")
    return InspectorError(
      .recording, "The recording has no tree \(id). \(known.isEmpty ? "It has none." : "It has: \(known).")")
  }

  /// Calls a closure for each line of a tree in a segment, until it returns false.
  private func forEachLine(
    of tree: InspectedTree.ID, in number: Int, from offset: Int,
    _ body: (UnsafeRawBufferPointer, RecordingReader.Line, RecordedNames) -> Bool
  ) throws(InspectorError) {
    let (segment, size) = segments[number]
    let bytes = try reader.read(at: segment.offset, size)
    guard TreeRecording.header(of: bytes)?.sequence == segment.header.sequence else {
      throw InspectorError(.recording, "The recording has overwritten this part since it was opened. Open it again.")
    }
    var names = RecordedNames()
    RecordingReader.forEachLine(in: bytes) { range, line in
      guard let kind = RecordingReader.kind(of: line) else { return false }
      switch kind {
      case .definition:
        guard let value = RecordedValue(line) else { return false }
        names.add(value)
        return true
      case .keyframe(tree, _, _), .event(tree, _, _), .ended(tree):
        return range.lowerBound < offset || body(line, kind, names)
      case .lost:
        guard range.lowerBound > offset, let value = RecordedValue(line), value["tree"]?.int == tree else {
          return true
        }
        return body(line, kind, names)
      default: return true
      }
    }
  }
}
