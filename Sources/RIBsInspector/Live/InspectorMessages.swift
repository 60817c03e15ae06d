internal import Foundation
internal import RIBs

/// What a client asks for: a line of JSON, as `Inspector` describes it.
struct InspectorRequest: Codable {
  enum Kind: String, Codable, CaseIterable {
    case trees, snapshot, events
  }

  /// Of requests and answers. It changes when one side would misread the other.
  static let version = 1

  var version = InspectorRequest.version
  var request: Kind
  var tree: InspectedTree.ID?
  var replay: Bool?
}

/// What a client is told: a line of JSON, of which `answer` says what else is in it.
struct InspectorAnswer: Codable {
  enum Kind: String, Codable {
    case trees, snapshot, following, event, lost, ended, error
  }

  var version = InspectorRequest.version
  var answer: Kind
  var process: Int32?
  var name: String?
  var trees: [InspectedTree]?
  var tree: InspectedTree.ID?
  /// Only ever read: it is written by `line(with:of:)`.
  var snapshot: TreeSnapshot?
  var event: InspectedEvent?
  /// How many events were lost just here.
  var count: Int?
  var message: String?

  init(_ answer: Kind) { self.answer = answer }

  static func error(_ message: String) -> InspectorAnswer {
    var answer = InspectorAnswer(.error)
    answer.message = message
    return answer
  }

  /// The line with a snapshot, which is encoded on its own: it may be large.
  static func line(with snapshot: TreeSnapshot, of tree: InspectedTree.ID) -> Data {
    let start = #"{"answer":"\#(Kind.snapshot.rawValue)","snapshot":"#
    let end = #","tree":\#(tree),"version":\#(InspectorRequest.version)}"# + "\n"
    return Data(start.utf8) + snapshot.encoded() + Data(end.utf8)
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
  /// This as a line of JSON, with the newline.
  var line: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts, whole numbers and finite ages, which JSON can always tell.
    return ((try? encoder.encode(self)) ?? Data()) + Data("\n".utf8)
  }
}
