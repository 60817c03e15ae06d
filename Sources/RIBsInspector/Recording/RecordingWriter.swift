// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Writes the events of trees as segments of a recording.
///
/// ## Format
///
/// A recording is a file of lines of JSON, in segments of the same size. The segments form a ring: the one with the
/// lowest number is overwritten next. A segment can be read by itself. It begins with a header and ends with empty lines:
///
/// ```
/// {"segment":7,"recording":1,"size":8388608,"process":4711,"name":"taxi","start":1767225600.5}
/// {"define":1,"rib":["Trip","TripRouter","TripInteractor",false]}
/// {"keyframe":3,"time":0,"number":0,"name":"order-17:Root","launched":1767225601.25,"ribs":[…]}
/// {"define":2,"path":["Root","Trip"],"labels":["","7"]}
/// {"tree":3,"time":1500000,"event":"attached","node":9,"parent":4,"path":2,"changes":[["insert",9,4,-1,1]]}
/// {"lost":12,"tree":3}
/// {"lost":5}
/// {"ended":3}
/// {"stopped":true}
/// ```
///
/// `define` numbers the names of a RIB, a path or a text, until the number is defined again or the segment ends. A keyframe
/// is the tree at a time; the first event of a tree in a segment follows a keyframe. The labels of RIBs are empty or absent
/// for RIBs without one. `lost` counts the events that are missing before the next keyframe of a tree; without `tree`, those
/// of trees that have ended or are not recorded. Times are nanoseconds since the launch of the tree; `launched` and `start`
/// are seconds since 1970. `changes` are those of `InspectedEdit`, with numbers for names.
struct RecordingWriter {
  /// The recorded state of a tree.
  private struct Tree {
    let name: String
    let launched: Double
    var fold: TreeFold
    /// The segment of the last keyframe; -1 for none.
    var segment = -1
    /// The size of the last keyframe.
    var keyframeSize = 0
    /// The bytes of the events since the last keyframe.
    var eventSize = 0
    /// The segment that had no room for its keyframe.
    var tooLargeIn = -1
    /// The number of RIBs for which it had no room.
    var tooLargeCount = 0
    /// The number of events that were not written since the last keyframe.
    var unwritten = 0
  }

  /// An interned value.
  private enum Definition: Hashable {
    case text(String)
    case path([String], labels: [String]?)
    case rib(RIBNames)
  }

  /// The minimum number of bytes of events before another keyframe.
  static let leastEventSize = 131_072
  /// The number of definitions after which the table is reset. One line may have more.
  static let mostDefinitions = 16_384

  private let output: any RecordingOutput
  private let segmentSize: Int
  /// The number of segments in the ring; nil for no limit.
  private let segmentCount: Int?
  private let start = Date().timeIntervalSince1970
  private let process: (id: Int32, name: String)
  private var trees: [InspectedTree.ID: Tree] = [:]
  private var segment = -1
  /// The bytes of the current segment, with those in the buffer.
  private var used = 0
  private var buffer: [UInt8] = []
  private var definitions: [Definition: Int] = [:]
  private var lastDefinition = 0
  /// The lines of the definitions of the line that is being encoded.
  private var newDefinitions: [UInt8] = []
  /// The number of events that are not in the recording.
  private(set) var lost = 0

  /// - Parameter process: the process that the trees belong to.
  init(
    _ output: any RecordingOutput, segmentSize: Int, limit: Int?, process: (id: Int32, name: String)
  ) throws(InspectorError) {
    self.output = output
    self.segmentSize = segmentSize
    self.process = process
    segmentCount = limit.map { max($0 / segmentSize, 4) }
    try beginSegment()
    try flush()
  }

  // MARK: Trees

  /// Adds a tree that is about to be launched.
  mutating func launch(_ id: InspectedTree.ID, name: String, launched: Double, _ fold: TreeFold) {
    trees[id] = Tree(name: name, launched: launched, fold: fold)
  }

  /// Continues a tree with a keyframe of the live tree.
  mutating func append(_ keyframe: InspectedKeyframe, name: String, launched: Double) throws(InspectorError) {
    let unwritten = trees[keyframe.tree]?.unwritten ?? 0
    trees[keyframe.tree] = Tree(name: name, launched: launched, fold: TreeFold(keyframe), unwritten: unwritten)
    _ = try appendKeyframe(of: keyframe.tree)
  }

  /// Notes that events are missing.
  ///
  /// - Parameter id: their tree. A keyframe follows, unless it has ended. Nil if the trees are not known.
  mutating func appendLoss(_ count: Int, of id: InspectedTree.ID?) throws(InspectorError) {
    lost = lost.addingReportingOverflow(count).partialValue
    if let id { trees[id]?.segment = -1 }
    try append { line, _ in line.appendLoss(count, of: id) }
  }

