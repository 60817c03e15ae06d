// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import Generation

@Suite("An edit that fails or is killed")
struct InterruptedEditTests {
  /// The states before and after an edit, and the number of its operations.
  private struct Expectation {
    let before: [String: String]
    let after: [String: String]
    let operations: Int

    init(_ layout: EditLayout) throws {
      let folder = TemporaryFolder()
      try layout.write(to: folder)
      before = try EditLayout.state(of: folder)
      let disk = FaultyDisk()
      try Transaction.carryOut(layout.plan(in: folder), files: disk)
      after = try EditLayout.state(of: folder)
      operations = disk.operations.count
      let plan = layout.plan(in: folder)
      #expect(plan.changes.allSatisfy { folder.contents[$0.path].map { Data($0.utf8) } == $0.after })
      #expect(before != after && operations > 2 * plan.changes.count)
      #expect(folder.everything.allSatisfy { !$0.hasPrefix(Transaction.folderName) })
    }
  }

  private func journalIsThere(_ folder: TemporaryFolder) -> Bool { Transaction.isInterrupted(in: folder.url) }

  @Test("leaves every file as before or as after, whichever operation fails, and says which", arguments: EditLayout.all)
  func failures(layout: EditLayout) throws {
    let expected = try Expectation(layout)
    var (refused, undone, completed) = (0, 0, 0)
    for operation in 0..<expected.operations {
      for moment in FaultyDisk.Moment.allCases {
        let folder = TemporaryFolder()
        try layout.write(to: folder)
        let disk = FaultyDisk(.init(operation: operation, moment: moment))
        let place = "operation \(operation), \(moment)"
        let failure = failure(of: layout.plan(in: folder), disk)
        let state = try EditLayout.state(of: folder)
        #expect(state == (failure == nil ? expected.after : expected.before), "\(place)")
        switch failure {
        case nil: completed += 1
        case .undone: undone += 1
        case .refused:
          refused += 1
          // Nothing was changed, not even temporarily.
          #expect(disk.operations.allSatisfy { isOfJournal($0, in: folder) }, "\(place)")
        case let failure?: Issue.record("\(place): \(failure.message)")
        }
        #expect(!journalIsThere(folder), "\(place)")
        #expect(try Transaction.finish(in: folder.url) == false)
        #expect(folder.everything.allSatisfy { !$0.hasPrefix(Transaction.folderName) }, "\(place)")
      }
    }
    #expect(refused > 0 && undone > 3 * layout.changes.count && completed > 0)
  }

  @Test("is undone and completed exactly, wherever it was killed", arguments: EditLayout.all)
  func kills(layout: EditLayout) throws {
    let expected = try Expectation(layout)
    var interruptions = 0
    for operation in 0..<expected.operations {
      for moment in FaultyDisk.Moment.allCases {
        for undoes in [true, false] {
          let folder = TemporaryFolder()
          try layout.write(to: folder)
          let disk = FaultyDisk(.init(operation: operation, moment: moment, kills: true))
          _ = try? Transaction.carryOut(layout.plan(in: folder), files: disk)
          if journalIsThere(folder) { interruptions += 1 }
          try expectRecovery(of: folder, undoing: undoes, expected, "operation \(operation), \(moment)")
        }
      }
    }
    #expect(interruptions > 6 * layout.changes.count)
  }

  /// Whether an edit is undone, or completed. Without RIBS_THOROUGH, pairs of operations try one of both in turn.
  private func directions(_ number: Int) -> [Bool] {
    ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil ? [true, false] : [number.isMultiple(of: 2)]
  }

  @Test("is undone and completed exactly, also when undoing it was killed")
  func killedUndoing() throws {
    let layout = try #require(EditLayout.all.last)
    let expected = try Expectation(layout)
    var interruptions = 0
    for failing in 0..<expected.operations {
      var killing = failing + 1
      var isOver = false
      while !isOver {
        for undoes in directions(failing + killing) {
          let folder = TemporaryFolder()
          try layout.write(to: folder)
          let disk = FaultyDisk(
            .init(operation: failing, moment: .before), .init(operation: killing, moment: .halfway, kills: true))
          let failure = failure(of: layout.plan(in: folder), disk)
          isOver = disk.operations.count <= killing
          if journalIsThere(folder) {
            interruptions += 1
            #expect(failure?.status == 74 && failure?.message.contains("undoing the edit failed too") == true)
          }
          try expectRecovery(of: folder, undoing: undoes, expected, "operations \(failing) and \(killing)")
        }
        killing += 1
      }
    }
    #expect(interruptions > expected.operations)
  }

  @Test("is undone and completed exactly, also when that was killed before")
  func killedRecovering() throws {
    let layout = try #require(EditLayout.all.last)
    let expected = try Expectation(layout)
    for first in 0..<expected.operations {
      for undoesFirst in [true, false] {
        var second = 0
        var isOver = false
        while !isOver {
          for undoes in directions(first + second) {
            let folder = TemporaryFolder()
            try layout.write(to: folder)
            let disk = FaultyDisk(.init(operation: first, moment: .before, kills: true))
            _ = try? Transaction.carryOut(layout.plan(in: folder), files: disk)
            guard journalIsThere(folder) else {
              isOver = true
              continue
            }
            let next = FaultyDisk(.init(operation: second, moment: .halfway, kills: true))
            _ = try? recover(folder, undoing: undoesFirst, next)
            isOver = next.operations.count <= second
            try expectRecovery(of: folder, undoing: undoes, expected, "operations \(first) and \(second)")
          }
          second += 1
        }
      }
    }
  }

