// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// The contents of a segment of a recording, found by reading it once.
///
/// It depends on no other segment, so several segments are read at the same time.
struct SegmentIndex: Sendable {
  /// Where a keyframe stands.
  struct Keyframe: Sendable {
    let offset: Int
    let time: Int64
    /// The number of the last event before it; 0 if there was none.
    let number: Int
    /// The number of recorded events of its tree before it, in the segment.
    let position: Int
  }

  /// What the segment contains of a tree.
  struct Tree: Sendable {
    let id: InspectedTree.ID
    var keyframes: [Keyframe] = []
    /// The first keyframe without its RIBs; nil if an earlier segment has the names of the tree.
    var description: RecordedValue?
    /// The number of events that follow a keyframe.
    var events = 0
    /// The latest time of them, and of the keyframes.
    var latest: Int64 = 0
    var hasEnded = false
    var lostEvents = 0
    /// Whether no events are missing since the last keyframe.
    var isKnown = false
    /// What stands before the first keyframe: it belongs to the tree only if an earlier segment has the tree.
    var hasEndedBefore = false
    var lostEventsBefore = 0
  }

  let segment: RecordingReader.Segment
  /// The bytes of the lines.
  private(set) var size = 0
  private(set) var trees: [Tree] = []
  /// The number of lost events of all trees.
  private(set) var lostEvents = 0
  private(set) var problems: [String] = []
  /// Whether the recording was ended here.
  private(set) var isLast = false
  private var places: [InspectedTree.ID: Int] = [:]

  /// Reads segments.
  static func indexes(
    of segments: [RecordingReader.Segment], in reader: RecordingReader
  ) throws(InspectorError) -> [SegmentIndex] {
    let described = DescribedTrees()
    let results = Locked<[Int: Result<SegmentIndex, InspectorError>]>([:])
    DispatchQueue.concurrentPerform(iterations: segments.count) { number in
      let result = Result { () throws(InspectorError) in
        try SegmentIndex(of: segments[number], number, in: reader, described)
      }
      results.withLock { $0[number] = result }
    }
    var indexes: [SegmentIndex] = []
    for (_, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { indexes.append(try result.get()) }
    return indexes
  }

  /// The trees whose names are known from a segment, so that later segments need not parse them.
  private final class DescribedTrees: Sendable {
    private let firsts = Locked<[InspectedTree.ID: Int]>([:])

    func contains(_ id: InspectedTree.ID, before segment: Int) -> Bool {
      firsts.withLock { ($0[id] ?? .max) < segment }
    }

    func insert(_ id: InspectedTree.ID, from segment: Int) {
      firsts.withLock { $0[id] = min($0[id] ?? .max, segment) }
    }
  }

  private init(
    of segment: RecordingReader.Segment, _ number: Int, in reader: RecordingReader, _ described: DescribedTrees
  ) throws(InspectorError) {
    self.segment = segment
    let bytes = try reader.read(at: segment.offset, segment.header.size)
    let name = "the segment at byte \(segment.offset)"
    var unknown = 0
    var end: String?
    // Most events follow one of their own tree.
    var current = -1
    let read = RecordingReader.forEachLine(in: bytes) { range, line in
      guard let kind = RecordingReader.kind(of: line) else {
        end = "A line in \(name) can't be read. What follows in the segment is not shown."
        return false
      }
      switch kind {
      case .event(let id, let time, let isEnd):
        if current < 0 || trees[current].id != id { current = places[id] ?? -1 }
        guard current >= 0, trees[current].isKnown else {
          unknown += 1
          break
        }
        trees[current].events += 1
        if time > trees[current].latest { trees[current].latest = time }
        if isEnd { trees[current].hasEnded = true }
      case .keyframe(let id, let time, let eventNumber):
        let place = place(of: id)
        // A tree has the same names in all its keyframes.
        var isReadable = line.last == UInt8(ascii: "}")
        if isReadable, trees[place].keyframes.isEmpty, !described.contains(id, before: number) {
          trees[place].description = RecordedValue(line)?.without("ribs")
          isReadable = trees[place].description != nil
          if isReadable { described.insert(id, from: number) }
        }
        guard isReadable else {
          end = "A keyframe in \(name) can't be read. What follows in the segment is not shown."
          return false
        }
        trees[place].keyframes.append(
          Keyframe(offset: range.lowerBound, time: time, number: eventNumber, position: trees[place].events))
        trees[place].latest = max(trees[place].latest, time)
        trees[place].isKnown = true
      case .lost: if let value = RecordedValue(line) { addLoss(value) }
      case .ended(let id):
        let place = place(of: id)
        if trees[place].keyframes.isEmpty { trees[place].hasEndedBefore = true } else { trees[place].hasEnded = true }
      case .stopped: isLast = true
      case .definition, .segment: break
      }
      return true
    }
    size = read.end
    if let end {
      problems.append(end)
    } else if read.isIncomplete {
      problems.append("The last line in \(name) is incomplete, as in a recording that is still written or was cut off.")
    }
    if unknown > 0 { problems.append("\(unknown) events in \(name) belong to trees whose keyframe is missing.") }
  }

  private mutating func addLoss(_ value: RecordedValue) {
    let count = max(value["lost"]?.int ?? 0, 0)
    lostEvents = lostEvents.addingReportingOverflow(count).partialValue
    guard let id = value["tree"]?.int else { return }
    let place = place(of: id)
    trees[place].isKnown = false
    if trees[place].keyframes.isEmpty {
      trees[place].lostEventsBefore = trees[place].lostEventsBefore.addingReportingOverflow(count).partialValue
    } else {
      trees[place].lostEvents = trees[place].lostEvents.addingReportingOverflow(count).partialValue
    }
    if let message = value["message"]?.text { problems.append("Tree \(id) is not shown here: \(message)") }
  }

  private mutating func place(of id: InspectedTree.ID) -> Int {
    if let place = places[id] { return place }
    trees.append(Tree(id: id))
    places[id] = trees.count - 1
    return trees.count - 1
  }
}

extension RecordedValue {
  /// The value without one of its fields.
  fileprivate func without(_ field: String) -> RecordedValue {
    guard case .fields(let fields) = self else { return self }
    return .fields(fields.filter { $0.0 != field })
  }
}
