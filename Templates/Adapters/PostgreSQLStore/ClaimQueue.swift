// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Synchronization

/// Group commit of claims: those that arrive during a commit share the next one.
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

  private struct Pending: Sendable {
    let claim: Claim
    let answer: @Sendable (Result<TreeClaim?, any Error>) -> Void
  }

  /// Claims that share commits, one at a time.
  private struct Line {
    var pending: [Pending] = []
    var isCommitting = false
  }

  private enum Kind { case shared, alone }

  private struct State {
    var lines: [Kind: Line] = [.shared: Line(), .alone: Line()]
    /// The trees whose last claim has failed alone.
    var alone: Set<TreeKey> = []
  }

  private let state = Mutex(State())

  /// Claims a tree.
  ///
  /// - Parameter run: claims trees with different keys in one statement.
  func claim(_ claim: Claim, by run: @escaping @Sendable ([Claim]) async throws -> [Row]) async throws -> TreeClaim {
    // Without an answer, the tree has changed while the statement ran.
    for _ in 0..<3 {
      let answer = try await withCheckedThrowingContinuation { continuation in
        let kind: Kind? = withState { state in
          let kind = state.alone.contains(claim.key) ? Kind.alone : .shared
          state.lines[kind]?.pending.append(Pending(claim: claim) { continuation.resume(with: $0) })
          if state.lines[kind]?.isCommitting == true { return nil }
          state.lines[kind]?.isCommitting = true
          return kind
        }
        if let kind { Task.detached { await self.commit(kind, by: run) } }
      }
      if let answer { return answer }
    }
    return .elsewhere(address: "")
  }

  private func commit(_ kind: Kind, by run: @Sendable ([Claim]) async throws -> [Row]) async {
    while let batch = nextBatch(kind) { await commit(batch, by: run) }
  }

  private func commit(_ batch: [Pending], by run: @Sendable ([Claim]) async throws -> [Row]) async {
    do {
      var answers: [TreeKey: TreeClaim] = [:]
      for row in try await run(batch.map(\.claim)) {
        answers[TreeKey(kind: row[0].text, id: row[1].text)] = ClaimQueue.claim(row)
      }
      withState { state in if !state.alone.isEmpty { state.alone.subtract(batch.map(\.claim.key)) } }
      for pending in batch {
        // A record of a schema that is not later was claimed by another owner meanwhile.
        let answer = answers[pending.claim.key]
        if case .laterSchema(let schema)? = answer, schema <= pending.claim.schema {
          pending.answer(.success(nil))
        } else {
          pending.answer(.success(answer))
        }
      }
    } catch {
      // Each one alone would fail too, and those at the end would wait for all timeouts before.
      let failsForAll = (error as? PostgreSQLError)?.isPassing == true
      if batch.count == 1 || failsForAll {
        if !failsForAll { withState { state in state.alone.formUnion(batch.map(\.claim.key)) } }
        for pending in batch { pending.answer(.failure(error)) }
        return
      }
      // Nothing was claimed. One claim must not make all others fail.
      let half = batch.count / 2
      await commit(Array(batch[..<half]), by: run)
      await commit(Array(batch[half...]), by: run)
    }
  }

  private static func claim(_ row: Row) -> TreeClaim {
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

  /// Takes the claims of a line that wait, at most one for each tree.
  private func nextBatch(_ kind: Kind) -> [Pending]? {
    withState { state in
      var keys: Set<TreeKey> = []
      var (batch, later): ([Pending], [Pending]) = ([], [])
      for pending in state.lines[kind]?.pending ?? [] {
        if batch.count < (kind == .alone ? 1 : 64), keys.insert(pending.claim.key).inserted {
          batch.append(pending)
        } else {
          later.append(pending)
        }
      }
      state.lines[kind]?.pending = later
      if batch.isEmpty { state.lines[kind]?.isCommitting = false }
      return batch.isEmpty ? nil : batch
    }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
