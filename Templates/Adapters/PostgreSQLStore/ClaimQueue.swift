import RIBsStore
import Synchronization

/// Group commit of claims: those that arrive during a commit share the next one.
///
/// A process that starts claims all trees that were awake. Without this, each claim would be a commit of its own.
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

  private struct State {
    var pending: [Pending] = []
    var isCommitting = false
  }

  private let state = Mutex(State())

  /// Claims a tree.
  ///
  /// - Parameter run: claims trees with different keys in one statement.
  func claim(_ claim: Claim, by run: @escaping @Sendable ([Claim]) async throws -> [Row]) async throws -> TreeClaim {
    // Without an answer, the tree has changed while the statement ran.
    for _ in 0..<3 {
      let answer = try await withCheckedThrowingContinuation { continuation in
        let begins = withState { state in
          state.pending.append(Pending(claim: claim) { continuation.resume(with: $0) })
          defer { state.isCommitting = true }
          return !state.isCommitting
        }
        if begins { Task.detached { await self.commit(by: run) } }
      }
      if let answer { return answer }
    }
    return .elsewhere(address: "")
  }

  private func commit(by run: @Sendable ([Claim]) async throws -> [Row]) async {
    while let batch = nextBatch() { await commit(batch, by: run) }
  }

  private func commit(_ batch: [Pending], by run: @Sendable ([Claim]) async throws -> [Row]) async {
    do {
      var answers: [TreeKey: TreeClaim] = [:]
      for row in try await run(batch.map(\.claim)) {
        answers[TreeKey(kind: row[0].text, id: row[1].text)] = ClaimQueue.claim(row)
      }
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
        for pending in batch { pending.answer(.failure(error)) }
        return
      }
      // Nothing was claimed. One claim must not make all others fail.
      for pending in batch { await commit([pending], by: run) }
    }
  }

  private static func claim(_ row: Row) -> TreeClaim {
    let schema = Int(row[4].integer)
    if !row[2].isNull {
      let saved = row[5].bytes.map {
        SavedRecord(
          version: UInt64(row[3].integer), schema: schema, document: $0, isAwake: row[7].integer != 0)
      }
      return .claimed(fence: UInt64(row[2].integer), saved: saved)
    }
    return row[6].isNull ? .laterSchema(schema) : .elsewhere(address: row[6].text)
  }

  /// Takes the claims that wait, at most one for each tree.
  private func nextBatch() -> [Pending]? {
    withState { state in
      var keys: Set<TreeKey> = []
      var (batch, later): ([Pending], [Pending]) = ([], [])
      for pending in state.pending {
        if batch.count < 64, keys.insert(pending.claim.key).inserted {
          batch.append(pending)
        } else {
          later.append(pending)
        }
      }
      state.pending = later
      if batch.isEmpty { state.isCommitting = false }
      return batch.isEmpty ? nil : batch
    }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
