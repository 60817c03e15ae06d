// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import TestSupport
import Testing

@testable import RIBsInspector

@Suite("A recording", .timeLimit(.minutes(15)), .tearsDown)
struct TreeRecordingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.file("trees.ribs").path }

  private func start(
    upTo bytes: Int = 8 << 20, summaries: Recording.Summaries? = nil
  ) throws -> Inspector {
    try Inspector.start(
      recording: .file(path, upTo: bytes, summaries: summaries), directory: folder.file("ribs").path)
  }

  /// Records a random walk.
  private func record(
    seed: UInt64, steps: Int, upTo bytes: Int = 8 << 20
  ) async throws -> [(event: TreeEvent, snapshot: TreeSnapshot)] {
    let inspector = try start(upTo: bytes)
    let witness = Witness(inspector)
    let host = await TreeHost(
      configuration: TreeConfiguration(
        name: "walk", labels: ["seed": "\(seed)"], leakDetection: .off, inspector: witness)
    ) { WalkRouter() }
    try await host.perform { root in
      var random = SplitMix(seed)
      for _ in 0..<steps { root.step(&random) }
    }
    await host.shutdown()
    inspector.stop()
    return witness.moments
  }

  @Test("shows the tree as it was after each event")
  func exact() async throws {
    let first = firstSeed()
    for seed in first..<first + Thoroughness.count(usual: 1, share: 3, whole: 3) {
      let moments = try await record(seed: seed, steps: 80)
      let recording = try TreeRecording(contentsOf: path)
      #expect((recording.problems, recording.isComplete, recording.lostEvents) == ([], true, 0))
      #expect(recording.process.id == ProcessInfo.processInfo.processIdentifier)
      let tree = try #require(recording.trees.first)
      #expect((tree.name, tree.labels, tree.hasEnded) == ("walk:Walk", ["seed": "\(seed)"], true))
      #expect(tree.events >= moments.count)
      let events = try recording.events(of: tree.id)
      #expect(events.count == tree.events)
      var replayed: [(event: InspectedEvent, outline: [String])] = []
      try recording.forEachEvent(of: tree.id) { event, fold in
        replayed.append((event, fold.snapshot().outline))
        return true
      }
      #expect(replayed.map(\.event) == events)
      #expect(replayed.prefix(moments.count).map(\.outline) == moments.map(\.snapshot.outline))
      for (index, moment) in moments.enumerated() {
        let event = events[index]
        #expect((event.kind, event.path) == (moment.event.kind.description, moment.event.path.components))
        #expect((event.node, event.parent) == (moment.event.node, moment.event.parent))
        #expect((event.work, event.worker) == (moment.event.work, moment.event.worker))
        #expect((event.time, event.duration) == (moment.event.time, moment.event.duration))
        let after = try recording.snapshot(of: tree.id, after: event.number)
        #expect(after?.outline == moment.snapshot.outline, "seed \(seed), after event \(index): \(event)")
        // Of several events at one time, the last is shown.
        if index + 1 < events.count, events[index + 1].timeNanoseconds <= event.timeNanoseconds { continue }
        let snapshot = try recording.snapshot(of: tree.id, at: event.time)
        #expect(snapshot?.outline == moment.snapshot.outline, "seed \(seed), after event \(index): \(event)")
        #expect(snapshot?.name == "walk")
      }
      #expect(try recording.snapshot(of: tree.id, at: tree.time.upperBound) == nil)
    }
  }

  @Test("shows each of several events at one time by itself")
  func ties() throws {
    try RecordingWriter.write([0, 5, 5, 5, 9], to: path)
    let recording = try TreeRecording(contentsOf: path)
    let events = try recording.events(of: 1)
    #expect(events.map(\.number) == [1, 2, 3, 4, 5])
    func names(_ snapshot: TreeSnapshot?) -> [String]? { snapshot?.nodes.map(\.name) }
    #expect(names(try recording.snapshot(of: 1, after: 0)) == nil)
    for event in events {
      #expect(names(try recording.snapshot(of: 1, after: event.number)) == (1...event.number).map { "RIB\($0)" })
    }
    #expect(names(try recording.snapshot(of: 1, at: .nanoseconds(5))) == (1...4).map { "RIB\($0)" })
    #expect(try recording.events(of: 1, at: 1..<3) == Array(events[1..<3]))
    #expect(try [0, 4, 5, 9].map { try recording.eventCount(of: 1, upTo: .nanoseconds($0)) } == [1, 1, 4, 5])
    // The ages are those at the event.
    #expect(try recording.snapshot(of: 1, after: 5)?.nodes.first?.age == .nanoseconds(9))
    #expect(names(try recording.snapshot(of: 1, after: 6)) == nil)
    #expect(names(try recording.snapshot(of: 1, after: -1)) == nil)
    #expect(throws: InspectorError.self) { try recording.snapshot(of: 2, after: 1) }
  }

  @Test("is a ring of the given size, in which each tree has a keyframe")
  func ring() async throws {
    let limit = 65_536
    let inspector = try start(upTo: limit)
    let quiet = await TreeHost.inspected(by: inspector)
    try await quiet.perform { $0.attachLeaf() }
    let busy = await TreeHost.inspected(by: inspector)
    for _ in 0..<20 { try await busy.change(times: 100) }
    inspector.stop()
    #expect(try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) <= limit)
    let recording = try TreeRecording(contentsOf: path)
    #expect((recording.problems, recording.trees.map(\.id)) == ([], [1, 2]))
    for tree in recording.trees {
      let snapshot = try recording.snapshot(of: tree.id, at: tree.time.upperBound)
      #expect(snapshot?.nodes.map(\.name) == (tree.id == 1 ? ["Root", "Leaf"] : ["Root"]))
    }
    let events = try recording.events(of: 2)
    let first = try #require(events.first).number
    #expect(first > 1)
    #expect(events.map(\.number) == Array(first..<first + events.count))
    for event in [events[0], events[events.count / 2], events[events.count - 1]] {
      #expect(try recording.snapshot(of: 2, after: event.number) == recording.snapshot(of: 2, at: event.time))
    }
    for positions in [0..<3, 100..<events.count - 7, events.count - 2..<events.count + 9] {
      #expect(try recording.events(of: 2, at: positions) == Array(events[positions.clamped(to: events.indices)]))
    }
    for index in [0, events.count / 3, events.count - 1] {
      let count = try recording.eventCount(of: 2, upTo: events[index].time)
      #expect(count == events.firstIndex { $0.time > events[index].time } ?? events.count)
    }
    for number in [0, first, events[events.count / 2].number, events[events.count - 1].number] {
      var replayed: [InspectedEvent] = []
      try recording.forEachEvent(of: 2, after: number) { event, _ in
        replayed.append(event)
        return replayed.count < 1_000
      }
      #expect(replayed == Array(events.filter { $0.number > number }.prefix(1_000)))
    }
    // Overwritten.
    #expect(try recording.snapshot(of: 2, after: 1) == nil)
  }

  @Test("leaves summaries out, unless a closure returns a text for them")
  func summaries() async throws {
    for isRecorded in [false, true] {
      let text: Recording.Summaries = { path, summary in path.joined(separator: "/") + " \(summary.count)" }
      let inspector = try start(summaries: isRecorded ? text : nil)
      let host = await TreeHost.inspected(by: inspector)
      var contents = ""
      repeat {
        try await host.change()
        await Task.yield()
        contents = try String(contentsOfFile: path, encoding: .utf8)
      } while isRecorded && !contents.contains("summaries")
      await host.shutdown()
      inspector.stop()
      contents = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!contents.contains("at home"))
      #expect(contents.contains("Root 7") == isRecorded)
    }
  }

  /// A recorder whose file can be held.
  ///
  /// - Parameter capacity: how many events wait to be written at most.
  private func heldRecorder(capacity: Int) throws -> (TreeRecorder, HeldFile) {
    var setting = Recording.file(path, upTo: 1 << 20)
    setting.capacity = capacity
    let file = HeldFile(try RecordingFile(path))
    return (try TreeRecorder(setting, writingTo: file), file)
  }

  @Test("counts what is lost, and continues with a keyframe of the live tree")
  func losses() async throws {
    let (recorder, file) = try heldRecorder(capacity: 8)
    let host = await TreeHost.inspected(by: Recorders(recorder: recorder))
    // More events than wait to be written at most.
    file.hold()
    try await host.attachLeaves(100)
    file.release()
    // Until the tree has continued.
    var recording = try TreeRecording(contentsOf: path)
    while recording.lostEvents == 0 {
      await Task.yield()
      recording = try TreeRecording(contentsOf: path)
    }
    try await host.perform { root in root.detachLeaf() }
    recorder.stop(waits: true)
    recording = try TreeRecording(contentsOf: path)
    let tree = try #require(recording.trees.first)
    #expect(recording.lostEvents > 0)
    #expect((tree.lostEvents, recording.problems) == (recording.lostEvents, []))
    #expect(try recording.snapshot(of: tree.id, at: tree.time.upperBound)?.nodes.count == 100)
    let events = try recording.events(of: tree.id)
    let last = try #require(events.last)
    #expect(last.number == events.count + recording.lostEvents)
    #expect(try recording.snapshot(of: tree.id, after: last.number)?.nodes.count == 100)
    let gap = try #require(zip(events, events.dropFirst()).first { $0.number + 1 < $1.number })
    #expect(try recording.snapshot(of: tree.id, after: gap.0.number) != nil)
    #expect(try recording.snapshot(of: tree.id, after: gap.0.number + 1) == nil)
  }

  @Test("stops when it can't be written any more, and the trees continue")
  func diskFull() async throws {
    let recorder = try TreeRecorder(.file(path, upTo: 1 << 20), writingTo: FullDisk(after: 20_000))
    let host = await TreeHost.inspected(by: Recorders(recorder: recorder))
    while !recorder.hasStopped { try await host.change() }
    try await host.perform { $0.attachLeaf() }
    #expect(await host.snapshot().nodes.count == 2)
    recorder.stop(waits: true)
  }

  @Test("can't be started where no file can be written")
  func unwritable() throws {
    for path in ["/dev/full", "/nowhere/trees.ribs", "/"] {
      #expect(throws: InspectorError.self) {
        try Inspector.start(recording: .file(path, upTo: 1 << 20), directory: folder.file("ribs").path)
      }
    }
  }

  @Test("opens while it grows, and says when a part that it has read was overwritten")
  func growing() async throws {
    let inspector = try start(upTo: 65_536)
    let host = await TreeHost.inspected(by: inspector)
    // Too few changes to overwrite any of them.
    try await host.change(times: 20)
    var first: TreeRecording?
    while first == nil {
      let recording = try TreeRecording(contentsOf: path)
      #expect(!recording.isComplete)
      if let tree = recording.trees.first, tree.events > 0 { first = recording }
      await Task.yield()
    }
    let early = try #require(first)
    let tree = try #require(early.trees.first)
    #expect(try early.snapshot(of: tree.id, at: tree.time.upperBound) != nil)
    var message = ""
    while message.isEmpty {
      try await host.change(times: 20)
      _ = try TreeRecording(contentsOf: path)
      do { _ = try early.events(of: tree.id) } catch { message = error.description }
    }
    #expect(message.contains("has overwritten this part since it was opened. Open it again."))
    inspector.stop()
    #expect(try TreeRecording(contentsOf: path).isComplete)
  }

  @Test("opens as far as it goes, wherever it is cut off")
  func cut() async throws {
    _ = try await record(seed: 1, steps: 12)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let all = try TreeRecording(contentsOf: path).trees[0].events
    var last = 0
    for count in lengths(upTo: whole.count) {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      guard let recording = try? read() else { continue }
      let events = recording.trees.first?.events ?? 0
      #expect(events >= last && events <= all)
      last = events
    }
    #expect(last == all)
  }

  @Test("opens without its beginning, from the first segment that is whole")
  func cutAtBeginning() async throws {
    let inspector = try start(upTo: 65_536)
    let host = await TreeHost.inspected(by: inspector)
    for _ in 0..<100 { try await host.change() }
    await host.shutdown()
    inspector.stop()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let all = try TreeRecording(contentsOf: path).trees[0].events
    try whole.dropFirst(10_000).write(to: URL(fileURLWithPath: path))
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.problems.contains { $0.hasPrefix("The file can't be read before byte ") })
    #expect(recording.problems.contains { $0.contains("damaged") } == false)
    let tree = try #require(recording.trees.first)
    #expect(tree.events > 0 && tree.events < all)
    #expect(try recording.events(of: tree.id).count == tree.events)
  }

  @Test("says how many events of a tree are missing that was too large for a while")
  func tooLarge() throws {
    var writer = try RecordingWriter(path, segmentSize: 8_192, limit: 65_536)
    writer.launch(1, name: "Root", launched: 0, TreeFold())
    var number = 0
    func append(_ changes: [InspectedEdit], _ kind: String = "attached") throws {
      number += 1
      try writer.append(InspectedEvent(number, kind, changes, time: Int64(number)))
    }
    for id in 1..<600 { try append([.inserted(UInt64(id), parent: id == 1 ? 0 : 1, .last, RIBNames("RIB"))]) }
    for id in 2..<600 { try append([.removed(UInt64(id))]) }
    for _ in 0..<200 { try append([.activated(1, since: 0)], "activated") }
    try writer.finish()
    #expect(writer.lost > 0)
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.problems.contains { $0.contains("too many for the file") })
    // The ring keeps the end, where the tree is small again.
    #expect(recording.lostEvents == writer.lost)
    #expect(recording.trees.first?.lostEvents ?? 0 > 0)
    #expect(try recording.snapshot(of: 1, after: number)?.nodes.count == 1)
  }

  @Test("says how many events are missing of a tree that was too large until its end")
  func alwaysTooLarge() throws {
    for ends in [false, true] {
      var writer = try RecordingWriter(path, segmentSize: 8_192, limit: 65_536)
      var fold = TreeFold()
      fold.apply(
        (1..<600).map { .inserted($0, parent: $0 == 1 ? 0 : 1, .last, RIBNames("RIB")) }, time: .zero, isEnd: false)
      writer.launch(1, name: "Root", launched: 0, fold)
      for number in 1...5 {
        try writer.append(InspectedEvent(number, ends && number == 5 ? "ended" : "called", nil, time: 1))
      }
      if ends { try writer.end(1) }
      try writer.finish()
      #expect(try TreeRecording(contentsOf: path).lostEvents == 5)
    }
  }

  @Test("keeps all trees when one has more names than are numbered at a time")
  func manyNames() throws {
    var writer = try RecordingWriter(path, segmentSize: 8 << 20, limit: 64 << 20)
    writer.launch(2, name: "Other", launched: 0, TreeFold())
    for number in 1...3 { try writer.append(InspectedEvent(number, "called", nil, time: Int64(number), tree: 2)) }
    func work(_ id: Int) -> InspectedEdit { .workStarted(UInt64(id), 1, worker: -1, "ride-\(id)") }
    var fold = TreeFold()
    let ids = 0..<RecordingWriter.mostDefinitions + 1_000
    fold.apply([.inserted(1, parent: 0, .last, RIBNames("Root"))] + ids.map(work), time: .zero, isEnd: false)
    writer.launch(1, name: "Root", launched: 0, fold)
    for number in 1...10 {
      try writer.append(InspectedEvent(number, "taskStarted", [work(ids.upperBound + number)], time: Int64(number)))
    }
    try writer.finish()
    #expect(writer.lost == 0)
    let recording = try TreeRecording(contentsOf: path)
    #expect((recording.problems, recording.lostEvents) == ([], 0))
    #expect(recording.trees.map(\.id) == [1, 2] && recording.trees.map(\.events) == [10, 3])
    let last = try #require(try recording.events(of: 1).last)
    let tasks = try #require(try recording.snapshot(of: 1, after: last.number)?.nodes.first?.tasks)
    #expect(tasks.count == ids.count + 10)
    #expect(tasks.contains("ride-0") && tasks.contains("ride-\(ids.upperBound + 10)"))
  }

  @Test("keeps the earlier events when later ones are too large for a segment")
  func largeEvents() throws {
    var writer = try RecordingWriter(path, segmentSize: 8_192, limit: 65_536)
    writer.launch(1, name: "Root", launched: 0, TreeFold())
    let large = String(repeating: "x", count: 9_000)
    for number in 1...31 {
      let message = (11...30).contains(number) ? large : nil
      try writer.append(InspectedEvent(number, "called", nil, time: Int64(number), message: message))
    }
    try writer.finish()
    #expect(writer.lost == 20)
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.lostEvents == 20)
    #expect(try recording.events(of: 1).map(\.number) == Array(1...10) + [31])
  }

  @Test("counts the losses of trees that were launched and ended without room in one line")
  func endedWithoutRoom() async throws {
    let (recorder, file) = try heldRecorder(capacity: 4)
    let events = Shared(0)
    file.hold()
    for id in 1...200 {
      let observer = Recorders(recorder: recorder, id: id) { events.change { $0 += 1 } }
      let host = await TreeHost(configuration: .inspected(by: observer)) { RootRouter() }
      await host.shutdown()
    }
    file.release()
    recorder.stop(waits: true)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    // A batch has a line for each of the few trees that it begins, and one for all others.
    #expect(lines.count { $0.hasPrefix(#"{"lost""#) } <= 20)
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.problems == [])
    #expect(recording.lostEvents > 0)
    #expect(recording.lostEvents + recording.trees.reduce(0) { $0 + $1.events } == events.value)
  }

  @Test("records the last summary of a tree that has become quiet")
  func lastSummary() async throws {
    let inspector = try start(summaries: { $1 })
    let host = await TreeHost(configuration: .inspected(by: inspector)) { WalkRouter() }
    // The summaries of the first change are recorded at once, and those of the others a second later.
    for _ in 0..<5 { try await host.perform { $0.interactor.begin() } }
    func isRecorded() throws -> Bool { try String(contentsOfFile: path, encoding: .utf8).contains("4 begun") }
    while try !isRecorded() { await Task.yield() }
    #expect(try isRecorded())
    await host.shutdown()
    inspector.stop()
  }

  @Test("can be read by its owner only, also if the file existed before")
  func mode() async throws {
    try Data("open to all".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try start().stop()
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("open to all"))
  }

  @Test("is not written through a symbolic link, and leaves the target as it is", arguments: [true, false])
  func symbolicLink(hasTarget: Bool) throws {
    let target = folder.file("precious")
    if hasTarget { try Data("precious".utf8).write(to: target) }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target.path)
    let error = #expect(throws: InspectorError.self) { _ = try start() }
    #expect(
      error?.description
        == "The recording \(path) can't be written: it is a symbolic link, whose target would be replaced; pass the path "
        + "of the file.")
    #expect((try? String(contentsOf: target, encoding: .utf8)) == (hasTarget ? "precious" : nil))
  }

  @Test("has one writer at a time: another inspector is refused, and leaves the file as it is")
  func writers() async throws {
    let inspector = try start()
    let host = await TreeHost.inspected(by: inspector)
    try await host.change()
    let other = folder.file("other")
    let error = #expect(throws: InspectorError.self) {
      try Inspector.start(recording: .file(path, upTo: 65_536), directory: other.path)
    }
    #expect(
      error?.description
        == "The recording \(path) can't be written: another inspector, of this process or another, is writing it; pass "
        + "another path.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
    try await host.change()
    inspector.stop()
    let recording = try TreeRecording(contentsOf: path)
    #expect((recording.problems, recording.isComplete, recording.lostEvents) == ([], true, 0))
    #expect(try recording.events(of: 1).first?.number == 1)
    // The next one may write it.
    try start().stop()
    #expect(try TreeRecording(contentsOf: path).trees.isEmpty)
  }

  @Test("may have several writers where nothing is kept")
  func discarded() throws {
    for name in ["one", "other"] {
      let inspector = try Inspector.start(
        recording: .file("/dev/null", upTo: 65_536), directory: folder.file(name).path)
      atEnd { inspector.stop() }
    }
  }

  @Test("is kept by an inspector that can't be started")
  func refusedStart() throws {
    try start().stop()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    // A file, where a directory is needed.
    try Data().write(to: folder.file("file"))
    #expect(throws: InspectorError.self) {
      try Inspector.start(recording: .file(path, upTo: 65_536), directory: folder.file("file").path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("gives a tree what its segments have of it, whatever their order in the file")
  func segments() throws {
    func keyframe(_ id: Int, time: Int, number: Int, name: String) -> String {
      #"{"keyframe":\#(id),"time":\#(time),"number":\#(number),"name":"\#(name)","launched":7.25,"ribs":[]}"#
    }
    func event(_ id: Int, time: Int, _ kind: String = "activated") -> String {
      #"{"tree":\#(id),"time":\#(time),"event":"\#(kind)"}"#
    }
    let segments = [
      [
        keyframe(1, time: 1, number: 0, name: "one"), event(1, time: 2), event(1, time: 3),
        // Without a keyframe it can't be shown.
        event(2, time: 1),
      ],
      [
        // They belong to tree 1. Tree 2 is not known yet, so only the recording counts its loss.
        #"{"lost":3,"tree":1}"#, #"{"lost":2,"tree":2}"#, #"{"lost":1}"#,
        keyframe(2, time: 4, number: 9, name: "two"), event(2, time: 8), #"{"lost":4,"tree":2}"#, event(2, time: 9),
        keyframe(1, time: 5, number: 5, name: "one"), event(1, time: 6),
      ],
      [
        #"{"ended":2}"#, keyframe(1, time: 6, number: 6, name: "one"), event(1, time: 7, "ended"), #"{"stopped":true}"#,
      ],
    ]
    // As in a ring whose first place was overwritten.
    let file = [2, 0, 1].map { sequence in
      let header = #"{"segment":\#(sequence),"recording":1,"size":4096,"process":4,"name":"taxi","start":1.5}"#
      let text = ([header] + segments[sequence]).map { $0 + "\n" }.joined()
      return text + String(repeating: "\n", count: 4_096 - text.utf8.count)
    }
    try file.joined().write(toFile: path, atomically: true, encoding: .utf8)
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.trees.map(\.name) == ["one", "two"] && recording.trees.map(\.launched) == [7.25, 7.25])
    #expect(recording.trees.map(\.events) == [4, 1] && recording.trees.map(\.lostEvents) == [3, 4])
    #expect(recording.trees.map(\.time) == [.nanoseconds(1) ... .nanoseconds(7), .nanoseconds(4) ... .nanoseconds(8)])
    #expect(recording.trees.map(\.hasEnded) == [true, true] && recording.isComplete && recording.lostEvents == 10)
    #expect(
      recording.problems == [
        "1 events in the segment at byte 4096 belong to trees whose keyframe is missing.",
        "1 events in the segment at byte 8192 belong to trees whose keyframe is missing.",
      ])
    #expect(try recording.events(of: 1).map(\.number) == [1, 2, 6, 7])
    #expect(try [2, 5, 6].map { try recording.eventCount(of: 1, upTo: .nanoseconds($0)) } == [1, 2, 3])
  }

  @Test("is never trusted: each byte may be another")
  func flipped() async throws {
    _ = try await record(seed: 2, steps: 6)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var opened = 0
    let indexes = lengths(upTo: whole.count - 1)
    for index in indexes {
      for bit in [0, 5] {
        var damaged = whole
        damaged[index] ^= 1 << UInt8(bit)
        try damaged.write(to: URL(fileURLWithPath: path))
        if (try? read()) != nil { opened += 1 }
      }
    }
    #expect(opened > indexes.count)
  }

  @Test("is never trusted: each number may be the largest, the smallest or missing")
  func numbers() async throws {
    _ = try await record(seed: 3, steps: 4)
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    var opened = 0
    let ranges = whole.ranges(of: /-?[0-9]+/)
    // Debug builds try a share of the numbers.
    for index in stride(from: 0, to: ranges.count, by: Thoroughness.count(usual: 5, share: 1, whole: 1)) {
      let range = ranges[index]
      for other in ["9223372036854775807", "-9223372036854775807", ""] {
        try whole.replacingCharacters(in: range, with: other).write(toFile: path, atomically: true, encoding: .utf8)
        if (try? read()) != nil { opened += 1 }
      }
    }
    #expect(opened > 0)
  }

  /// All numbers of bytes up to that of a file in a complete run; else a share of them, with the last.
  private func lengths(upTo count: Int) -> [Int] {
    let step = Thoroughness.count(little: 31, usual: 19, share: 3, whole: 1)
    return Array(stride(from: count % step, through: count, by: step))
  }

  /// Reads everything that can be read.
  private func read() throws -> TreeRecording {
    let recording = try TreeRecording(contentsOf: path)
    for tree in recording.trees {
      _ = try? recording.events(of: tree.id)
      _ = try? recording.events(of: tree.id, at: 1..<max(1, tree.events))
      try? recording.forEachEvent(of: tree.id, after: 1) { _, fold in !fold.snapshot().nodes.isEmpty }
      _ = try? recording.eventCount(of: tree.id, upTo: tree.time.upperBound)
      for number in [0, 1, tree.events, .max] { _ = try? recording.snapshot(of: tree.id, after: number) }
      _ = try? recording.snapshot(of: tree.id, at: tree.time.lowerBound)
      _ = try? recording.snapshot(of: tree.id, at: tree.time.upperBound)?.text()
    }
    return recording
  }

  @Test("says what is wrong with a file that is none", arguments: ["", "\n", "hello", "{\"segment\":1}\n", "\0\0\0"])
  func foreign(contents: String) throws {
    try contents.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: InspectorError.self) { try TreeRecording(contentsOf: path) }
    #expect(throws: InspectorError.self) { try TreeRecording(contentsOf: folder.file("missing").path) }
  }
}

