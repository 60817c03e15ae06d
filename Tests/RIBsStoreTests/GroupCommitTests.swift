// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBsStore
import Synchronization
import Testing

@Suite("Group commit")
struct GroupCommitTests {
  private enum Failure: Error { case one, group, all, closed }

  /// Commits of texts, which fail if a text names a failure, and run when the test says so.
  private final class Commits: Sendable {
    let queue = DispatchQueue(label: "GroupCommitTests")
    let groups = Mutex<[[String]]>([])
    let answers = Mutex<[String]>([])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func make() -> GroupCommit<String, Int> {
      GroupCommit(
        limit: limit,
        cause: { $0 as? Failure == .group ? .wholeGroup : $0 as? Failure == .all ? .allEntries : .oneEntry },
        commit: { entries, answer in
          self.queue.async {
            self.groups.withLock { $0.append(entries) }
            for (name, failure) in [("one", Failure.one), ("group", .group), ("all", .all)] where entries.contains(name)
            {
              return answer(.failure(failure))
            }
            answer(.success(entries.map(\.count)))
          }
        })
    }

    func append(
      _ entries: [String], to commits: GroupCommit<String, Int>, order: GroupCommit<String, Int>.Order = .shared,
      key: String? = nil
    ) {
      for entry in entries {
        commits.append(entry, order: order, key: key.map { TreeKey(kind: "tree", id: $0) }) { result in
          self.answers.withLock { $0.append(entry + ((try? result.get()).map { " \($0)" } ?? " failed")) }
        }
      }
    }

    /// Appends entries while a group with the entry "first" is being committed, and waits for all.
    static func whileCommitting(
      limit: Int = 256, _ body: (Commits, GroupCommit<String, Int>) -> Void
    ) async -> (groups: [[String]], answers: [String]) {
      let commits = Commits(limit: limit)
      let queue = commits.make()
      commits.queue.suspend()
      commits.append(["first"], to: queue)
      body(commits, queue)
      commits.queue.resume()
      await withCheckedContinuation { continuation in
        queue.close(throwing: Failure.closed) { continuation.resume() }
      }
      return (commits.groups.withLock { Array($0.dropFirst()) }, commits.answers.withLock { Array($0.dropFirst()) })
    }
  }

  @Test("commits what arrives during a commit together, up to the limit")
  func together() async {
    let (groups, answers) = await Commits.whileCommitting(limit: 3) { $0.append(["a", "bb", "c", "d"], to: $1) }
    #expect(groups == [["a", "bb", "c"], ["d"]])
    #expect(answers == ["a 1", "bb 2", "c 1", "d 1"])
  }

  @Test("commits the first ones first, and those alone in groups of their own")
  func order() async {
    let (groups, _) = await Commits.whileCommitting { commits, queue in
      commits.append(["a", "b"], to: queue)
      commits.append(["large", "larger"], to: queue, order: .alone)
      commits.append(["c"], to: queue)
      commits.append(["renewal"], to: queue, order: .first)
    }
    #expect(groups == [["renewal", "a", "b"], ["large"], ["larger"], ["c"]])
  }

  @Test("commits entries with equal keys in different groups, in their order")
  func keys() async {
    let (groups, _) = await Commits.whileCommitting { commits, queue in
      commits.append(["a1", "a2", "a3"], to: queue, key: "a")
      commits.append(["b1", "b2"], to: queue, key: "b")
      commits.append(["c"], to: queue)
    }
    #expect(groups == [["a1", "b1", "c"], ["a2", "b2"], ["a3"]])
  }

  @Test("divides a group that fails until the entry is found, and commits the others together")
  func division() async {
    let entries = (0..<64).map { $0 == 40 ? "one" : "\($0)" }
    let (groups, answers) = await Commits.whileCommitting { $0.append(entries, to: $1) }
    #expect(answers.filter { $0.hasSuffix("failed") } == ["one failed"])
    #expect(answers.count == 64)
    #expect(groups.count == 13)
    #expect(groups.filter { !$0.contains("one") }.joined().sorted() == entries.filter { $0 != "one" }.sorted())
  }

  @Test("fails a group, or all entries, if each would fail")
  func causes() async {
    let (groups, answers) = await Commits.whileCommitting(limit: 2) { commits, queue in
      commits.append(["a", "group", "b", "c", "d", "all", "e", "f"], to: queue)
    }
    #expect(groups == [["a", "group"], ["b", "c"], ["d", "all"]])
    #expect(
      answers == ["a failed", "group failed", "b 1", "c 1", "d failed", "all failed", "e failed", "f failed"])
  }

  @Test("refuses entries when it is closed, and answers those before")
  func closing() async {
    let (_, answers) = await Commits.whileCommitting { commits, queue in
      commits.append(["a"], to: queue)
      queue.close(throwing: Failure.closed)
      commits.append(["b"], to: queue)
    }
    // The refusal is the first answer, at once.
    #expect(answers == ["first 5", "a 1"])
  }

  @Test("goes on in a loop if commits are answered before they return, as those of a store that is closed")
  func atOnce() {
    let failed = Mutex(0)
    let commits = GroupCommit<Int, Int>(limit: .max) { _, answer in answer(.failure(Failure.one)) }
    commits.append(0) { _ in
      for entry in 1...20_000 { commits.append(entry) { _ in failed.withLock { $0 += 1 } } }
    }
    #expect(failed.withLock { $0 } == 20_000)
  }
}
