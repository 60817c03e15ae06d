// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The list of unsafe constructs")
struct UnsafeConstructTests {
  @Test("has a row for each unsafe construct of each source file")
  func complete() {
    #expect(Self.rows.count >= 20)
    #expect(Self.sources.count >= 300)
    for (file, text) in Self.sources {
      for kind in Self.kinds where kind.spellings.contains(where: { text.contains($0) }) {
        #expect(Self.rows.contains { $0.kinds.contains(kind.name) && $0.covers(file) }, "\(kind.name) in \(file)")
      }
    }
  }

  @Test("names only files and folders that have the construct")
  func current() {
    for row in Self.rows {
      let kinds = Self.kinds.filter { row.kinds.contains($0.name) }
      #expect(!kinds.isEmpty, "The row '\(row.construct)' has no known construct.")
      for place in row.places {
        let isThere = Self.sources.contains { file, text in
          Row.covers(place, file) && kinds.contains { $0.spellings.contains { text.contains($0) } }
        }
        #expect(isThere, "\(place) has no \(row.construct)")
      }
    }
  }

  @Test("says what each construct gains")
  func measured() {
    for row in Self.rows {
      #expect(!row.gain.isEmpty && !row.gain.contains("not measured"), "\(row.construct)")
    }
  }

  @Test(
    "covers few places of the runtime",
    arguments: [
      (["@exclusivity(unchecked)"], 30), (["_withUnsafeGuaranteedRef", "takeUnretainedValue"], 80),
      (["unsafeDowncast"], 12),
    ])
  func few(spellings: [String], limit: Int) {
    let texts = Self.sources.filter { $0.file.hasPrefix("RIBs/") }.map(\.text)
    let count = spellings.reduce(0) { count, spelling in
      count + texts.reduce(0) { $0 + $1.components(separatedBy: spelling).count - 1 }
    }
    #expect(count > 0 && count <= limit, "\(spellings): \(count)")
  }

  private struct Row {
    let construct: String
    let places: [String]
    let gain: String
    var kinds: [String] { Article.inlineCode(of: construct) }

    /// - Parameter file: relative to `Sources`.
    func covers(_ file: String) -> Bool { places.contains { Self.covers($0, file) } }

    static func covers(_ place: String, _ file: String) -> Bool {
      [place, "RIBs/" + place].contains { $0 == file || ($0.hasSuffix("/") && file.hasPrefix($0)) }
    }
  }

  /// The name in the list, and what the source says.
  private static let kinds: [(name: String, spellings: [String])] =
    [
      "@unchecked Sendable", "nonisolated(unsafe)", "@_silgen_name", "UnownedJob", "withUnsafeContinuation",
      "withUnsafeCurrentTask", "unowned(unsafe)", "_getRetainCount", "@_optimize", "unsafeDowncast", "unsafeBitCast",
      "unsafelyUnwrapped", "@exclusivity(unchecked)", "withUnsafeTemporaryAllocation", "assumingMemoryBound",
      "withUnsafeThrowingContinuation",
    ].map { ($0, [$0]) } + [
      ("Unmanaged", ["Unmanaged", "_withUnsafeGuaranteedRef"]),
      ("Array(unsafeUninitializedCapacity:)", ["unsafeUninitializedCapacity"]),
      ("withUnsafeBytes", ["withUnsafeBytes", "withUnsafeMutableBytes", "withUnsafePointer", "withMemoryRebound"]),
      (
        "UnsafePointer",
        [
          "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer", "UnsafeBufferPointer",
          "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer", "UnsafeMutableRawBufferPointer",
        ]
      ),
    ]

  private static let rows: [Row] = {
    let text = (try? Sample.text("Sources/RIBs/RIBs.docc/UnsafeConstructs.md")) ?? ""
    return text.components(separatedBy: "\n").compactMap { line in
      guard line.hasPrefix("| ") else { return nil }
      let cells = line.dropFirst(2).components(separatedBy: " | ")
      guard cells.count == 4, cells[0] != "Construct" else { return nil }
      let places = Article.inlineCode(of: cells[1]).filter { $0.hasSuffix("/") || $0.hasSuffix(".swift") }
      return Row(construct: cells[0], places: places, gain: String(cells[3].dropLast(2)))
    }
  }()

  /// The source files relative to `Sources`, without comments.
  private static let sources: [(file: String, text: String)] = {
    let folder = Sample.root.appendingPathComponent("Sources")
    return Sample.files(in: "Sources", "swift").map { url in
      let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      let lines = text.components(separatedBy: "\n").filter {
        !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
      }
      return (String(url.path.dropFirst(folder.path.count + 1)), lines.joined(separator: "\n"))
    }
  }()
}

extension Article {
  /// What stands between backticks.
  fileprivate static func inlineCode(of text: String) -> [String] {
    text.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
  }
}