/// Passes a tree to a recorder.
private struct Recorders: TreeObserver {
  let recorder: TreeRecorder
  var id = 1
  /// Called with each event.
  var onEvent: @Sendable () -> Void = {}

  func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? {
    let observer = recorder.add(tree, id)
    return { [onEvent] event in
      onEvent()
      return observer(event)
    }
  }

  func treeDidEnd(_ tree: TreeHandle) { recorder.remove(id) }
}

/// A disk with little room.
private final class FullDisk: RecordingOutput {
  private let limit: Int

  init(after limit: Int) { self.limit = limit }

  func write(_ bytes: [UInt8], at offset: Int) throws(InspectorError) {
    if offset + bytes.count > limit { throw InspectorError(.recording, "The disk of the test is full.") }
  }
}

/// A file whose writes wait while it is held.
private final class HeldFile: RecordingOutput {
  private let file: RecordingFile
  private let turn = DispatchSemaphore(value: 1)

  init(_ file: RecordingFile) { self.file = file }

  func hold() { turn.wait() }
  func release() { turn.signal() }

  func write(_ bytes: [UInt8], at offset: Int) throws(InspectorError) {
    turn.wait()
    defer { turn.signal() }
    try file.write(bytes, at: offset)
  }
}

extension RecordingWriter {
  fileprivate init(_ path: String, segmentSize: Int, limit: Int?) throws(InspectorError) {
    try self.init(RecordingFile(path), segmentSize: segmentSize, limit: limit, process: (id: 1, name: "test"))
  }

  /// Records a tree in which an event at each of some times attaches a RIB below the one before.
  fileprivate static func write(_ times: [Int64], to path: String) throws {
    var writer = try RecordingWriter(path, segmentSize: 65_536, limit: nil)
    writer.launch(1, name: "RIB1", launched: 0, TreeFold())
    for (index, time) in times.enumerated() {
      let id = UInt64(index + 1)
      let changes: [InspectedEdit] = [
        .inserted(id, parent: id - 1, .last, RIBNames("RIB\(id)")), .activated(id, since: time),
      ]
      try writer.append(
        InspectedEvent(index + 1, "activated", changes, node: NodeID(id), path: ["RIB\(id)"], time: time))
    }
    try writer.finish()
  }
}
