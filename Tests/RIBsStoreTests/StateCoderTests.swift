// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import Testing

@Suite("The JSON of a state")
struct StateCoderTests {
  private enum Kind: String, Codable, CaseIterable { case a, b, c, d, e, f, g, h }

  /// A state in an order of its own.
  private struct Counts: Codable {
    var counts: [Kind: Int] = [:]
    var names: Set<String> = []
  }

  #if DEBUG
    @Test("is refused if equal states are encoded differently", arguments: 0..<20)
    func unstable(attempt: Int) {
      let coder = JSONStateCoder()
      let counts = Counts(counts: Dictionary(uniqueKeysWithValues: Kind.allCases.shuffled().map { ($0, 1) }))
      let names = Counts(names: Set((0..<20).map { "\($0)" }))
      for state in [counts, names] {
        // The order of two equal values may be the same by chance, with less than a thousandth.
        let results = (0..<3).map { _ in Result { try coder.encode(state) } }
        #expect(results.contains { if case .failure(is UnstableEncoding) = $0 { true } else { false } })
      }
    }
  #endif

  @Test("is the same for equal states with sorted keys")
  func stable() throws {
    let states = (0..<20).map { _ in Dictionary(uniqueKeysWithValues: (0..<20).shuffled().map { ("\($0)", $0) }) }
    #expect(try Set(states.map { try JSONStateCoder().encode($0) }).count == 1)
  }
}
