// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds code that is nested so deep that the parser or a visitor of its tree would overflow the stack, or would take
/// exponential time. Reads bytes, because a tree of such code can't be made.
struct NestingCheck {
  /// What is open around a byte.
  private struct Level {
    /// The byte that opened it: a bracket, a quote, or `#` for a conditional block.
    let opener: UInt8
    /// The number of `else` of one statement.
    var elses = 0
    /// The length of a chain of members, optionals or function types.
    var links = 0
    /// The number of open angle brackets.
    var angles = 0
    /// The number of brackets that were opened one directly after the other, from the first square one on.
    var run = 0
  }

  /// The most open brackets. The parser gives up at this depth.
  static let depth = 256
  /// The most `else` of one statement, and members of a chain.
  static let chain = 500
  /// The most brackets directly in each other, from a square one on: the parser takes twice as long for each.
  static let run = 16

  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var levels = [Level(opener: 0)]
  private var line = 1
  /// The last byte that is no white space.
  private var last: UInt8 = 0

  /// Why a text can't be parsed; nil if it can.
  static func problem(in data: Data) -> String? {
    data.withUnsafeBytes { bytes in
      var check = NestingCheck(bytes: bytes.bindMemory(to: UInt8.self))
      return check.run()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private func byte(_ distance: Int = 0) -> UInt8 {
    let place = offset + distance
    return bytes.indices.contains(place) ? bytes[place] : 0
  }

  private func isNext(_ word: StaticString, at distance: Int = 0) -> Bool {
    guard offset + distance + word.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<word.utf8CodeUnitCount).allSatisfy { bytes[offset + distance + $0] == word.utf8Start[$0] }
  }

  private mutating func run() -> String? {
    while offset < bytes.count {
      if let problem = step() { return problem }
    }
    return nil
  }

  /// Reads a byte, a comment or a word.
  private mutating func step() -> String? {
    let byte = byte()
    if skipComment() { return nil }
    defer {
      if !Self.isSpace(byte) { last = byte }
      offset += 1
    }
    switch byte {
    case UInt8(ascii: "\n"):
      line += 1
      endLine()
    case UInt8(ascii: "\""): return openString()
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return open(byte)
    case UInt8(ascii: ")"): close(UInt8(ascii: "("))
    case UInt8(ascii: "]"): close(UInt8(ascii: "["))
    case UInt8(ascii: "}"):
      close(UInt8(ascii: "{"))
      if !isElseNext() { levels[levels.count - 1].elses = 0 }
    case UInt8(ascii: "#"):
      if isNext("#if ") { return open(byte) }
      if isNext("#endif") { close(byte) }
    case UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "!"): return link()
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): levels[levels.count - 1].links = 0
    case UInt8(ascii: "<") where Self.isName(self.byte(-1)): return openAngle()
    case UInt8(ascii: ">"):
      if self.byte(-1) == UInt8(ascii: "-") { return link() }
      levels[levels.count - 1].angles = max(0, levels[levels.count - 1].angles - 1)
    case UInt8(ascii: "e") where isWord("else"):
      levels[levels.count - 1].elses += 1
      if levels[levels.count - 1].elses > Self.chain { return problem("more than \(Self.chain) 'else' of one 'if'") }
    default: break
    }
    return nil
  }

  private func problem(_ text: String) -> String { "it can't be parsed: \(text) (line \(line))" }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func isWord(_ word: StaticString) -> Bool {
    isNext(word) && !Self.isName(byte(-1)) && !Self.isName(byte(word.utf8CodeUnitCount))
  }

  // MARK: Brackets

  private mutating func open(_ opener: UInt8) -> String? {
    let isDirect = last == UInt8(ascii: "[") || last == UInt8(ascii: "(")
    let outer = isDirect ? levels[levels.count - 1].run : 0
    let run = opener == UInt8(ascii: "[") || (opener == UInt8(ascii: "(") && outer > 0) ? outer + 1 : 0
    levels.append(Level(opener: opener, run: run))
    if levels.count > Self.depth { return problem("its code is nested more than \(Self.depth) levels deep") }
    return run > Self.run ? problem("more than \(Self.run) brackets of arrays directly in each other") : nil
  }

  private mutating func openAngle() -> String? {
    levels[levels.count - 1].angles += 1
    let isDeep = levels[levels.count - 1].angles > Self.depth / 2
    return isDeep ? problem("more than \(Self.depth / 2) generic types in each other") : nil
  }

  /// Closes a bracket, and what is still open in it.
  private mutating func close(_ opener: UInt8) {
    guard let index = levels.lastIndex(where: { $0.opener == opener }) else { return }
    levels.removeSubrange(index...)
    // An interpolation is in a string.
    if let last = levels.last, last.opener == UInt8(ascii: "\"") {
      levels.removeLast()
      readString(hashes: last.elses, isMultiline: last.links == 1)
    }
  }

  private mutating func link() -> String? {
    levels[levels.count - 1].links += 1
    let isLong = levels[levels.count - 1].links > Self.chain
    return isLong ? problem("a chain of more than \(Self.chain) members, optionals or function types") : nil
  }

  /// Ends a chain, unless the next line continues it.
  private mutating func endLine() {
    var next = offset + 1
    while next < bytes.count, Self.isSpace(bytes[next]), bytes[next] != UInt8(ascii: "\n") { next += 1 }
    if next < bytes.count, bytes[next] == UInt8(ascii: ".") { return }
    levels[levels.count - 1].links = 0
    levels[levels.count - 1].angles = 0
  }

  /// Whether the word after white space and comments is `else`.
  private func isElseNext() -> Bool {
    var ahead = self
    ahead.offset += 1
    while ahead.offset < bytes.count {
      if ahead.skipComment() { continue }
      guard Self.isSpace(ahead.byte()) else { return ahead.isWord("else") }
      ahead.offset += 1
    }
    return false
  }

  // MARK: Comments and strings

  /// Skips a comment.
  ///
  /// - Returns: whether there is one.
  private mutating func skipComment() -> Bool {
    // Almost no byte begins one, and this runs at each.
    guard byte() == UInt8(ascii: "/") else { return false }
    if isNext("//") {
      while offset < bytes.count, byte() != UInt8(ascii: "\n") { offset += 1 }
      return true
    }
    guard isNext("/*") else { return false }
    var depth = 0
    repeat {
      if isNext("/*") {
        depth += 1
        offset += 2
      } else if isNext("*/") {
        depth -= 1
        offset += 2
      } else {
        if byte() == UInt8(ascii: "\n") { line += 1 }
        offset += 1
      }
    } while depth > 0 && offset < bytes.count
    return true
  }

  private mutating func openString() -> String? {
    var hashes = 0
    while byte(-1 - hashes) == UInt8(ascii: "#") { hashes += 1 }
    let isMultiline = isNext("\"\"\"")
    if isMultiline { offset += 2 }
    readString(hashes: hashes, isMultiline: isMultiline)
    return levels.count > Self.depth ? problem("its code is nested more than \(Self.depth) levels deep") : nil
  }

  /// Reads a string from the byte after the current one, up to its last byte or to the parenthesis of an interpolation.
  private mutating func readString(hashes: Int, isMultiline: Bool) {
    func hasHashes(after distance: Int) -> Bool {
      (0..<hashes).allSatisfy { byte(distance + $0) == UInt8(ascii: "#") }
    }
    offset += 1
    while offset < bytes.count {
      switch byte() {
      case UInt8(ascii: "\n"):
        // It is not closed.
        if !isMultiline {
          offset -= 1
          return
        }
        line += 1
      case UInt8(ascii: "\\") where hasHashes(after: 1):
        offset += 1 + hashes
        if byte() == UInt8(ascii: "(") {
          // The string goes on after the parenthesis. Its level has what is needed for that.
          levels.append(Level(opener: UInt8(ascii: "\""), elses: hashes, links: isMultiline ? 1 : 0))
          levels.append(Level(opener: UInt8(ascii: "(")))
          return
        }
      case UInt8(ascii: "\"") where (isMultiline ? isNext("\"\"\"") : true) && hasHashes(after: isMultiline ? 3 : 1):
        offset += (isMultiline ? 2 : 0) + hashes
        return
      default: break
      }
      offset += 1
    }
  }
}
