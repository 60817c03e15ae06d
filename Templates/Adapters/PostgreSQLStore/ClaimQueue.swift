// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Synchronization

/// Group commit of claims.
///
/// A process that starts claims all trees that were awake. Without this, each claim would be a commit of its own. A tree
/// that could not be claimed alone, such as one whose row is locked, is claimed beside these commits from then on, because
/// it would fail them again and again.
final class ClaimQueue: Sendable {
  struct Claim: Sendable {
    let key: TreeKey
    let owner: TreeOwner
    let schema: Int
  }

  private let (shared, alone): (GroupCommit<Claim, TreeClaim?>, GroupCommit<Claim, TreeClaim?>)
  /// The trees whose last claim has failed alone.
  private let failed = Mutex<Set<TreeKey>>([])

  /// - Parameter run: claims trees with different keys in one statement.
  init(_ run: @escaping @Sendable ([Claim], @escaping @Sendable (Result<[Row], any Error>) -> Void) -> Void) {
    func line(_ limit: Int) -> GroupCommit<Claim, TreeClaim?> {
      GroupCommit(
        limit: limit, cause: { ($0 as? PostgreSQLError)?.isPassing == true ? .wholeGroup : .oneEntry },
        commit: { claims, answer in run(claims) { rows in answer(rows.map { ClaimQueue.answers(to: claims, $0) }) } })
    }
    (shared, alone) = (line(64), line(1))
  }

  func claim(_ claim: Claim) async throws -> TreeClaim {
    do {
      // Without an answer, the tree has changed while the statement ran.
      for _ in 0..<3 {
        let line = withFailed { $0.contains(claim.key) } ? alone : shared
        let answer = try await withCheckedThrowingContinuation { continuation in
          line.append(claim, key: claim.key) { continuation.resume(with: $0) }
        }
        withFailed { _ = $0.remove(claim.key) }
        if let answer { return answer }
      }
      return .elsewhere(address: "")
    } catch {
      let cause = error as? PostgreSQLError
      if cause?.isPassing != true, cause?.isPermanent != true { withFailed { _ = $0.insert(claim.key) } }
      throw error
    }
  }

  /// - Returns: nil for a tree without a row, and for one with a record of a schema that is not later, which was claimed by
  ///   another owner meanwhile.
  private static func answers(to claims: [Claim], _ rows: [Row]) -> [TreeClaim?] {
    var answers: [TreeKey: TreeClaim] = [:]
    for row in rows { answers[TreeKey(kind: row[0].text, id: row[1].text)] = answer(row) }
    return claims.map { claim in
      if case .laterSchema(let schema)? = answers[claim.key], schema <= claim.schema { return nil }
      return answers[claim.key]
    }
  }

  private static func answer(_ row: Row) -> TreeClaim {
    let schema = Int(row[4].integer)
    let starts = UnfinishedStarts(count: Int(row[8].integer), last: row[9].text)
    if !row[2].isNull {
      let saved = row[5].bytes.map {
        SavedRecord(
          version: UInt64(row[3].integer), schema: schema, document: $0, isAwake: row[7].integer != 0,
          wakes: row[11].isNull ? nil : WallTime(microsecondsSince1970: row[11].integer),
          unfinishedStarts: starts.count > 0 ? starts : nil)
      }
      return .claimed(fence: UInt64(row[2].integer), saved: saved)
    }
    if !row[6].isNull { return .elsewhere(address: row[6].text) }
    return row[10].integer != 0 ? .quarantined(starts) : .laterSchema(schema)
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withFailed<Result: Sendable>(_ body: (inout Set<TreeKey>) -> Result) -> Result {
    failed.withLock { body(&$0) }
  }
}
