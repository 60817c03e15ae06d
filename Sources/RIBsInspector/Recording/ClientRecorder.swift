// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

extension InspectorClient {
  /// The result of `record(to:summaries:)`.
  public struct RecordingCount: Sendable, Hashable {
    /// The number of recorded trees.
    public internal(set) var trees = 0
    /// The number of recorded events.
    public internal(set) var events = 0
    /// The number of events that were lost, because they came faster than they could be sent or written.
    public internal(set) var lost = 0
  }

  /// Records all trees of the process, until it ends or the calling task is cancelled.
  ///
  /// The recording has the format of `Inspector.start(recording:)` without a limit, so that `TreeRecording` reads it. The
  /// process never waits for this client. When events are lost, the trees continue with new snapshots.
  ///
  /// - Parameters:
  ///   - descriptor: the file descriptor to write to, from begin to end, such as that of a file or a pipe.
  ///   - summaries: decides which summaries are recorded, as in `Recording.file(_:upTo:summaries:)`.
  /// - Returns: what was recorded.
  /// - Throws: an `InspectorError` if the process does not answer, if its version sends no complete events, or if the
  ///   output can't be written.
  public func record(
    to descriptor: Int32, summaries: Recording.Summaries? = nil
  ) async throws(InspectorError) -> RecordingCount {
    let recorder = try ClientRecorder(self, try await process(), descriptor, summaries)
    return try await recorder.run()
  }
}