  @Test("creates files before it deletes any, and removes folders after that", arguments: EditLayout.all)
  func order(layout: EditLayout) throws {
    let folder = TemporaryFolder()
    try layout.write(to: folder)
    let disk = FaultyDisk()
    try Transaction.carryOut(layout.plan(in: folder), files: disk)
    let ranks = disk.operations.filter { !isOfJournal($0, in: folder) }.map { operation in
      switch operation {
      case .createFolder: 0
      case .move(_, let destination) where destination.path.contains(Transaction.folderName): 2
      case .createFile, .move, .link, .copyAttributes: 1
      case .removeFile: 2
      case .removeFolder: 3
      case .sync: 4
      }
    }
    #expect(ranks.count >= layout.changes.count && ranks == ranks.sorted())
  }

  @Test("refuses to overwrite what was changed since, and keeps it if that is wanted", arguments: [true, false])
  func changedSince(undoes: Bool) throws {
    let layout = try #require(EditLayout.all.last)
    let expected = try Expectation(layout)
    let folder = TemporaryFolder()
    try layout.write(to: folder)
    // Killed when only the journal remains.
    let disk = FaultyDisk(.init(operation: expected.operations - 5, moment: .before, kills: true))
    #expect(failure(of: layout.plan(in: folder), disk)?.status == 74)
    try #require(journalIsThere(folder))
    try folder.write("mine", to: "changed.swift")
    let state = try EditLayout.state(of: folder)
    let failure = #expect(throws: Failure.self) { _ = try recover(folder, undoing: undoes, Disk()) }
    #expect(failure?.status == 74)
    #expect(failure?.message.contains("'changed.swift' was changed since") == true)
    #expect(failure?.message.contains("Nothing was changed") == false)
    #expect(failure?.message.contains("delete") == false)
    #expect(try EditLayout.state(of: folder) == state)
    if undoes {
      try Transaction.undo(in: folder.url, keepsChanged: true)
    } else {
      try Transaction.finish(in: folder.url, keepsChanged: true)
    }
    var wanted = undoes ? expected.before : expected.after
    wanted["changed.swift"] = "600 mine"
    #expect(try EditLayout.state(of: folder) == wanted)
    #expect(!journalIsThere(folder))
  }

  @Test("keeps a journal that it can't read, and says that another version wrote it")
  func unknownJournal() throws {
    let folder = TemporaryFolder()
    try folder.write("[]", to: Transaction.folderName + "/journal.json")
    try folder.write("the only copy", to: Transaction.folderName + "/0")
    let failure = #expect(throws: Failure.self) { try Transaction.finish(in: folder.url) }
    #expect(failure?.message.contains("another version of ribs") == true)
    #expect(folder.contents[Transaction.folderName + "/0"] == "the only copy")
  }

  // MARK: Helpers

  /// The reason why a plan fails; nil if it succeeds.
  private func failure(of plan: Plan, _ disk: FaultyDisk) -> Failure? {
    do {
      try Transaction.carryOut(plan, files: disk)
      return nil
    } catch {
      return error as? Failure ?? .usage("\(error)")
    }
  }

  private func recover(_ folder: TemporaryFolder, undoing: Bool, _ disk: any FileSystem) throws -> Bool {
    undoing
      ? try Transaction.undo(in: folder.url, files: disk) : try Transaction.finish(in: folder.url, files: disk)
  }

  private func expectRecovery(
    of folder: TemporaryFolder, undoing: Bool, _ expected: Expectation, _ place: String
  ) throws {
    let wasInterrupted = journalIsThere(folder)
    let state = try EditLayout.state(of: folder)
    #expect(try recover(folder, undoing: undoing, Disk()) == wasInterrupted, "\(place)")
    let recovered = try EditLayout.state(of: folder)
    if wasInterrupted {
      #expect(recovered == (undoing ? expected.before : expected.after), "\(place)")
    } else {
      #expect(recovered == state && (state == expected.before || state == expected.after), "\(place)")
    }
    #expect(folder.everything.allSatisfy { !$0.hasPrefix(Transaction.folderName) }, "\(place)")
  }

  private func isOfJournal(_ operation: FileOperation, in folder: TemporaryFolder) -> Bool {
    let inside = folder.url.appending(path: Transaction.folderName).path
    switch operation {
    case .createFolder(let url, _), .removeFolder(let url), .createFile(let url, _, _), .removeFile(let url):
      return url.path.hasPrefix(inside)
    case .link(_, let name): return name.path.hasPrefix(inside)
    case .copyAttributes(_, let copy): return copy.path.hasPrefix(inside)
    case .move(let url, let destination): return url.path.hasPrefix(inside) && destination.path.hasPrefix(inside)
    case .sync: return true
    }
  }
}
