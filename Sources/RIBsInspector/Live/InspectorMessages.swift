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

  static func error(_ message: String) -> InspectorAnswer {
    var answer = InspectorAnswer(.error)
    answer.message = message
    return answer
  }

  /// The line with a snapshot. The snapshot is encoded separately, because it may be large.
  static func line(with keyframe: InspectedKeyframe) -> Data {
    let start = #"{"answer":"\#(Kind.snapshot.rawValue)","keyframe":"#
    let end = #","tree":\#(keyframe.tree),"version":\#(InspectorRequest.version)}"# + "\n"
    return Data(start.utf8) + KeyframeDetails(keyframe).line.dropLast() + Data(#","snapshot":"#.utf8)
      + keyframe.snapshot.encoded() + Data(end.utf8)
  }

  /// The answer in place of the snapshot of a tree that does not answer.
  static func unanswered(_ tree: InspectedTree.ID) -> InspectorAnswer {
    var answer = error("Tree \(tree) does not answer. It may be busy.")
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
