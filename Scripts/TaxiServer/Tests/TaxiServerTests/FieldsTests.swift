// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import RIBsStore
import Testing

@testable import HTTPTrees

@Suite("The fields of a body")
struct FieldsTests {
  private static let kinds: [String: Fields.Kind] = [
    "amount": .integer(1...100), "share": .number(0...1), "note": .text, "isOpen": .flag, "ends": .date,
  ]

  private func fields(_ body: String, required: Set<String> = []) throws -> Fields {
    try Fields(ByteBuffer(string: body), FieldsTests.kinds, required: required)
  }

  /// The status of the problem, and the wrong fields with what is wrong.
  private func problem(of body: String, required: Set<String> = []) throws -> (status: Int, errors: [String]) {
    let problem = #expect(throws: Problem.self) { _ = try fields(body, required: required) }
    let json = try JSON.encode(try #require(problem))
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let errors = object["errors"] as? [[String: String]] ?? []
    return (problem?.status ?? 0, errors.map { "\($0["field"] ?? ""): \($0["detail"] ?? "")" })
  }

  @Test("are texts, numbers, dates and truth values")
  func kinds() throws {
    let read = try fields(
      #"{"amount":100,"share":0.5,"note":"é","isOpen":false,"ends":"2026-01-01T10:30:00.25+02:00"}"#)
    #expect(read.integer("amount") == 100 && read.number("share") == 0.5 && read.text("note") == "é")
    #expect(read.flag("isOpen") == false)
    #expect(read.date("ends") == Date(timeIntervalSince1970: 1_767_256_200.25))
    let whole = try fields(#"{"amount":1.0,"share":1,"note":null}"#)
    #expect(whole.integer("amount") == 1 && whole.number("share") == 1 && whole.text("note") == nil)
    #expect(try fields("").date("ends") == nil)
  }

  @Test("that are wrong are named, all at once")
  func wrong() throws {
    let all = try problem(
      of: #"{"amount":"5","share":true,"note":1,"isOpen":0,"ends":"tomorrow","extra":1}"#)
    #expect(all.status == 422)
    #expect(
      all.errors == [
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
      let wrong = try problem(of: body)
      #expect(wrong.status == 422 && wrong.errors.count == 1, "\(body)")
    }
    let missing = try problem(of: #"{"amount":0,"note":null}"#, required: ["amount", "note", "ends"])
    #expect(missing.errors.map { $0.prefix(7) } == ["amount:", "ends: I", "note: I"])
  }

  @Test("are those of an object of JSON")
  func notAnObject() throws {
    for body in ["[1]", "5", #""a""#, "{", "null", #"{"amount":}"#] {
      #expect(try problem(of: body).status == 400, "\(body)")
    }
  }

  @Test("have dates as answers have them")
  func dates() throws {
    struct View: Encodable { let ends: Date }
    for (seconds, text) in [(1_767_256_200.25, "2026-01-01T08:30:00.250Z"), (0, "1970-01-01T00:00:00Z")] {
      let date = Date(timeIntervalSince1970: seconds)
      let json = String(decoding: try JSON.encode(View(ends: date)), as: UTF8.self)
      #expect(json == #"{"ends":"\#(text)"}"#)
      #expect(try fields(json).date("ends") == date)
    }
  }
}
