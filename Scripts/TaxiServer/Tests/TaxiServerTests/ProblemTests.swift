// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import Testing

@testable import HTTPTrees

@Suite("The problem that a client gets")
struct ProblemTests {
  private struct OfTheProgram: Error {}

  private func object(_ problem: Problem) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: try JSON.encode(problem)) as? [String: Any])
  }

  @Test("names each wrong field of a body")
  func fields() throws {
    for (body, status) in [(#"{"a":1,"b":2}"#, 422), ("[1]", 400), ("{", 400)] {
      let error = #expect(throws: JSONFields.Failure.self) { _ = try JSONFields(body.utf8, known: ["a"]) }
      let object = try object(Problem(try #require(error)))
      #expect(object["status"] as? Int == status)
      let errors = (object["errors"] as? [[String: String]] ?? []).map { "\($0["field"] ?? ""): \($0["detail"] ?? "")" }
      #expect(errors == (status == 422 ? ["a: It must be a text.", "b: It is unknown. Use a."] : []))
    }
  }

  @Test("has the status of a refused call, and says why in the log only")
  func refusals() throws {
    let key = TreeKey(kind: "order", id: "secret")
    let problems: [(any Error, Int, Int?, String)] = [
      (TreeBusy(key: key, limit: 1), 503, 1, "TreeBusy"),
      (DirectoryFull(limit: 2), 503, 5, "\(DirectoryFull(limit: 2))"),
      (TreeQuarantined(key: key, reason: OfTheProgram()), 500, nil, "TreeQuarantined"),
      (OfTheProgram(), 500, nil, "OfTheProgram"), (StoreFailure(reason: OfTheProgram()), 503, 1, "OfTheProgram()"),
    ]
    for (error, status, retryAfter, cause) in problems {
      let problem = Problem(error)
      #expect(problem.status == status && problem.retryAfter == retryAfter && problem.cause == cause, "\(error)")
      let text = String(decoding: try JSON.encode(problem), as: UTF8.self)
      #expect(!text.contains("secret") && !text.contains("OfTheProgram"))
    }
    let tooLong = Problem(StoreFailure(reason: FileStoreError.nameTooLong(key)))
    #expect(tooLong.status == 400 && tooLong.retryAfter == nil && tooLong.type == "urn:problem:invalid-id")
    #expect(Problem(UnknownToken()).status == 401)
    #expect(Problem(KeyReused()).status == 422)
  }

  @Test("and answers have dates as fields have them")
  func dates() throws {
    struct View: Encodable { let ends: Date }
    for (seconds, text) in [(1_767_256_200.25, "2026-01-01T08:30:00.250Z"), (0, "1970-01-01T00:00:00Z")] {
      let date = Date(timeIntervalSince1970: seconds)
      let json = String(decoding: try JSON.encode(View(ends: date)), as: UTF8.self)
      #expect(json == #"{"ends":"\#(text)"}"#)
      #expect(try JSONFields(json.utf8, ["ends": .date]).date("ends") == date)
    }
  }
}
