// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Group commit for a store of yours: what arrives during a commit shares the next one.
///
/// A disk commits some hundred times a second, so this is what makes many trees fast. Entries are what your store writes,
/// such as the records of a save. A group is committed as a whole or not at all, as a transaction. If it fails because of
/// one entry, it is divided until that one is found, and the others are committed.
///
/// ```swift
/// let commits = GroupCommit<String, Int>(limit: 64) { entries, answer in
///   Task { answer(.success(entries.map(\.count))) }
/// }
/// commits.append("a record") { result in print(result) }
/// ```
public final class GroupCommit<Entry: Sendable, Answer: Sendable>: Sendable {
  /// How an entry is ordered among those that wait.
  public enum Order: Sendable {
    /// Before all others: a lease may be about to end.
    case first
    /// After those before, and together with others.
    case shared
    /// After those before, in a group of its own: a large document takes long to write.
    case alone
  }

  /// What an error of a group says about its entries.
  public enum Cause: Sendable {
    /// One entry may have caused it, so the group is divided. Nothing of it was committed.
    case oneEntry
    /// Each entry of the group would fail too, and those at the end would wait for all timeouts before.
    case wholeGroup
    /// So would those that wait: they fail together.
    case allEntries
  }

  /// Commits the entries of a group, and calls the closure once, after it has returned, on any thread, with an answer for
  /// each.
  public typealias Commit =
    @Sendable (_ entries: [Entry], _ answer: @escaping @Sendable (Result<[Answer], any Error>) -> Void) -> Void

  private struct Pending: Sendable {
    let entry: Entry
    let order: Order
    let key: TreeKey?
    let answer: @Sendable (Result<Answer, any Error>) -> Void
  }

  private struct State {
    /// What is left of a group that was divided. The last one is next.
    var parts: [[Pending]] = []
    var waiting: [Pending] = []
    var isCommitting = false
    /// Not nil after `close`.
    var closed: (any Error)?
    var onEnd: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())
  private let limit: Int
  private let cause: @Sendable (any Error) -> Cause
  private let commit: Commit

  /// Creates a queue without entries.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of entries of a group.
  ///   - cause: what an error of `commit` says about the entries.
  ///   - commit: commits a group. Not called again before it has answered.
  public init(
    limit: Int, cause: @escaping @Sendable (any Error) -> Cause = { _ in .oneEntry }, commit: @escaping Commit
  ) {
    (self.limit, self.cause, self.commit) = (max(limit, 1), cause, commit)
  }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - entry: what to commit.
  ///   - order: how it is ordered among those that wait.
  ///   - key: entries with equal keys are never in one group, for statements that may write a row only once.
  ///   - answer: called once, on the thread that commits, with the answer or the error; if the queue is closed, at once.
  public func append(
    _ entry: Entry, order: Order = .shared, key: TreeKey? = nil,
    answer: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) {
    let pending = Pending(entry: entry, order: order, key: key, answer: answer)
    let (closed, isFirst): ((any Error)?, Bool) = state.withLock { state in
      if let closed = state.closed { return (closed, false) }
      state.waiting.insert(pending, at: order == .first ? 0 : state.waiting.count)
      defer { state.isCommitting = true }
      return (nil, !state.isCommitting)
    }
    if let closed { answer(.failure(closed)) }
    if isFirst { commitNext() }
  }

  /// Refuses entries from now on.
  ///
  /// - Parameters:
  ///   - error: that of later entries.
  ///   - onEnd: called when the entries before are answered.
  public func close(throwing error: any Error, onEnd: @escaping @Sendable () -> Void = {}) {
    let hasEnded = state.withLock { state in
      state.closed = error
      if state.isCommitting { state.onEnd.append(onEnd) }
      return !state.isCommitting
    }
    if hasEnded { onEnd() }
  }

  private func commitNext() {
    let (group, onEnd) = state.withLock { state in
      let group = state.parts.popLast() ?? GroupCommit.takeGroup(of: &state.waiting, limit)
      if !group.isEmpty { return (group, [@Sendable () -> Void]()) }
      state.isCommitting = false
      defer { state.onEnd = [] }
      return (group, state.onEnd)
    }
    for end in onEnd { end() }
    if group.isEmpty { return }
    commit(group.map(\.entry)) { result in
      self.answer(group, result)
      self.commitNext()
    }
  }

  private static func takeGroup(of waiting: inout [Pending], _ limit: Int) -> [Pending] {
    if waiting.first?.order == .alone { return [waiting.removeFirst()] }
    var keys: Set<TreeKey> = []
    var (group, later): ([Pending], [Pending]) = ([], [])
    for (index, pending) in waiting.enumerated() {
      if group.count == limit || pending.order == .alone {
        later += waiting[index...]
        break
      }
      if pending.key.map({ keys.insert($0).inserted }) ?? true { group.append(pending) } else { later.append(pending) }
    }
    waiting = later
    return group
  }

  private func answer(_ group: [Pending], _ result: Result<[Answer], any Error>) {
    switch result {
    case .success(let answers):
      precondition(answers.count == group.count, "A group of \(group.count) entries got \(answers.count) answers.")
      for (pending, answer) in zip(group, answers) { pending.answer(.success(answer)) }
    case .failure(let error):
      let cause = cause(error)
      let half = group.count / 2
      if cause == .oneEntry, half > 0 {
        return state.withLock { $0.parts += [Array(group[half...]), Array(group[..<half])] }
      }
      let others = cause == .allEntries ? takeAll() : []
      for pending in group + others { pending.answer(.failure(error)) }
    }
  }

  private func takeAll() -> [Pending] {
    state.withLock { state in
      defer { (state.parts, state.waiting) = ([], []) }
      return state.parts.reversed().joined() + state.waiting
    }
  }
}
