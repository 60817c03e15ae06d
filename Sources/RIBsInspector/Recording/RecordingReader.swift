// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Reads the segments of a recording.
struct RecordingReader: Sendable {
  /// The kind of a line, found by its beginning, which is much faster than parsing the line.
  enum Line {
    /// The tree after the event with a number.
    case keyframe(InspectedTree.ID, time: Int64, number: Int)
    /// An event, which may be the end of the tree.
    case event(InspectedTree.ID, time: Int64, isEnd: Bool)
    case definition
    case lost
    case ended(InspectedTree.ID)
    case segment
    case stopped
  }

  /// The header of a segment.
  struct Header: Sendable {
    let sequence: Int
    let size: Int
    let process: Int32
    let name: String
    let start: Double

    init?(_ line: RecordedValue) {
      guard line["recording"]?.integer == 1, let sequence = line["segment"]?.int, sequence >= 0,
        let size = line["size"]?.int, size >= 4_096, size <= 1 << 30, let process = line["process"]?.integer,
        let name = line["name"]?.text, let start = line["start"]?.wallTime
      else { return nil }
      self.sequence = sequence
      self.size = size
      self.process = Int32(clamping: process)
      self.name = name
      self.start = start
    }
  }

  /// A segment of the file.
  struct Segment: Sendable {
    let offset: Int
    let header: Header
  }

  /// The numbers of events. Larger ones are those of a damaged file.
  static let numbers = 0..<(1 << 53)
  /// The times of events and keyframes, in nanoseconds since the launch of the tree: up to 146 years.
  static let times = Int64(0)..<(1 << 62)

  let path: String

