// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Testing

@Suite("What a client learns about a refused call")
struct CallRefusalTests {
  private struct OfTheProgram: Error, CustomStringConvertible { let description = "secret" }

  private let key = TreeKey(kind: "order", id: "secret")

  @Test("has a type, says when to repeat it, and has no value of a tree")
  func types() throws {
    let restoreError = #expect(throws: SavedTree.RestoreError.self) { try SavedTree([]) }
    let errors: [(any Error, String, Int?)] = [
      (TreeElsewhere(key: key, address: "a"), "moving", 1), (DirectoryFull(limit: 1), "full", 5),
      (TreeBusy(key: key, limit: 1), "busy", 1), (DirectoryEnded(), "stopping", 1),
      (LaterSchema(key: key, saved: 2, known: 1), "later-version", 1),
      (TreeQuarantined(key: key, reason: OfTheProgram()), "quarantined", nil),
      (StoreFailure(reason: CancellationError()), "store", 1), (SaveAbandoned(key: key), "unknown-outcome", 1),
      (FileStoreError.nameTooLong(key), "invalid-id", nil),
      (StoreFailure(reason: FileStoreError.nameTooLong(key)), "invalid-id", nil),
      (CancellationError(), "unknown-outcome", 1), (TreeUnanswered(key: key, timeout: .seconds(1)), "timed-out", 1),
      (TreeUnanswered(key: key, timeout: .seconds(1), hasBegun: true, reason: .store), "timed-out", 1),
      (try #require(restoreError), "unreadable", nil),
    ]
    for (error, type, retryAfter) in errors {
      let refusal = CallRefusal(error)
      #expect(refusal?.type == type && refusal?.retryAfter == retryAfter, "\(error)")
      #expect(refusal.map { !"\($0.detail) \($0.cause)".contains("secret") } == true, "\(error)")
    }
    #expect(CallRefusal(OfTheProgram()) == nil)
  }

  @Test("says why for the log, without values of a tree")
  func causes() async throws {
    #expect(CallRefusal(DirectoryEnded())?.cause == "\(DirectoryEnded())")
    #expect(CallRefusal(StoreFailure(reason: CancellationError()))?.cause == "CancellationError()")
    #expect(CallRefusal(TreeBusy(key: key, limit: 1))?.cause == "TreeBusy")
    let unanswered = CallRefusal(TreeUnanswered(key: key, timeout: .seconds(1), hasBegun: true, reason: .store))
    #expect(unanswered?.cause == "TreeUnanswered: store")
    #expect(unanswered?.detail.contains("may have been carried out") == true)
  }
}
