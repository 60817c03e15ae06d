// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Group commit for a store of yours: what arrives during a commit shares the next one.
///
/// A disk commits some hundred times a second, so this is what makes many trees fast. Entries are what your store writes,
/// such as the records of a save. A group is committed as a whole or not at all, as a transaction. If it fails because of
/// one entry, it is divided until that one is found, and the others are committed.
///
/// It is inlinable, so that it is specialized in your store: without that, a save of an SQLite database is a fifth slower.
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

  /// Commits the entries of a group, and calls the closure once, at once or later, on any thread, with an answer for each.
  public typealias Commit =
    @Sendable (_ entries: [Entry], _ answer: @escaping @Sendable (Result<[Answer], any Error>) -> Void) -> Void

  @usableFromInline
  struct Pending: Sendable {
    @usableFromInline let entry: Entry
    @usableFromInline let order: Order
    @usableFromInline let key: TreeKey?
    @usableFromInline let answer: @Sendable (Result<Answer, any Error>) -> Void

    @inlinable
    init(
      _ entry: Entry, _ order: Order, _ key: TreeKey?, _ answer: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
      (self.entry, self.order, self.key, self.answer) = (entry, order, key, answer)
    }
  }

  /// Where the commit of a group is. One that is answered before it returns goes on in a loop, and not in calls that nest.
  @usableFromInline
  enum Phase: Sendable {
    case idle
    /// The closure that commits has not returned.
    case called
    /// The group was answered before the closure has returned.
    case answered
    /// The closure has returned, and the group is not answered.
    case returned
  }

  @usableFromInline
  struct State {
    /// What is left of a group that was divided. The last one is next.
    @usableFromInline var parts: [[Pending]] = []
    @usableFromInline var waiting: [Pending] = []
    @usableFromInline var phase = Phase.idle
    /// Not nil after `close`.
    @usableFromInline var closed: (any Error)?
    @usableFromInline var onEnd: [@Sendable () -> Void] = []

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())
  @usableFromInline let limit: Int
  @usableFromInline let cause: @Sendable (any Error) -> Cause
  @usableFromInline let commit: Commit

  /// Creates a queue without entries.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of entries of a group.
  ///   - cause: what an error of `commit` says about the entries.
  ///   - commit: commits a group. Not called again before it has answered.
  @inlinable
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
  @inlinable
  public func append(
    _ entry: Entry, order: Order = .shared, key: TreeKey? = nil,
    answer: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) {
    let pending = Pending(entry, order, key, answer)
    let (closed, isFirst): ((any Error)?, Bool) = state.withLock { state in
      if let closed = state.closed { return (closed, false) }
      state.waiting.insert(pending, at: order == .first ? 0 : state.waiting.count)
      guard state.phase == .idle else { return (nil, false) }
      state.phase = .called
      return (nil, true)
    }
    if let closed { answer(.failure(closed)) }
    if isFirst { commitNext() }
  }

  /// Refuses entries from now on.
  ///
  /// - Parameters:
  ///   - error: that of later entries.
  ///   - onEnd: called when the entries before are answered.
  @inlinable
  public func close(throwing error: any Error, onEnd: @escaping @Sendable () -> Void = {}) {
    let hasEnded = state.withLock { state in
      state.closed = error
      if state.phase != .idle { state.onEnd.append(onEnd) }
      return state.phase == .idle
    }
    if hasEnded { onEnd() }
  }

  @inlinable
  func commitNext() {
    while let group = nextGroup() {
      commit(group.map(\.entry)) { result in
        self.answer(group, result)
        if self.state.withLock({ GroupCommit.advance(&$0.phase, from: .called, to: .answered) }) { return }
        self.commitNext()
      }
      if state.withLock({ GroupCommit.advance(&$0.phase, from: .called, to: .returned) }) { return }
    }
  }

  /// - Returns: whether it was in the first phase, and is in the second.
  @inlinable
  static func advance(_ phase: inout Phase, from first: Phase, to second: Phase) -> Bool {
    guard phase == first else { return false }
    phase = second
    return true
  }

  /// - Returns: nil if none waits.
  @inlinable
  func nextGroup() -> [Pending]? {
    let (group, onEnd) = state.withLock { state in
      let group = state.parts.popLast() ?? GroupCommit.takeGroup(of: &state.waiting, limit)
      state.phase = group.isEmpty ? .idle : .called
      if !group.isEmpty { return (group, [@Sendable () -> Void]()) }
      defer { state.onEnd = [] }
      return (group, state.onEnd)
    }
    for end in onEnd { end() }
    return group.isEmpty ? nil : group
  }

  @inlinable
  static func takeGroup(of waiting: inout [Pending], _ limit: Int) -> [Pending] {
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

  @inlinable
  func answer(_ group: [Pending], _ result: Result<[Answer], any Error>) {
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

  @inlinable
  func takeAll() -> [Pending] {
    state.withLock { state in
      defer { (state.parts, state.waiting) = ([], []) }
      return state.parts.reversed().joined() + state.waiting
    }
  }
}
