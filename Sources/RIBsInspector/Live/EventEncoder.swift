// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Encodes events as lines of JSON, much faster than a `JSONEncoder`.
///
/// Caches encoded kinds, paths, and lines that several clients read. The caches are bounded.
struct EventEncoder {
  /// The number of cached lines.
  static let keptLines = 1_024
  /// The maximum number of cached paths.
  static let keptPaths = 1_024

  private var kinds: [TreeEvent.Kind: [UInt8]] = [:]
  private var paths: [TreePath: [UInt8]] = [:]
  private var names = NameCache()
  private var lines: [(position: Int, line: [UInt8])] = []

  /// Appends the line of an event.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - position: the event's position in the ring, which identifies it.
  mutating func append(_ event: RecordedEvent, at position: Int, to output: inout [UInt8]) {
    if lines.isEmpty { lines = Array(repeating: (-1, []), count: EventEncoder.keptLines) }
    let slot = position % EventEncoder.keptLines
    if lines[slot].position != position { lines[slot] = (position, line(of: event)) }
    output += lines[slot].line
  }

  /// Discards the caches.
  mutating func clear() { self = EventEncoder() }

  /// The line of an event, with its newline; byte for byte what a `JSONEncoder` produces for an `InspectorAnswer`.
  mutating func line(of recorded: RecordedEvent) -> [UInt8] {
    let event = recorded.event
    var line = JSONLine()
    line.append(#"{"answer":"event","event":{"#)
    if !event.edits.isEmpty {
      for (index, edit) in event.edits.enumerated() {
        line.append(index == 0 ? #""changes":["# : ",")
        line.append(InspectedEdit(edit, &names), names: { $0.append($1) }, work: { $0.append(text: $1) })
      }
      line.append("],")
    }
    if let duration = event.duration { line.append(#""durationNanoseconds":"#, duration.wholeNanoseconds, ",") }
    line.append(#""kind":"#)
    line.bytes += bytes(of: event.kind)
    line.append(",")
    if let labels = event.path.writtenLabels {
      line.append(#""labels":["#, list: labels)
      line.append(",")
    }
    if let message = InspectedEvent.message(of: event) { line.append(#""message":"#, text: message, ",") }
    if let node = event.node { line.append(#""node":"#, node.rawValue, ",") }
    line.append(#""number":"#, recorded.number, ",")
    if let parent = event.parent { line.append(#""parent":"#, parent.rawValue, ",") }
    line.append(#""path":"#)
    line.bytes += bytes(of: event.path)
    line.append(#","timeNanoseconds":"#, event.time.wholeNanoseconds, #","tree":"#)
    line.append(number: recorded.tree)
    if let work = event.work { line.append(#","work":"#, text: work, "") }
    if let worker = event.worker { line.append(#","worker":"#, text: worker, "") }
    if let workflow = event.workflow { line.append(#","workflow":"#, text: workflow, "") }
    line.append(#"},"version":"#, InspectorRequest.version, "}\n")
    return line.bytes
  }

  private mutating func bytes(of kind: TreeEvent.Kind) -> [UInt8] {
    if let known = kinds[kind] { return known }
    var line = JSONLine()
    line.append(text: kind.description)
    kinds[kind] = line.bytes
    return line.bytes
  }

  private mutating func bytes(of path: TreePath) -> [UInt8] {
    if let known = paths[path] { return known }
    var line = JSONLine()
    line.append("[", list: path.components)
    if paths.count == EventEncoder.keptPaths { paths = [:] }
    paths[path] = line.bytes
    return line.bytes
  }
}

/// A buffer for JSON that is written sequentially.
struct JSONLine {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(256) }

  mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ before: StaticString, _ number: some BinaryInteger, _ after: StaticString) {
    append(before)
    append(number: number)
    append(after)
  }

  mutating func append(_ before: StaticString, text: String, _ after: StaticString) {
    append(before)
    append(text: text)
    append(after)
  }

  mutating func append(number: some BinaryInteger) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = UInt64(number.magnitude)
    var unit: UInt64 = 1
    while magnitude / unit >= 10 { unit *= 10 }
    while unit > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude / unit % 10))
      unit /= 10
    }
  }

  /// Appends a quoted, escaped string.
  mutating func append(text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      if utf8.contains(where: JSONLine.needsEscape) {
        for byte in utf8 { append(escaped: byte) }
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(#"\""#)
    case UInt8(ascii: "\\"): append(#"\\"#)
    case 0x08: append(#"\b"#)
    case 0x09: append(#"\t"#)
    case 0x0A: append(#"\n"#)
    case 0x0C: append(#"\f"#)
    case 0x0D: append(#"\r"#)
    case ..<0x20:
      append(byte < 0x10 ? #"\u000"# : #"\u001"#)
      bytes.append(Array("0123456789abcdef".utf8)[Int(byte & 0xF)])
    default: bytes.append(byte)
    }
  }
}
