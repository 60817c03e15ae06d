// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// A request of a client: a line of JSON, documented in `Inspector`.
struct InspectorRequest: Codable {
  enum Kind: String, Codable, CaseIterable {
    case trees, snapshot, snapshots, events
  }

  /// The protocol version. It changes when one side would misread the other.
  static let version = 1

  var version = InspectorRequest.version
  var request: Kind
  var tree: InspectedTree.ID?
  var replay: Bool?
  /// How long `snapshots` waits for each tree, in seconds.
  var timeout: Int?
}

/// An answer to a client: a line of JSON. `answer` determines which other fields are set.
struct InspectorAnswer: Codable {
  enum Kind: String, Codable {
    case trees, snapshot, complete, following, event, lost, ended, error
  }

  var version = InspectorRequest.version
  var answer: Kind
  var process: Int32?
  var name: String?
  var trees: [InspectedTree]?
  var tree: InspectedTree.ID?
  /// Decoded only. `line(with:of:)` encodes it.
  var snapshot: TreeSnapshot?
  /// Beside a snapshot: what a fold needs.
  var keyframe: KeyframeDetails?
  var event: InspectedEvent?
  /// The number of events lost at this point.
  var count: Int?
  var message: String?

  init(_ answer: Kind) { self.answer = answer }

  /// Whether the numbers are those of trees. A client that calculates with others would trap.
  var isPlausible: Bool {
    let numbers = RecordingReader.numbers
    let times = RecordingReader.times
    return (trees ?? []).allSatisfy { (0..<1e12).contains($0.age) }
      && (keyframe.map { key in
        numbers.contains(key.number) && times.contains(key.timeNanoseconds) && numbers.contains(key.changes ?? 0)
      } ?? true)
      && (event.map { numbers.contains($0.number) && times.contains($0.timeNanoseconds) } ?? true)
      && numbers.contains(count ?? 0)
  }

  static func error(_ message: String) -> InspectorAnswer {
    var answer = InspectorAnswer(.error)
    answer.message = message
    return answer
  }

  /// How long a tree must have run one turn to be shown as busy. Every tree that works is busy for a moment.
  private static let shownTurn = Duration.seconds(1)

  /// The line with the trees of a process. Written by hand, because a process may have ten thousand, and is asked twice a
  /// second.
  static func line(
    with entries: [TreeRegistry.Entry], names: [InspectedTree.ID: String], of process: Int32, _ name: String
  ) -> Data {
    let now = ContinuousClock.now
    var line = JSONLine()
    line.bytes.reserveCapacity(128 + 64 * entries.count)
    line.append(#"{"answer":"trees","name":"#, text: name, "")
    line.append(#","process":"#, process, #","trees":["#)
    for (index, entry) in entries.enumerated() {
      line.append(index == 0 ? #"{"age":"# : #",{"age":"#)
      line.append(seconds: (now - entry.since) / .seconds(1))
      line.append(#","id":"#, entry.id, "")
      for (index, label) in entry.tree.labels.sorted(by: { $0.key < $1.key }).enumerated() {
        line.append(index == 0 ? #","labels":{"# : ",", text: label.key, ":")
        line.append(text: label.value)
      }
      if !entry.tree.labels.isEmpty { line.append("}") }
      line.append(#","name":"#, text: names[entry.id] ?? "", "")
      if let busy = entry.tree.busy, busy.time >= shownTurn { line.append(#","busy":"#, text: busy.description, "") }
      line.append("}")
    }
    line.append(#"],"version":"#, InspectorRequest.version, "}\n")
    return Data(line.bytes)
  }

  /// The line with a snapshot. The snapshot is encoded separately, because it may be large.
  static func line(with keyframe: InspectedKeyframe) -> Data {
    let start = #"{"answer":"\#(Kind.snapshot.rawValue)","keyframe":"#
    let end = #","tree":\#(keyframe.tree),"version":\#(InspectorRequest.version)}"# + "\n"
    return Data(start.utf8) + KeyframeDetails(keyframe).line.dropLast() + Data(#","snapshot":"#.utf8)
      + keyframe.snapshot.encoded() + Data(end.utf8)
  }

  /// The answer in place of the snapshot of a tree that does not answer.
  static func unanswered(_ tree: InspectedTree.ID, _ handle: TreeHandle?) -> InspectorAnswer {
    let reason = handle?.busy.map { "\($0)." } ?? "It may be busy."
    var answer = error("Tree \(tree) does not answer. \(reason)")
    answer.tree = tree
    return answer
  }

  static func lost(_ count: Int) -> InspectorAnswer {
    var answer = InspectorAnswer(.lost)
    answer.count = count
    return answer
  }

  static func ended(_ tree: InspectedTree.ID) -> InspectorAnswer {
    var answer = InspectorAnswer(.ended)
    answer.tree = tree
    return answer
  }
}

extension Encodable {
  /// The value as a line of JSON, with its newline.
  var line: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Cannot fail: strings, integers and finite ages only.
    return ((try? encoder.encode(self)) ?? Data()) + Data("\n".utf8)
  }
}
