// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A `TreeEdit` with names in place of types: what a fold applies before an event.
///
/// In JSON it is an array that begins with a word. RIBs and work are numbers. A place among the siblings is the number of
/// the sibling before, 0 for the first place, and -1 for the last:
///
/// ```
/// ["insert",9,4,-1,"Trip","TripRouter","TripInteractor",false]     RIB, parent (0 for the root), place, names, has a view
/// ["insert",9,4,-1,"Trip","TripRouter","TripInteractor",false,"7"] the same, and its label
/// ["move",9,7]              ["remove",9]
/// ["activate",9,1500000]    RIB, since when, in nanoseconds since the launch
/// ["resigning",9]           ["resign",9]
/// ["work",17,9,-1,"reload (TripInteractor.swift:31)"]    work, RIB, index of the running worker or -1, name
/// ["work",17,9,-1,"reload (TripInteractor.swift:31)",1767236400000000]    the same, and until when it sleeps
/// ["workEnd",17]
/// ["worker",9,"PositionWorker"]    ["workerStop",9,0]    RIB, index of the running worker
/// ["restart",9,1,3]         RIB, restarts, limit
/// ```
///
/// `work` is repeated when the work begins to sleep until a wall time, with that time in microseconds since 1970, and
/// without it when the work wakes or is cancelled. Earlier versions, which do not know the time, ignore the repetition, as
/// they ignore labels.
enum InspectedEdit: Sendable, Hashable {
  typealias Place = TreeEdit.Place

  case inserted(UInt64, parent: UInt64, Place, RIBNames, label: String? = nil)
  case moved(UInt64, Place)
  case removed(UInt64)
  case activated(UInt64, since: Int64)
  case resigning(UInt64)
  case resigned(UInt64)
  case workStarted(UInt64, UInt64, worker: Int, String, until: Int64? = nil)
  case workEnded(UInt64)
  case workerStarted(UInt64, String)
  case workerStopped(UInt64, Int)
  case restarted(UInt64, made: Int, limit: Int)

  init(_ edit: TreeEdit, _ names: inout NameCache) {
    self =
      switch edit {
      case .inserted(let id, let parent, let place, let types, let label):
        .inserted(id.rawValue, parent: parent?.rawValue ?? 0, place, names[types], label: label)
      case .moved(let id, let place): .moved(id.rawValue, place)
      case .removed(let id): .removed(id.rawValue)
      case .activated(let id, let since): .activated(id.rawValue, since: since.wholeNanoseconds)
      case .resigning(let id): .resigning(id.rawValue)
      case .resigned(let id): .resigned(id.rawValue)
      case .workStarted(let work, let id, let worker, let end):
        .workStarted(
          work.id.rawValue, id.rawValue, worker: worker ?? -1, work.description, until: end?.microsecondsSince1970)
      case .workEnded(let work): .workEnded(work.rawValue)
      case .workerStarted(let type, let id): .workerStarted(id.rawValue, String(describing: type))
      case .workerStopped(let index, let id): .workerStopped(id.rawValue, index)
      case .restarted(let id, let count): .restarted(id.rawValue, made: count.made, limit: count.limit)
      }
  }

  /// The edits of an event; nil if there are none.
  static func all(of event: TreeEvent, _ names: inout NameCache) -> [InspectedEdit]? {
    event.edits.isEmpty ? nil : event.edits.map { InspectedEdit($0, &names) }
  }
}

/// The names of a RIB and its types.
struct RIBNames: Sendable, Hashable {
  let name: String
  let router: String
  let interactor: String
  let hasView: Bool
}

/// The names of the RIBs seen so far, because they take long to create. Bounded.
package struct NameCache {
  private var known: [RIBTypes: RIBNames] = [:]

  package init() {}

  subscript(types: RIBTypes) -> RIBNames {
    mutating get {
      if let names = known[types] { return names }
      if known.count == 4_096 { known = [:] }
      let names = RIBNames(
        name: types.name, router: types.router, interactor: types.interactor, hasView: types.hasView)
      known[types] = names
      return names
    }
  }
}

extension TreeEdit.Place {
  /// The place as a number.
  var number: Int64 {
    switch self {
    case .last: -1
    case .first: 0
    case .after(let id): Int64(clamping: id.rawValue)
    }
  }

  init(number: Int64) { self = number < 0 ? .last : number == 0 ? .first : .after(NodeID(UInt64(number))) }
}

