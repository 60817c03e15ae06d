// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import TestSupport
import Testing

@testable import RIBsInspector

/// Records a process that the test plays, so that it answers as processes rarely do.
@Suite("A recording of another process", .timeLimit(.minutes(15)))
struct ClientRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.file("trees.ribs").path }

  private static let trees = #"{"version":1,"answer":"trees","process":4711,"name":"taxi","trees":[]}"#
  private static let following = #"{"version":1,"answer":"following"}"#
  private static let complete = #"{"version":1,"answer":"complete"}"#
  private static let over = #"{"version":1,"answer":"ended","tree":1}"#
  private static let busy = #"{"version":1,"answer":"error","tree":1,"message":"busy"}"#

  private static func lost(_ count: Int) -> String { #"{"version":1,"answer":"lost","count":\#(count)}"# }

  /// The line of an event that attaches a RIB.
  private static func attached(_ number: Int, _ id: UInt64, below parent: UInt64) -> String {
    let names = RIBNames(parent == 0 ? "Root" : "Leaf")
    var answer = InspectorAnswer(.event)
    answer.event = InspectedEvent(
      number, "attached", [.inserted(id, parent: parent, .last, names), .activated(id, since: Int64(number))],
      node: NodeID(id), parent: parent == 0 ? nil : NodeID(parent), path: [names.name], time: Int64(number))
    return String(decoding: answer.line.dropLast(), as: UTF8.self)
  }

  /// The line of a snapshot of a root with leaves.
  private static func snapshot(after number: Int, leaves: Int) -> String {
    var fold = TreeFold()
    fold.apply(
      [.inserted(1, parent: 0, .last, RIBNames("Root")), .activated(1, since: 0)], time: .zero, isEnd: false)
    for leaf in 0..<leaves {
      let id = UInt64(leaf + 2)
      let changes: [InspectedEdit] = [.inserted(id, parent: 1, .last, RIBNames("Leaf")), .activated(id, since: 0)]
      fold.apply(changes, time: .nanoseconds(number), isEnd: false)
    }
    let keyframe = InspectedKeyframe(
      tree: 1, snapshot: fold.snapshot(), time: .nanoseconds(number), number: number, work: [])
    return String(decoding: InspectorAnswer.line(with: keyframe).dropLast(), as: UTF8.self)
  }

  /// Records a process that sends events, and then the end of its tree.
  ///
  /// - Parameters:
  ///   - snapshots: the answer to a request for all snapshots; nil to end.
  ///   - snapshot: the answer to a request for the snapshot of the tree.
  private func record(
    _ events: [String], snapshots: @escaping @Sendable () -> String?,
    snapshot: @escaping @Sendable () -> String? = { nil }
  ) async throws -> (count: InspectorClient.RecordingCount, recording: TreeRecording) {
    let all = ([Self.following] + events + [Self.over]).joined(separator: "\n")
    let server = try RawServer(folder.file("taxi-4711.sock").path) { line in
      if line.contains(#""trees""#) { return Self.trees }
      if line.contains(#""events""#) { return all }
      return line.contains(#""snapshots""#) ? snapshots() : snapshot()
    }
    let client = InspectorClient(socketPath: server.path, timeout: RawClient.timeout)
    let count = try await record(client)
    withExtendedLifetime(server) {}
    return (count, try TreeRecording(contentsOf: path))
  }

  private func record(_ client: InspectorClient) async throws -> InspectorClient.RecordingCount {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try #require(FileHandle(forWritingAtPath: path))
    defer { try? file.close() }
    return try await client.record(to: file.fileDescriptor)
  }

  private func names(_ recording: TreeRecording, tree: Int = 1) throws -> [String]? {
    guard let tree = recording.trees.first(where: { $0.id == tree }) else { return nil }
    return try recording.snapshot(of: tree.id, at: tree.time.upperBound)?.nodes.map(\.name)
  }

  @Test("keeps all events of a process that ends while it is asked for the name of a tree")
  func endsWhileAsked() async throws {
    let (count, recording) = try await record(
      [Self.attached(1, 1, below: 0), Self.attached(2, 2, below: 1), Self.attached(3, 3, below: 1)],
      snapshots: { Self.complete })
    #expect(count.events == 3 && count.trees == 1 && count.lost == 0)
    #expect(recording.isComplete)
    #expect(try names(recording) == ["Root", "Leaf", "Leaf"])
  }

  @Test("keeps all events of a process that ends while it is asked for all snapshots")
  func endsWhileSynchronized() async throws {
    let asked = Shared(0)
    let (count, recording) = try await record(
      [Self.attached(1, 1, below: 0), Self.lost(4), Self.attached(2, 2, below: 1)],
      snapshots: { asked.count() == 1 ? Self.complete : nil }, snapshot: { Self.snapshot(after: 1, leaves: 0) })
    #expect(count.events == 2 && count.lost == 4)
    #expect(recording.isComplete && recording.lostEvents == 4)
    #expect(try names(recording) == ["Root", "Leaf"])
  }

  @Test("begins with a snapshot of a tree that was busy at the start, and not with its first event")
  func busyAtStart() async throws {
    let (count, recording) = try await record(
      [Self.attached(1, 2, below: 1), Self.attached(2, 3, below: 1)],
      snapshots: { Self.busy + "\n" + Self.complete }, snapshot: { Self.snapshot(after: 1, leaves: 1) })
    #expect(count.events == 1 && count.lost == 0)
    #expect(try names(recording) == ["Root", "Leaf", "Leaf"])
  }

  @Test("counts each lost event once, of trees that continue and of trees that have ended")
  func losses() async throws {
    let asked = Shared(0)
    let answer = { @Sendable () -> String? in
      let first = asked.count() == 1
      return Self.snapshot(after: first ? 0 : 8, leaves: first ? 0 : 8) + "\n" + Self.complete
    }
    // Five of tree 1 and three of a tree that lives meanwhile are lost. The snapshot includes two later events.
    let (count, recording) = try await record(
      [
        Self.attached(1, 2, below: 1), Self.lost(8), Self.attached(7, 8, below: 1), Self.attached(8, 9, below: 1),
        Self.attached(9, 10, below: 1),
      ], snapshots: answer, snapshot: answer)
    #expect(count.events == 2 && count.lost == 10)
    #expect((recording.lostEvents, recording.trees.first?.lostEvents) == (10, 7))
    #expect(try names(recording)?.count == 10)
    #expect(recording.problems == [])
  }

  @Test("does not wait for a busy tree at each of its events")
  func staysBusy() async throws {
    let asked = Shared(0)
    let (count, recording) = try await record(
      (5..<50).map { Self.attached($0, UInt64($0), below: 1) }, snapshots: { Self.busy + "\n" + Self.complete },
      snapshot: {
        _ = asked.count()
        return nil
      })
    #expect(asked.value == 1)
    #expect(count.events == 0 && count.lost == 45 && recording.lostEvents == 45)
  }

  @Test("never traps, whatever numbers the process answers with")
  func hostile() async throws {
    let genuine = [
      Self.trees.replacingOccurrences(
        of: "[]", with: #"[{"id":1,"name":"Root","age":1.5,"labels":{"plan":"free"}}]"#), Self.following, Self.complete,
      Self.attached(1, 1, below: 0), Self.snapshot(after: 1, leaves: 2), Self.lost(3), Self.over, Self.busy,
    ]
    let others = [
      "9223372036854775807", "-9223372036854775808", "9007199254740993", "-1", "1e300", "-0.5", "null", "[]",
    ]
    var hostile = genuine
    for line in genuine {
      for range in line.ranges(of: /-?[0-9]+(\.[0-9]+)?/) {
        hostile += others.map { line.replacingCharacters(in: range, with: $0) }
      }
    }
    let lines = hostile
    let folder = folder
    var answered = 0
    for line in lines {
      let server = try RawServer(folder.file("evil-\(answered)-1.sock").path) { request in
        // After the hostile line, what a recorder expects.
        guard request.contains(#""events""#) else {
          return request.contains("snapshots") ? "\(line)\n\(Self.complete)" : line
        }
        return [Self.following, line, Self.attached(2, 2, below: 1), line, Self.over].joined(separator: "\n")
      }
      answered += 1
      let client = InspectorClient(socketPath: server.path, timeout: RawClient.timeout)
      for tree in (try? await client.trees()) ?? [] {
        _ = (tree.labelText, Int64(tree.age * 1_000), tree.age.rounded())
      }
      if let keyframe = try? await client.keyframe(of: 1) {
        var fold = TreeFold(keyframe)
        fold.apply([.removed(1)], time: .zero, isEnd: false)
        _ = keyframe.snapshot.text()
      }
      if let snapshots = try? await client.snapshots() {
        var iterator = snapshots.makeAsyncIterator()
        while let element = try? await iterator.next() { _ = element.snapshot?.text() }
      }
      _ = try? await record(client)
      withExtendedLifetime(server) {}
      if let recording = try? TreeRecording(contentsOf: path) {
        for tree in recording.trees { _ = try? recording.events(of: tree.id).map(\.description) }
      }
    }
    #expect(answered > 100)
  }
}

extension Shared where Value == Int {
  /// Counts a call, and returns the number of calls.
  fileprivate func count() -> Int {
    change { count in
      count += 1
      return count
    }
  }
}
