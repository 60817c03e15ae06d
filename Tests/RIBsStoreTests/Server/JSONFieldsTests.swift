// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import Testing

@Suite("The fields of a JSON object")
struct JSONFieldsTests {
  private static let kinds: [String: JSONFields.Kind] = [
    "amount": .integer(1...100), "share": .number(0...1), "note": .text, "isOpen": .flag, "ends": .date,
  ]

  private func fields(_ body: String, required: Set<String> = []) throws -> JSONFields {
    try JSONFields(body.utf8, JSONFieldsTests.kinds, required: required)
  }

  /// The wrong fields with what is wrong.
  private func errors(of body: String, required: Set<String> = []) throws -> [String] {
    let failure = #expect(throws: JSONFields.Failure.self) { _ = try fields(body, required: required) }
    guard case .wrong(let wrong)? = failure else { return ["\(failure as Any)"] }
    return wrong.map { "\($0.field): \($0.detail)" }
  }

  @Test("are texts, numbers, dates and truth values")
  func kinds() throws {
    let read = try fields(
      #"{"amount":100,"share":0.5,"note":"é","isOpen":false,"ends":"2026-01-01T10:30:00.25+02:00"}"#)
    #expect(read.integer("amount") == 100 && read.number("share") == 0.5 && read.text("note") == "é")
    #expect((read.flag("isOpen"), read.date("ends")) == (false, Date(timeIntervalSince1970: 1_767_256_200.25)))
    let whole = try fields(#"{"amount":1.0,"share":1,"note":null}"#)
    #expect(whole.integer("amount") == 1 && whole.number("share") == 1 && whole.text("note") == nil)
    #expect(try fields("").date("ends") == nil)
  }

  @Test("that are wrong are named, all at once")
  func wrong() throws {
    let all = try errors(
      of: #"{"amount":"5","share":true,"note":1,"isOpen":0,"ends":"tomorrow","extra":1}"#)
    #expect(
      all == [
        "amount: It must be a whole number from 1 to 100.",
        "ends: It must be a date such as 2026-01-01T08:30:00Z.",
        "extra: It is unknown. Use amount, ends, isOpen, note, share.",
        "isOpen: It must be true or false.", "note: It must be a text.",
        "share: It must be a number from 0.0 to 1.0.",
      ])
    for body in [
      #"{"amount":0}"#, #"{"amount":101}"#, #"{"amount":1.5}"#, #"{"amount":1e30}"#, #"{"amount":true}"#,
      #"{"amount":[1]}"#, #"{"amount":{}}"#, #"{"share":-0.1}"#, #"{"share":"0"}"#, #"{"ends":0}"#,
      #"{"ends":"2026-02-30T00:00:00Z"}"#, #"{"ends":"2026-01-01T00:00:00"}"#, #"{"isOpen":"true"}"#,
    ] {
      #expect(try errors(of: body).count == 1, "\(body)")
    }
    let missing = try errors(of: #"{"amount":0,"note":null}"#, required: ["amount", "note", "ends"])
    #expect(missing.map { $0.prefix(7) } == ["amount:", "ends: I", "note: I"])
  }

  @Test("of texts may be one of a few")
  func choices() throws {
    let read = try JSONFields(#"{"payment":"cash","note":"x"}"#.utf8, known: ["payment", "note", "other"])
    #expect(try read.value("payment", [("card", 1), ("cash", 2)]) == 2)
    #expect(try read.value("other", [("card", 1)]) == nil)
    let wrong = JSONFields.Wrong(field: "note", detail: "Use one of: card, cash.")
    #expect(throws: JSONFields.Failure.wrong([wrong])) { try read.value("note", [("card", 1), ("cash", 2)]) }
  }

  @Test("are those of an object of JSON")
  func notAnObject() throws {
    for body in ["[1]", "5", #""a""#] {
      #expect(throws: JSONFields.Failure.notAnObject, "\(body)") { try fields(body) }
    }
    for body in ["{", #"{"amount":}"#] { #expect(throws: JSONFields.Failure.notJSON, "\(body)") { try fields(body) } }
    #expect(throws: JSONFields.Failure.self) { try fields("null") }
  }
}