extension InspectedEdit: Codable {
  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    func id() throws -> UInt64 { try values.decode(UInt64.self) }
    func place() throws -> Place { Place(number: try values.decode(Int64.self)) }
    let word = try values.decode(String.self)
    switch word {
    case "insert":
      self = .inserted(
        try id(), parent: try id(), try place(),
        RIBNames(
          name: try values.decode(String.self), router: try values.decode(String.self),
          interactor: try values.decode(String.self), hasView: try values.decode(Bool.self)),
        label: values.isAtEnd ? nil : try values.decode(String.self))
    case "move": self = .moved(try id(), try place())
    case "remove": self = .removed(try id())
    case "activate": self = .activated(try id(), since: try values.decode(Int64.self))
    case "resigning": self = .resigning(try id())
    case "resign": self = .resigned(try id())
    case "work":
      self = .workStarted(
        try id(), try id(), worker: try values.decode(Int.self), try values.decode(String.self),
        until: values.isAtEnd ? nil : try values.decode(Int64.self))
    case "workEnd": self = .workEnded(try id())
    case "worker": self = .workerStarted(try id(), try values.decode(String.self))
    case "workerStop": self = .workerStopped(try id(), try values.decode(Int.self))
    case "restart":
      self = .restarted(try id(), made: try values.decode(Int.self), limit: try values.decode(Int.self))
    default:
      throw DecodingError.dataCorruptedError(
        in: values, debugDescription: "A change \"\(word)\" is unknown to this version of RIBs.")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(word)
    switch self {
    case .inserted(let id, let parent, let place, let names, let label):
      try values.encode(id)
      try values.encode(parent)
      try values.encode(place.number)
      try values.encode(contentsOf: [names.name, names.router, names.interactor])
      try values.encode(names.hasView)
      if let label { try values.encode(label) }
    case .moved(let id, let place):
      try values.encode(id)
      try values.encode(place.number)
    case .removed(let id), .resigning(let id), .resigned(let id), .workEnded(let id): try values.encode(id)
    case .activated(let id, let since):
      try values.encode(id)
      try values.encode(since)
    case .workStarted(let work, let id, let worker, let name, let end):
      try values.encode(contentsOf: [work, id])
      try values.encode(worker)
      try values.encode(name)
      if let end { try values.encode(end) }
    case .workerStarted(let id, let type):
      try values.encode(id)
      try values.encode(type)
    case .workerStopped(let id, let index):
      try values.encode(id)
      try values.encode(index)
    case .restarted(let id, let made, let limit):
      try values.encode(id)
      try values.encode(contentsOf: [made, limit])
    }
  }

  /// The word that the array begins with.
  var word: String {
    switch self {
    case .inserted: "insert"
    case .moved: "move"
    case .removed: "remove"
    case .activated: "activate"
    case .resigning: "resigning"
    case .resigned: "resign"
    case .workStarted: "work"
    case .workEnded: "workEnd"
    case .workerStarted: "worker"
    case .workerStopped: "workerStop"
    case .restarted: "restart"
    }
  }
}

extension JSONLine {
  /// Appends an edit. Names are written by a closure, so that a recording can number them.
  mutating func append(
    _ edit: InspectedEdit, names: (inout JSONLine, RIBNames) -> Void, work: (inout JSONLine, String) -> Void
  ) {
    append("[")
    append(text: edit.word)
    func number(_ value: some BinaryInteger) { append(",", value, "") }
    switch edit {
    case .inserted(let id, let parent, let place, let rib, let label):
      number(id)
      number(parent)
      number(place.number)
      append(",")
      names(&self, rib)
      if let label { append(",", text: label, "") }
    case .moved(let id, let place):
      number(id)
      number(place.number)
    case .removed(let id), .resigning(let id), .resigned(let id), .workEnded(let id): number(id)
    case .activated(let id, let since):
      number(id)
      number(since)
    case .workStarted(let id, let node, let worker, let name, let end):
      number(id)
      number(node)
      number(worker)
      append(",")
      work(&self, name)
      if let end { number(end) }
    case .workerStarted(let id, let type):
      number(id)
      append(",")
      work(&self, type)
    case .workerStopped(let id, let index):
      number(id)
      number(index)
    case .restarted(let id, let made, let limit):
      number(id)
      number(made)
      number(limit)
    }
    append("]")
  }

  /// Appends the names of a RIB.
  mutating func append(_ names: RIBNames) {
    append(text: names.name)
    append(",", text: names.router, "")
    append(",", text: names.interactor, "")
    append(names.hasView ? ",true" : ",false")
  }
}