  /// Removes a tree that has ended.
  mutating func end(_ id: InspectedTree.ID) throws(InspectorError) {
    guard let tree = trees.removeValue(forKey: id), !tree.fold.hasEnded || tree.unwritten > 0 else { return }
    try append { line, _ in
      if tree.unwritten > 0 { line.appendLoss(tree.unwritten, of: id, "\n") }
      line.append(#"{"ended":"#, id, "}")
    }
  }

  /// The number of the last event of a tree.
  func number(of id: InspectedTree.ID) -> Int { trees[id]?.fold.number ?? 0 }

  /// Writes an event of a tree, after a keyframe if that is needed.
  mutating func append(_ event: InspectedEvent) throws(InspectorError) {
    var event = event
    let id = event.tree
    guard let applied = trees[id]?.fold.takeApplied() else { return try appendLoss(1, of: id) }
    // The keyframe includes the first changes.
    if applied > 0, let changes = event.changes { event.changes = Array(changes.dropFirst(applied)) }
    if try !appendEvent(event, of: id) {
      lost += 1
      trees[id]?.unwritten += 1
    }
    trees[id]?.fold.apply(event.changes ?? [], time: event.time, isEnd: event.kind == "ended")
  }

  /// - Returns: whether it was written.
  private mutating func appendEvent(_ event: InspectedEvent, of id: InspectedTree.ID) throws(InspectorError) -> Bool {
    // Twice, because a new segment may begin.
    for attempt in 0..<2 {
      guard let tree = trees[id] else { return false }
      let isDue = tree.eventSize > max(RecordingWriter.leastEventSize, 2 * tree.keyframeSize)
      if tree.segment != segment || isDue, try !appendKeyframe(of: id) { return false }
      let before = used
      if try appendIfRoom({ line, writer in writer.encode(event, to: &line) }) {
        trees[id]?.eventSize += used - before
        return true
      }
      // Another segment would overwrite the oldest one, and have hardly more room.
      guard attempt == 0, used >= segmentSize / 4 else { break }
      try beginSegment()
    }
    // The next event needs a keyframe.
    trees[id]?.segment = -1
    return false
  }

  /// - Returns: whether it was written. A tree that is too large for the file is noted once in each segment for a size.
  private mutating func appendKeyframe(of id: InspectedTree.ID) throws(InspectorError) -> Bool {
    // Twice, because a new segment may begin.
    for _ in 0..<2 {
      guard let tree = trees[id] else { return false }
      // No further segment may begin, so a tree that has become much smaller is tried again.
      guard tree.tooLargeIn != segment || tree.fold.count <= tree.tooLargeCount / 2 else { return false }
      let before = used
      if tree.fold.count * 12 < segmentSize / 2,
        try appendIfRoom({ line, writer in
          if tree.unwritten > 0 { line.appendLoss(tree.unwritten, of: id, "\n") }
          writer.encodeKeyframe(id, tree, to: &line)
        })
      {
        trees[id]?.segment = segment
        trees[id]?.keyframeSize = used - before
        trees[id]?.eventSize = 0
        trees[id]?.unwritten = 0
        return true
      }
      if tree.fold.count * 12 >= segmentSize / 2 || used < segmentSize / 4 {
        trees[id]?.tooLargeIn = segment
        trees[id]?.tooLargeCount = tree.fold.count
        trees[id]?.segment = -1
        try append { line, _ in
          line.append(#"{"lost":0,"tree":"#, id, "")
          line.append(#","message":"#, text: "The tree has \(tree.fold.count) RIBs, too many for the file.", "}")
        }
        return false
      }
      try beginSegment()
    }
    return false
  }

  // MARK: Lines

  /// Appends a line, in a new segment if it does not fit into this one.
  private mutating func append(_ encode: (inout JSONLine, inout RecordingWriter) -> Void) throws(InspectorError) {
    if try appendIfRoom(encode) { return }
    try beginSegment()
    _ = try appendIfRoom(encode)
  }

  /// Appends a line, after its definitions.
  ///
  /// - Returns: false if it does not fit into the segment.
  private mutating func appendIfRoom(
    _ encode: (inout JSONLine, inout RecordingWriter) -> Void
  ) throws(InspectorError) -> Bool {
    if lastDefinition >= RecordingWriter.mostDefinitions { (definitions, lastDefinition) = ([:], 0) }
    var line = JSONLine()
    newDefinitions = []
    encode(&line, &self)
    line.append("\n")
    let size = newDefinitions.count + line.bytes.count
    guard used + size < segmentSize else {
      // The new ones were not written.
      definitions = [:]
      return false
    }
    buffer += newDefinitions
    buffer += line.bytes
    used += size
    if buffer.count > 262_144 { try flush() }
    return true
  }

  /// Writes the buffer.
  mutating func flush() throws(InspectorError) {
    guard !buffer.isEmpty else { return }
    let bytes = buffer
    buffer = []
    try output.write(bytes, at: offset(of: segment) + used - bytes.count)
  }

  /// Ends the recording.
  mutating func finish() throws(InspectorError) {
    for (id, tree) in trees.filter({ $0.value.unwritten > 0 }).sorted(by: { $0.key < $1.key }) {
      trees[id]?.unwritten = 0
      try append { line, _ in line.appendLoss(tree.unwritten, of: id) }
    }
    try append { line, _ in line.append(#"{"stopped":true}"#) }
    try flush()
  }

  private func offset(of segment: Int) -> Int { (segmentCount.map { segment % $0 } ?? segment) * segmentSize }

  private mutating func beginSegment() throws(InspectorError) {
    if segment >= 0 {
      try flush()
      if segmentCount.map({ segment < $0 }) ?? true { try fill(from: used) }
    }
    segment += 1
    used = 0
    definitions = [:]
    lastDefinition = 0
    // Clear the old lines first, so that a crash leaves none of them behind the new ones.
    if let segmentCount, segment >= segmentCount { try fill(from: 0) }
    var line = JSONLine()
    line.append(#"{"segment":"#, segment, #","recording":1,"size":"#)
    line.append(segmentSize, #","process":"#)
    line.append(process.id, #","name":"#)
    line.append(text: process.name)
    line.append(#","start":"#)
    line.append(seconds: start)
    line.append("}\n")
    buffer = line.bytes
    used = buffer.count
    try flush()
    try carryOver()
  }

  /// Fills the rest of the segment with empty lines.
  private func fill(from position: Int) throws(InspectorError) {
    var position = position
    while position < segmentSize {
      let count = min(262_144, segmentSize - position)
      try output.write(Array(repeating: UInt8(ascii: "\n"), count: count), at: offset(of: segment) + position)
      position += count
    }
  }

  /// Writes new keyframes of the trees whose last one stands in the segment that is overwritten next. They take at most
  /// half of this segment; the other trees follow with their next event.
  private mutating func carryOver() throws(InspectorError) {
    guard let segmentCount, segment + 1 >= segmentCount else { return }
    let oldest = segment + 1 - segmentCount
    for id in trees.filter({ $0.value.segment >= 0 && $0.value.segment <= oldest }).keys.sorted() {
      guard used < segmentSize / 2, let tree = trees[id] else { return }
      let before = used
      guard try appendIfRoom({ line, writer in writer.encodeKeyframe(id, tree, to: &line) }) else { return }
      trees[id]?.segment = segment
      trees[id]?.keyframeSize = used - before
      trees[id]?.eventSize = 0
    }
  }

  // MARK: Encoding

  /// Interns a value: returns its number, and writes the definition of a new one.
  private mutating func number(of definition: Definition) -> Int {
    if let number = definitions[definition] { return number }
    lastDefinition += 1
    definitions[definition] = lastDefinition
    var new = JSONLine()
    new.append(#"{"define":"#, lastDefinition, "")
    switch definition {
    case .text(let text): new.append(#","text":"#, text: text, "}\n")
    case .rib(let names):
      new.append(#","rib":["#)
      new.append(names)
      new.append("]}\n")
    case .path(let path, let labels):
      new.append(#","path":["#, list: path)
      if let labels { new.append(#","labels":["#, list: labels) }
      new.append("}\n")
    }
    newDefinitions += new.bytes
    return lastDefinition
  }

  private mutating func encode(_ event: InspectedEvent, to body: inout JSONLine) {
    body.append(#"{"tree":"#, event.tree, #","time":"#)
    body.append(event.timeNanoseconds, #","event":"#)
    body.append(text: event.kind)
    if let node = event.node { body.append(#","node":"#, node.rawValue, "") }
    if let parent = event.parent { body.append(#","parent":"#, parent.rawValue, "") }
    body.append(#","path":"#, number(of: .path(event.path, labels: event.labels)), "")
    if let duration = event.durationNanoseconds { body.append(#","duration":"#, duration, "") }
    if let work = event.work { body.append(#","work":"#, number(of: .text(work)), "") }
    if let workflow = event.workflow { body.append(#","workflow":"#, number(of: .text(workflow)), "") }
    if let worker = event.worker { body.append(#","worker":"#, number(of: .text(worker)), "") }
    if let message = event.message { body.append(#","message":"#, text: message, "") }
    if let changes = event.changes {
      for (index, change) in changes.enumerated() {
        body.append(index == 0 ? #","changes":["# : ",")
        body.append(
          change, names: { $0.append(number: number(of: .rib($1))) },
          work: { $0.append(number: number(of: .text($1))) })
      }
      body.append("]")
    }
    body.append("}")
  }

  private mutating func encodeKeyframe(_ id: InspectedTree.ID, _ tree: Tree, to body: inout JSONLine) {
    let fold = tree.fold
    body.append(#"{"keyframe":"#, id, #","time":"#)
    body.append(fold.time.wholeNanoseconds, #","number":"#)
    body.append(fold.number, #","name":"#)
    body.append(text: tree.name)
    body.append(#","launched":"#)
    body.append(seconds: tree.launched)
    if let name = fold.name { body.append(#","tree":"#, text: name, "") }
    if !fold.labels.isEmpty {
      body.append(#","labels":{"#)
      for (index, (key, value)) in fold.labels.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { body.append(",") }
        body.append(text: key)
        body.append(":", text: value, "")
      }
      body.append("}")
    }
    // RIBs in pre-order, each with its parent; the state only if the RIB is not inactive.
    body.append(#","ribs":["#)
    var isFirst = true
    fold.forEach { id, rib, _, _ in
      body.append(isFirst ? "[" : ",[")
      isFirst = false
      body.append(id, ",")
      body.append(rib.parent, ",")
      body.append(number(of: .rib(rib.names)), "")
      if rib.state != .inactive {
        body.append(",", rib.state == .active ? 1 : 2, "")
        body.append(",", rib.since, "")
      }
      body.append("]")
    }
    body.append("]")
    appendDetails(of: fold, to: &body)
    body.append("}")
  }

  private mutating func appendDetails(of fold: TreeFold, to body: inout JSONLine) {
    // Each is a list for the RIBs that have it.
    func list(_ name: StaticString, _ items: [(inout JSONLine) -> Void]) {
      guard !items.isEmpty else { return }
      body.append(",")
      body.append(name)
      for (index, item) in items.enumerated() {
        body.append(index == 0 ? ":[[" : ",[")
        item(&body)
        body.append("]")
      }
      body.append("]")
    }
    var workers: [(UInt64, Int)] = []
    var work: [(UInt64, Int, UInt64, Int, end: Int64?)] = []
    // Work that sleeps is repeated with its time: earlier versions ignore the longer list.
    func add(_ task: TreeFold.Work, _ id: UInt64, _ worker: Int) {
      let name = number(of: .text(task.name))
      work.append((id, worker, task.id, name, nil))
      if let end = task.end { work.append((id, worker, task.id, name, end)) }
    }
    var others: [(StaticString, [(inout JSONLine) -> Void])] = [
      (#""subscriptions""#, []), (#""restarts""#, []), (#""summaries""#, []), (#""ribLabels""#, []),
    ]
    fold.forEach { id, _, details, _ in
      guard let details else { return }
      for task in details.tasks { add(task, id, -1) }
      for (index, worker) in details.workers.enumerated() {
        workers.append((id, number(of: .text(worker.type))))
        for task in worker.tasks { add(task, id, index) }
      }
      if details.subscriptions != 0 {
        let count = details.subscriptions
        others[0].1.append {
          $0.append("", id, ","); $0.append(number: count)
        }
      }
      if let restarts = details.restarts {
        others[1].1.append { line in
          line.append("", id, ",")
          line.append(restarts.made, ",")
          line.append(number: restarts.limit)
        }
      }
      if let summary = details.summary {
        others[2].1.append {
          $0.append("", id, ","); $0.append(text: summary)
        }
      }
      if let label = details.label {
        others[3].1.append {
          $0.append("", id, ","); $0.append(text: label)
        }
      }
    }
    list(
      #""workers""#,
      workers.map { worker in
        {
          $0.append("", worker.0, ","); $0.append(number: worker.1)
        }
      })
    list(
      #""work""#,
      work.map { work in
        { line in
          line.append("", work.0, ",")
          line.append(work.1, ",")
          line.append(work.2, ",")
          line.append(number: work.3)
          if let end = work.end { line.append(",", end, "") }
        }
      })
    for (name, items) in others { list(name, items) }
  }
}

extension JSONLine {
  mutating func append(_ number: some BinaryInteger, _ after: StaticString) {
    append(number: number)
    append(after)
  }

  /// Appends the number of lost events.
  mutating func appendLoss(_ count: Int, of tree: InspectedTree.ID?, _ after: StaticString = "") {
    append(#"{"lost":"#, count, "")
    if let tree { append(#","tree":"#, tree, "") }
    append("}")
    append(after)
  }

  /// Appends seconds, to the millisecond.
  mutating func append(seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return append("0") }
    append(number: Int64(seconds))
    let milliseconds = Int64((seconds * 1_000).rounded(.down)) % 1_000
    append(milliseconds < 10 ? ".00" : milliseconds < 100 ? ".0" : ".")
    append(number: milliseconds)
  }
}
