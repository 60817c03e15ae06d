// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("A number or a duration of any size")
struct NumberTests {
  @Test("ends no process and repeats nothing without a pause", arguments: NumberProbe.all.keys.sorted())
  func extremes(_ name: String) async throws { try await NumberProbe.all[name]?() }

  @Test("is tried with each public function, initializer, property and case that takes one")
  func completeness() throws {
    var declared: Set<String> = []
    for module in ["RIBs", "RIBsInspector", "RIBsLists", "RIBsStore", "RIBsTesting"] {
      for line in try packageText("Tests/API/\(module).txt").split(separator: "\n") {
        guard let colon = line.firstRange(of: ": public ") else { continue }
        if Self.takesNumber(String(line[colon.upperBound...])) { declared.insert(String(line[..<colon.lowerBound])) }
      }
    }
    #expect(declared.count > 80)
    let tried = Set(NumberProbe.all.keys).union(NumberProbe.values)
    #expect(
      declared.subtracting(tried).sorted() == [],
      "Add a probe to NumberProbe.all, or the name to NumberProbe.values if the number is only stored or passed on.")
    #expect(tried.subtracting(declared).sorted() == [], "These are not in Tests/API.")
  }

  /// Whether a declaration takes a number or a duration that the program chooses.
  private static func takesNumber(_ declaration: String) -> Bool {
    let keywords = declaration.split(separator: " ")
    if keywords.contains("let") || declaration.hasSuffix("{ get }") { return false }
    var text = declaration
    if keywords.contains("func"), let arrow = text.range(of: ") -> ", options: .backwards) {
      text = String(text[..<arrow.lowerBound])
    }
    for other in ["line: UInt", "column: UInt", "Clock<Duration>", "C.Duration == Duration", "[UInt8]"] {
      text = text.replacing(other, with: "")
    }
    return text.contains(/\b(U?Int(8|16|32|64|128)?|Double|Float|Duration)\b/)
  }
}