/// Records the trees of another process, on a queue that may block.
private actor ClientRecorder {
  /// The size of a segment.
  private static let segmentSize = 8 * 1_024 * 1_024

  private nonisolated let executor = QueueExecutor("ribs.inspector.recorder")
  private let client: InspectorClient
  private let summaries: Recording.Summaries?
  private var writer: RecordingWriter
  /// The number of the last event before the first keyframe, of each recorded tree that has not ended.
  private var recorded: [InspectedTree.ID: Int] = [:]
  /// Recorded trees that have ended, of which further events may come or be lost.
  private var missing: Set<InspectedTree.ID> = []
  /// When trees were launched, in seconds since 1970.
  private var launches: [InspectedTree.ID: Double] = [:]
  /// Trees that have not answered in time, and when to ask them again.
  private var unanswered: [InspectedTree.ID: ContinuousClock.Instant] = [:]
  /// The number of lost events that were not written as those of a tree.
  private var unwritten = 0
  private var count = InspectorClient.RecordingCount()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ client: InspectorClient, _ process: (id: Int32, name: String), _ descriptor: Int32,
    _ summaries: Recording.Summaries?
  ) throws(InspectorError) {
    self.client = client
    self.summaries = summaries
    writer = try RecordingWriter(
      RecordingStream(descriptor), segmentSize: ClientRecorder.segmentSize, limit: nil, process: process)
  }

  func run() async throws(InspectorError) -> InspectorClient.RecordingCount {
    let events = try await client.events()
    do throws(InspectorError) {
      try await synchronize()
      try writer.flush()
      try await record(events)
    } catch {
      // The file keeps what was recorded, unless it can't be written.
      if error.kind != .recording { try finish() }
      throw error
    }
    try finish()
    return count
  }

  private func record(_ events: InspectedEvents) async throws(InspectorError) {
    var iterator = events.makeAsyncIterator()
    while true {
      let element: InspectedEvents.Element?
      do throws(InspectorError) {
        element = try await iterator.next()
      } catch {
        // A process that was killed may break the connection.
        guard error.kind == .noAnswer else { throw error }
        return
      }
      switch element {
      case nil: return
      case .event(let event): try await record(event)
      case .lost(let lost):
        unwritten.add(lost)
        // The gaps in the numbers of events show which trees are concerned, except those without a later event.
        try await synchronize()
      }
      if await !events.connection.hasLine { try pause() }
    }
  }

  /// Writes everything while no event waits.
  private func pause() throws(InspectorError) {
    for id in missing { try end(id) }
    missing = []
    if !unanswered.isEmpty { unanswered = unanswered.filter { $0.value > .now } }
    try writer.flush()
  }

  /// Ends the recording, with the lost events of trees that have ended or could not be read.
  private func finish() throws(InspectorError) {
    if unwritten > 0 { try writer.appendLoss(unwritten, of: nil) }
    try writer.finish()
    count.lost = writer.lost
  }

  private func record(_ event: InspectedEvent) async throws(InspectorError) {
    let id = event.tree
    if recorded[id] == nil {
      guard event.isLaunch else { return try await readKeyframe(before: event) }
      try await launch(event)
    }
    let last = writer.number(of: id)
    guard event.number > last else {
      // A keyframe includes the event. If it has replaced events that were lost, this one was counted as one of them.
      if event.number > recorded[id] ?? 0 { unwritten.add(1) }
      return
    }
    guard event.number == last + 1 else { return try await readKeyframe(before: event) }
    try writer.append(event)
    count.events += 1
    if event.kind == "ended" { try end(id) }
  }

  /// Begins a tree with its first event. Only a snapshot has its name and labels, so a tree that has ended already, or is
  /// busy, is recorded without them.
  private func launch(_ event: InspectedEvent) async throws(InspectorError) {
    var identity: TreeSnapshot?
    do throws(InspectorError) {
      identity = try await client.snapshot(of: event.tree)
    } catch {
      guard error.isOfTree else { throw error }
    }
    let root = event.path.first ?? ""
    writer.launch(
      event.tree, name: ClientRecorder.title(identity?.name, root: root),
      launched: Date().timeIntervalSince1970 - event.time / .seconds(1),
      TreeFold(name: identity?.name, labels: identity?.labels ?? [:]))
    recorded[event.tree] = 0
    count.trees += 1
  }

  private static func title(_ name: String?, root: String) -> String { name.map { "\($0):\(root)" } ?? root }

  /// Continues a tree of which events are missing. The event is lost, but its change is in the keyframe.
  private func readKeyframe(before event: InspectedEvent) async throws(InspectorError) {
    let id = event.tree
    let isRecorded = recorded[id] != nil
    unwritten.add(1)
    // Events of a tree that is busy or has ended must not make the recorder ask for it each time.
    if let next = unanswered[id], next > .now { return }
    do throws(InspectorError) {
      try write(try await client.keyframe(of: id))
      // Events before the first keyframe are not lost.
      if !isRecorded { unwritten.add(-1) }
    } catch {
      guard error.isOfTree else { throw error }
      // A tree that has ended is refused.
      if error.kind == .refused { try end(id) }
      unanswered[id] = .now + .seconds(client.timeout)
    }
  }

  /// Writes keyframes of all trees that have changed since the last recorded event. Ends early if the process has ended.
  private func synchronize() async throws(InspectorError) {
    do throws(InspectorError) {
      let trees = try await client.trees()
      let now = Date().timeIntervalSince1970
      launches = Dictionary(trees.map { ($0.id, now - $0.age) }) { $1 }
      var found: Set<InspectedTree.ID> = []
      var iterator = try await client.snapshots().makeAsyncIterator()
      while let element = try await iterator.next() {
        found.insert(element.tree)
        guard element.snapshot != nil else { continue }
        guard let keyframe = element.keyframe else {
          throw InspectorError(
            .answer, "The process uses an older version of RIBs, whose events can't be recorded.")
        }
        if recorded[element.tree] == nil || keyframe.number != writer.number(of: element.tree) { try write(keyframe) }
      }
      // These have ended. Their last events may still come.
      missing.formUnion(recorded.keys.filter { !found.contains($0) })
      unanswered = unanswered.filter { found.contains($0.key) }
    } catch {
      guard error.isOfTree else { throw error }
    }
  }

  private func end(_ id: InspectedTree.ID) throws(InspectorError) {
    unanswered[id] = nil
    guard recorded.removeValue(forKey: id) != nil else { return }
    try writer.end(id)
  }

  private func write(_ keyframe: InspectedKeyframe) throws(InspectorError) {
    let id = keyframe.tree
    unanswered[id] = nil
    if recorded[id] == nil {
      recorded[id] = keyframe.number
      count.trees += 1
    } else {
      let lost = keyframe.number - writer.number(of: id)
      if lost > 0 {
        try writer.appendLoss(lost, of: id)
        unwritten.add(-lost)
      }
    }
    let snapshot = keyframe.snapshot
    try writer.append(
      keyframe.withSummaries(summaries),
      name: ClientRecorder.title(snapshot.name, root: snapshot.nodes.first?.name ?? ""),
      launched: launches[id] ?? Date().timeIntervalSince1970 - keyframe.time / .seconds(1))
  }
}

extension InspectorError {
  /// Whether a tree or the process has ended, or does not answer in time.
  fileprivate var isOfTree: Bool { kind == .refused || kind == .noAnswer }
}

extension InspectedEvent {
  /// Whether it is the first event of a tree. The number does not say it: it counts from the first event that was
  /// followed.
  fileprivate var isLaunch: Bool {
    guard number == 1, case .inserted(_, parent: 0, _, _, _)? = changes?.first else { return false }
    return true
  }
}

extension Int {
  /// Adds a number that another process may have made up.
  fileprivate mutating func add(_ other: Int) { self = addingReportingOverflow(other).partialValue }
}

/// A stream that a recording is written to, without seeking.
private final class RecordingStream: RecordingOutput {
  private let descriptor: Int32
  private let end = Locked(0)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ bytes: [UInt8], at offset: Int) throws(InspectorError) {
    let isNext = end.withLock { end in
      defer { end = offset + bytes.count }
      return end == offset
    }
    guard isNext else { fatalError("A recording without a limit is written in order.") }
    guard SystemCalls.writeAll(bytes, to: descriptor) else {
      throw InspectorError(.recording, "The recording can't be continued: \(SystemCalls.lastError).")
    }
  }
}
