// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// The paths of a `FileStore`.
///
///     DIRECTORY/store.lock                the lock of the process
///     DIRECTORY/store.json                the upper bound of the fences that may be in use
///     DIRECTORY/store.tmp/                files that are being written
///     DIRECTORY/KIND/awake/ID.json        the trees that are awake
///     DIRECTORY/KIND/asleep/ID.json       all others
///     DIRECTORY/KIND/starts/ID.json       the starts that are not known to have succeeded, and quarantine
///     DIRECTORY/KIND/wakes/2026-01-01T1810/MICROSECONDS-ID
///                                         the sleeping trees that wake in ten minutes; the files are empty
///
/// Kinds and IDs are percent-encoded but for a-z, 0-9, - and _. So they never contain a slash, a dot or a NUL, kinds
/// never collide with the files of the store, and two names never differ by case or by Unicode normalization alone,
/// which some file systems ignore.
struct FileLayout: Sendable {
  let directory: String

  init(directory: String) {
    var directory = directory
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    self.directory = directory.isEmpty ? "." : directory
  }

  static let maximumNameLength = 240

  var lock: String { directory + "/store.lock" }
  var fences: String { directory + "/store.json" }
  var temporaryFiles: String { directory + "/store.tmp" }

  func kind(_ kind: String) -> String { directory + "/" + FileLayout.encoded(kind) }

  func folder(of kind: String, _ place: RecordPlace) -> String { self.kind(kind) + "/" + place.rawValue }

  /// The folder of the files about starts. Earlier versions ignore it.
  func starts(of kind: String) -> String { self.kind(kind) + "/starts" }

  func starts(of key: TreeKey) -> String { starts(of: key.kind) + "/" + FileLayout.encoded(key.id) + ".json" }

  /// The folder of the folders with the times of sleeping trees. Earlier versions ignore it.
  func wakes(of kind: String) -> String { self.kind(kind) + "/wakes" }

  func wakes(of kind: String, at time: WallTime) -> String { wakes(of: kind) + "/" + WakeFolder(of: time).name }

  func wake(of key: TreeKey, at time: WallTime) -> String {
    wakes(of: key.kind, at: time) + "/" + WakeFolder.fileName(of: key.id, at: time)
  }

  /// The time by which a tree is found in these folders, which have none before 1970.
  static func wakeTime(_ time: WallTime) -> WallTime { max(time, WallTime(microsecondsSince1970: 0)) }

  func file(of key: TreeKey, _ place: RecordPlace) -> String {
    folder(of: key.kind, place) + "/" + FileLayout.encoded(key.id) + ".json"
  }

  static func check(_ key: TreeKey) throws(FileStoreError) {
    guard encoded(key.kind).utf8.count <= maximumNameLength, encoded(key.id).utf8.count <= maximumNameLength else {
      throw .nameTooLong(key)
    }
  }

  /// The ID of a file in a folder of records; nil for a name that no store has written.
  static func id(ofFile name: String) -> String? {
    name.hasSuffix(".json") ? decoded(String(name.dropLast(5))) : nil
  }

  static func encoded(_ text: String) -> String {
    if text.isEmpty { return "%" }
    // Canonically equivalent strings have the same name.
    let text = text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    var name: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        name.append(byte)
      default:
        name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The text that is encoded as a name; nil if there is none.
  static func decoded(_ name: String) -> String? {
    if name == "%" { return "" }
    guard let text = name.removingPercentEncoding, encoded(text) == name else { return nil }
    return text
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}

/// Where the file of a record is.
enum RecordPlace: String, Sendable, CaseIterable {
  case awake, asleep

  init(isAwake: Bool) { self = isAwake ? .awake : .asleep }

  var other: RecordPlace { self == .awake ? .asleep : .awake }
}

/// The places of the files of a record.
enum RecordFiles: Hashable, Sendable {
  case none
  case one(RecordPlace)
  /// Both: a crash interrupted a move. The next write removes the outdated one.
  case both(current: RecordPlace)

  var current: RecordPlace? {
    switch self {
    case .none: nil
    case .one(let place), .both(let place): place
    }
  }

  func includes(_ place: RecordPlace) -> Bool {
    switch self {
    case .none: false
    case .one(let only): only == place
    case .both: true
    }
  }
}
