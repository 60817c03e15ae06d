// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import Generation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Another program that writes during an edit")
struct ConcurrentChangeTests {
  /// A disk on which another program writes a file in place before one operation.
  private final class SharedDisk: FileSystem {
    private let disk = FaultyDisk()
    private let moment: Int
    private let file: URL
    private(set) var isWritten = false

    init(writing file: URL, before moment: Int) {
      self.file = file
      self.moment = moment
    }

    var operations: [FileOperation] { disk.operations }

    func kind(of url: URL) -> FileKind? { disk.kind(of: url) }
    func contents(of file: URL) throws -> Data { try disk.contents(of: file) }
    func permissions(of url: URL) throws -> Int { try disk.permissions(of: url) }
    func entries(of folder: URL) throws -> [String] { try disk.entries(of: folder) }
    func isWritable(_ url: URL) -> Bool { disk.isWritable(url) }

    func perform(_ operation: FileOperation) throws {
      if disk.operations.count == moment {
        // Its folder may be gone.
        isWritten = (try? Data("of another program".utf8).write(to: file)) != nil
      }
      try disk.perform(operation)
    }
  }

  @Test(
    "loses nothing, and the rest of the edit is made or undone, whenever it writes",
    arguments: EditLayout.all, ["changed.swift", "Old/deleted.swift"])
  func everyMoment(layout: EditLayout, path: String) throws {
    guard layout.before[path] != nil else { return }
    var outcomes: Set<String> = []
    var moment = 0
    while true {
      let folder = TemporaryFolder()
      try layout.write(to: folder)
      let disk = SharedDisk(writing: folder.url.appending(path: path), before: moment)
      var failure: Failure?
      do { try Transaction.carryOut(layout.plan(in: folder), files: disk) } catch { failure = error as? Failure }
      guard disk.isWritten else { break }
      let place: Comment = "operation \(moment): \(failure?.message ?? "made")"
      var expected = layout.before
      switch failure {
      case nil:
        outcomes.insert("made")
        for (path, after) in layout.changes { expected[path] = after }
      case .undone(let message):
        outcomes.insert("undone")
        #expect(message == "'\(path)' was changed by another program during the edit, and keeps that change; try again")
      case .refused: outcomes.insert("refused")
      default: Issue.record(place)
      }
      expected[path] = "of another program"
      #expect(folder.contents == expected, place)
      moment += 1
    }
    #expect(outcomes == ["made", "undone"])
  }

  @Test("is put back by the next command, too, if the edit is killed before it finds out", arguments: [true, false])
  func killed(undoes: Bool) throws {
    let layout = try #require(EditLayout.all.last)
    let folder = TemporaryFolder()
    try layout.write(to: folder)
    let plan = layout.plan(in: folder)
    let whole = FaultyDisk()
    try Transaction.carryOut(plan, files: whole)
    let deletion = try #require(
      whole.operations.firstIndex {
        if case .move(let file, _) = $0 { file.lastPathComponent == "deleted.swift" } else { false }
      })
    let again = TemporaryFolder()
    try layout.write(to: again)
    let disk = FaultyDisk(.init(operation: deletion, moment: .after, kills: true))
    _ = try? Transaction.carryOut(layout.plan(in: again), files: disk)
    let name = try #require(again.everything.first { $0.contains("displaced") })
    try again.write("of another program", to: name)
    let recover = undoes ? Transaction.undo : Transaction.finish
    let told = #expect(throws: Failure.self) { _ = try recover(again.url, false, Disk()) }
    #expect(told?.message.contains("'Old/deleted.swift' was changed since") == true)
    #expect(again.contents["Old/deleted.swift"] == "of another program")
    #expect(try recover(again.url, true, Disk()))
    #expect(again.contents["Old/deleted.swift"] == "of another program")
    #expect(again.contents["changed.swift"] == (undoes ? "old" : "new"))
    #expect(again.everything.allSatisfy { !$0.hasPrefix(Transaction.folderName) })
  }

  @Test("and a process that is killed are distinguished: nothing was changed, made, or to be compared")
  func killedFinisher() throws {
    let folder = TemporaryFolder()
    try folder.write("one", to: "a.swift")
    try folder.write("two", to: "b.swift")
    let plan = Plan(
      root: folder.url,
      changes: ["a": "one", "b": "two"].map { name, text in
        FileChange(path: "\(name).swift", before: Data(text.utf8), after: Data("new".utf8))
      })
    func failure() -> Failure? {
      do { try Transaction.expectCarriedOut(plan, or: "it was killed") } catch { return error as? Failure }
      return nil
    }
    #expect(failure()?.message == "it was killed\nNothing was changed.")
    try Transaction.carryOut(plan)
    #expect(failure() == nil)
    try folder.write("of another program", to: "b.swift")
    let told = try #require(failure())
    #expect(told.status == 74 && told.message.contains("Nothing was changed") == false)
    #expect(told.message.hasSuffix("Compare these:\n  b.swift"), "\(told.message)")
  }

  @Test("and can't be kept out, because the folder can't be locked, has the edit refused; a signal does not")
  func locks() throws {
    let folder = TemporaryFolder()
    var calls = 0
    let entered = try FolderLock.holding(
      folder.url,
      lock: { _ in
        calls += 1
        errno = EINTR
        return calls < 3 ? -1 : 0
      }
    ) { true }
    #expect(entered && calls == 3)
    let failure = #expect(throws: Failure.self) {
      try FolderLock.holding(
        folder.url,
        lock: { _ in
          errno = ENOLCK
          return -1
        }
      ) { Issue.record("entered without the lock") }
    }
    #expect(failure?.status == 73 && failure?.message.contains("can't be locked") == true)
  }

  @Test("owns a file, and still does when the edit has replaced it", .enabled(if: getuid() == 0))
  func owner() throws {
    let folder = TemporaryFolder()
    try folder.write("old", to: "a.swift")
    let path = folder.url.appending(path: "a.swift").path
    try #require(chmod(path, 0o2750) == 0 && lchown(path, 65534, 65533) == 0 && chmod(path, 0o2750) == 0)
    let change = FileChange(path: "a.swift", before: Data("old".utf8), after: Data("new".utf8))
    try Transaction.carryOut(Plan(root: folder.url, changes: [change]))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_uid == 65534 && status.st_gid == 65533)
    #expect(status.st_mode & 0o7777 == 0o2750 && folder.contents == ["a.swift": "new"])
  }
}