  /// Reads a part of the file; less at its end.
  func read(at offset: Int, _ count: Int) throws(InspectorError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable }
    defer { close(descriptor) }
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var done = 0
      while done < count {
        result = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { break }
        done += result
      }
      filled = done
    }
    guard result >= 0 else { throw unreadable }
    return bytes
  }

  private var unreadable: InspectorError {
    InspectorError(.recording, "The recording \(path) can't be read: \(SystemCalls.lastError).")
  }

  /// Calls a closure for each line, until it returns false. The lines end with an empty or an incomplete one.
  ///
  /// - Returns: where the lines end, and whether the last one is incomplete.
  @discardableResult
  static func forEachLine(
    in bytes: [UInt8], from start: Int = 0, _ body: (Range<Int>, UnsafeRawBufferPointer) -> Bool
  ) -> (end: Int, isIncomplete: Bool) {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return (0, false) }
      var position = start
      while position < buffer.count {
        guard let found = memchr(base + position, 0x0A, buffer.count - position) else { return (position, true) }
        let end = UnsafeRawPointer(found) - base
        guard end > position else { return (position, false) }
        guard body(position..<end, UnsafeRawBufferPointer(rebasing: buffer[position..<end])) else {
          return (position, false)
        }
        position = end + 1
      }
      return (position, false)
    }
  }

  /// The kind of a line; nil if it belongs to no recording.
  static func kind(of line: UnsafeRawBufferPointer) -> Line? {
    var head = Head(bytes: line)
    if head.take(#"{"tree":"#) {
      guard let id = head.number(), let time = head.time() else { return nil }
      return .event(id, time: time, isEnd: head.take(#","event":"ended""#))
    }
    if head.take(#"{"keyframe":"#) {
      guard let id = head.number(), let time = head.time(), head.take(#","number":"#), let number = head.number(),
        RecordingReader.numbers.contains(number)
      else { return nil }
      return .keyframe(id, time: time, number: number)
    }
    if head.take(#"{"define":"#) { return .definition }
    if head.take(#"{"lost":"#) { return .lost }
    if head.take(#"{"ended":"#) { return head.number().map { .ended($0) } }
    if head.take(#"{"segment":"#) { return .segment }
    if head.take(#"{"stopped":"#) { return .stopped }
    return nil
  }

  /// The changes of an event, without parsing the rest of its line; nil if they can't be read.
  static func changes(of line: UnsafeRawBufferPointer, _ names: RecordedNames) -> [InspectedEdit]? {
    // It does not occur in a text, whose quotation marks are escaped.
    let mark: StaticString = #","changes":["#
    let count = mark.utf8CodeUnitCount
    guard let base = line.baseAddress, line.last == UInt8(ascii: "}") else { return nil }
    var position = 0
    while position + count < line.count {
      if line[position] == UInt8(ascii: ","), memcmp(base + position, mark.utf8Start, count) == 0 {
        return RecordedValue(line[(position + count - 1)..<(line.count - 1)])?.list?.compactMap {
          InspectedEdit($0.list ?? [], names)
        }
      }
      position += 1
    }
    return []
  }

  /// Reads the beginning of a line.
  private struct Head {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    /// Compares eight bytes at a time, because it is called several times for each line.
    @inline(__always)
    mutating func take(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard bytes.count - position >= count, let base = bytes.baseAddress else { return false }
      let (start, text) = (base + position, UnsafeRawPointer(text.utf8Start))
      var index = 0
      while index + 8 <= count {
        guard
          start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            == text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        else { return false }
        index += 8
      }
      while index < count {
        guard start.load(fromByteOffset: index, as: UInt8.self) == text.load(fromByteOffset: index, as: UInt8.self)
        else { return false }
        index += 1
      }
      position += count
      return true
    }

    mutating func number() -> Int? {
      let isNegative = take("-")
      var value = 0
      let start = position
      while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39, position - start < 19 {
        value = value &* 10 &+ Int(bytes[position] - 0x30)
        position += 1
      }
      return position > start ? (isNegative ? 0 &- value : value) : nil
    }

    mutating func time() -> Int64? {
      guard take(#","time":"#), let time = number().map({ Int64($0) }), RecordingReader.times.contains(time) else {
        return nil
      }
      return time
    }
  }
}

/// The numbered names of a segment.
struct RecordedNames {
  private var texts: [Int: String] = [:]
  private var paths: [Int: (names: [String], labels: [String]?)] = [:]
  private var ribs: [Int: RIBNames] = [:]

  mutating func add(_ line: RecordedValue) {
    guard let number = line["define"]?.int else { return }
    if let text = line["text"]?.text { texts[number] = text }
    if let path = line["path"]?.list {
      paths[number] = (path.compactMap(\.text), line["labels"]?.list?.compactMap(\.text))
    }
    if let rib = line["rib"]?.list { ribs[number] = RIBNames(rib[...]) }
  }

  func text(_ value: RecordedValue?) -> String? { value?.int.flatMap { texts[$0] } }
  func path(_ value: RecordedValue?) -> (names: [String], labels: [String]?)? { value?.int.flatMap { paths[$0] } }
  func rib(_ value: RecordedValue?) -> RIBNames? { value?.int.flatMap { ribs[$0] } }
}

extension RIBNames {
  fileprivate init?(_ values: ArraySlice<RecordedValue>) {
    let texts = values.compactMap(\.text)
    guard texts.count == 3, case .bool(let hasView)? = values.last else { return nil }
    self.init(name: texts[0], router: texts[1], interactor: texts[2], hasView: hasView)
  }
}

extension InspectedEvent {
  /// Decodes an event of a recording.
  init?(_ line: RecordedValue, number: Int, _ names: RecordedNames) {
    guard let tree = line["tree"]?.int, let time = line["time"]?.integer, let kind = line["event"]?.text else {
      return nil
    }
    let path = names.path(line["path"])
    self.init(
      tree: tree, number: number, kind: kind, node: line["node"]?.id.map { NodeID($0) },
      parent: line["parent"]?.id.map { NodeID($0) }, path: path?.names ?? [], labels: path?.labels,
      timeNanoseconds: time,
      durationNanoseconds: line["duration"]?.integer, work: names.text(line["work"]),
      workflow: names.text(line["workflow"]), worker: names.text(line["worker"]), message: line["message"]?.text,
      changes: line["changes"]?.list?.compactMap { InspectedEdit($0.list ?? [], names) })
  }
}

extension InspectedEdit {
  fileprivate init?(_ values: [RecordedValue], _ names: RecordedNames) {
    guard let word = values.first?.text, values.count > 1, let id = values[1].id else { return nil }
    func integer(_ index: Int) -> Int64? { index < values.count ? values[index].integer : nil }
    func int(_ index: Int) -> Int? { integer(index).flatMap { Int(exactly: $0) } }
    switch word {
    case "insert":
      guard let parent = integer(2).flatMap({ UInt64(exactly: $0) }), let place = integer(3), values.count > 4,
        let rib = names.rib(values[4])
      else { return nil }
      self = .inserted(
        id, parent: parent, Place(number: place), rib, label: values.count > 5 ? values[5].text : nil)
    case "move":
      guard let place = integer(2) else { return nil }
      self = .moved(id, Place(number: place))
    case "remove": self = .removed(id)
    case "activate":
      guard let since = integer(2) else { return nil }
      self = .activated(id, since: since)
    case "resigning": self = .resigning(id)
    case "resign": self = .resigned(id)
    case "work":
      guard let rib = integer(2).flatMap({ UInt64(exactly: $0) }), let worker = int(3), values.count > 4,
        let name = names.text(values[4])
      else { return nil }
      self = .workStarted(id, rib, worker: worker, name, until: integer(5))
    case "workEnd": self = .workEnded(id)
    case "worker":
      guard values.count > 2, let type = names.text(values[2]) else { return nil }
      self = .workerStarted(id, type)
    case "workerStop":
      guard let index = int(2) else { return nil }
      self = .workerStopped(id, index)
    case "restart":
      guard let made = int(2), let limit = int(3) else { return nil }
      self = .restarted(id, made: made, limit: limit)
    default: return nil
    }
  }
}

extension TreeFold {
  /// Begins with a keyframe of a recording.
  init?(_ line: RecordedValue, _ names: RecordedNames) {
    guard let time = line["time"]?.integer, RecordingReader.times.contains(time),
      let number = line["number"]?.int, RecordingReader.numbers.contains(number),
      let ribs = line["ribs"]?.list
    else { return nil }
    self.init(name: line["tree"]?.text, labels: line.labels)
    begin(at: .nanoseconds(time), number: number, count: ribs.count)
    for rib in ribs {
      guard let values = rib.list, values.count >= 3, let id = values[0].id, let parent = values[1].id,
        let names = names.rib(values[2])
      else { continue }
      apply(.inserted(id, parent: parent, .last, names))
      guard values.count >= 5, let since = values[4].integer else { continue }
      apply(.activated(id, since: since))
      if values[3].integer == 2 { apply(.resigning(id)) }
    }
    for worker in line["workers"]?.list ?? [] {
      guard let values = worker.list, values.count == 2, let id = values[0].id, let type = names.text(values[1]) else {
        continue
      }
      apply(.workerStarted(id, type))
    }
    for work in line["work"]?.list ?? [] {
      guard let values = work.list, values.count >= 4, let id = values[0].id, let worker = values[1].int,
        let number = values[2].id, let name = names.text(values[3])
      else { continue }
      apply(.workStarted(number, id, worker: worker, name, until: values.count > 4 ? values[4].integer : nil))
    }
    for restarts in line["restarts"]?.list ?? [] {
      guard let values = restarts.list, values.count == 3, let id = values[0].id, let made = values[1].int,
        let limit = values[2].int
      else { continue }
      apply(.restarted(id, made: made, limit: limit))
    }
    for field in ["subscriptions", "summaries", "ribLabels"] {
      for item in line[field]?.list ?? [] {
        guard let values = item.list, values.count == 2, let id = values[0].id else { continue }
        let text = values[1].text
        if field == "ribLabels" { note(id, label: text) } else { note(id, subscriptions: values[1].int, summary: text) }
      }
    }
  }
}

extension RecordedValue {
  var labels: [String: String] {
    guard case .fields(let fields)? = self["labels"] else { return [:] }
    return Dictionary(fields.compactMap { name, value in value.text.map { (name, $0) } }) { first, _ in first }
  }
}
