// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import Testing

@Suite("The last answers of a tree")
struct RecentAnswersTests {
  private let start = Date(timeIntervalSince1970: 0)

  @Test("are kept for each client, so that none displaces those of another")
  func clients() throws {
    var answers = RecentAnswers<String, Int>()
    answers.append(0, to: "first", key: "0", of: "ann", at: start)
    for number in 1...100 { answers.append(number, to: "other", key: "\(number)", of: "bob", at: start) }
    #expect(try answers.answer(to: "first", key: "0", of: "ann") == 0)
    #expect(try answers.answer(to: "first", key: "0", of: "bob") == nil)
    #expect(try answers.answer(to: "first", key: "0") == nil)
    #expect(try (1...100).filter { try answers.answer(to: "other", key: "\($0)", of: "bob") != nil } == Array(85...100))
    #expect(throws: KeyReused.self) { try answers.answer(to: "another", key: "0", of: "ann") }
  }

  @Test("are dropped after an hour")
  func time() throws {
    var answers = RecentAnswers<String, Int>()
    answers.append(1, to: "first", key: "1", at: start)
    answers.append(2, to: "second", key: "2", at: start + 3_600)
    #expect(try answers.answer(to: "first", key: "1") == 1)
    answers.append(3, to: "third", key: "3", at: start + 3_601)
    #expect(try answers.answer(to: "first", key: "1") == nil)
    #expect(try answers.answer(to: "second", key: "2") == 2)
  }

  @Test("of a state that an earlier version has saved are read")
  func earlier() throws {
    let document = #"{"entries":[{"key":"1","request":"first","answer":7}]}"#
    var answers = try JSONDecoder().decode(RecentAnswers<String, Int>.self, from: Data(document.utf8))
    answers.append(8, to: "second", key: "2", at: start)
    #expect(try answers.answer(to: "first", key: "1") == 7)
  }
}
