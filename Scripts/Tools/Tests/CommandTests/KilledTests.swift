// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Generation
import Support
import Testing

@Suite("A run that is killed")
struct KilledTests {
  private let folder = TemporaryFolder()
  private let writer = Tool.products.appending(path: "KilledWriter")

  /// The contents of a folder: the texts of files, and nil for folders.
  private func everything(in folder: TemporaryFolder) -> [String: String?] {
    let contents = folder.contents
    return Dictionary(uniqueKeysWithValues: folder.everything.map { ($0, contents[$0]) })
  }

  private func fill(_ folder: TemporaryFolder, _ files: [String: String?]) throws {
    for (path, text) in files { if let text { try folder.write(text, to: path) } }
  }

  // InterruptedEditTests covers every operation inside the process, because this test takes longer.
  @Test("leaves all or nothing, before whichever third operation it is killed")
  func everyStage() throws {
    try SamplePackage.write(to: folder, outline: "- Root\n  - Order")
    let before = everything(in: folder)
    let workspace = Workspace(root: folder.url)
    var remove = Remove(name: try RIBName("Order"))
    remove.unlinks = true
    #expect(try remove.apply(to: workspace) == [])
    var new = NewRIB(name: try RIBName("Home"), templates: try TemplateLibrary())
    new.hasTests = false
    #expect(try new.apply(to: workspace) == [])
    let changes = try workspace.plan().changes
    var results: [[String: String?]] = []
    var isKilled = true
    while isKilled {
      let victim = TemporaryFolder()
      try fill(victim, before)
      let plan = String(decoding: try JSONEncoder().encode(Plan(root: victim.url, changes: changes)), as: UTF8.self)
      let outcome = try Tool.run(writer, ["\(3 * results.count)"], in: victim.url, input: plan)
      isKilled = outcome.status == SIGKILL
      #expect(isKilled || outcome.status == 0, "\(outcome)")
      // The first step of every command.
      try Transaction.finish(in: victim.url)
      results.append(everything(in: victim))
    }
    let after = try #require(results.last)
    #expect(Set(after.keys) != Set(before.keys))
    // No change up to some operation, and the complete edit from there on.
    let moment = try #require(results.firstIndex(of: after))
    #expect(moment > 0)
    #expect(results.count - moment > changes.count / 2)
    #expect(results[..<moment].allSatisfy { $0 == before })
    #expect(results[moment...].allSatisfy { $0 == after })
  }

  @Test("is finished by the next command, which says so")
  func finished() throws {
    try SamplePackage.write(to: folder, outline: "- Root\n  - Order")
    let workspace = Workspace(root: folder.url)
    try Rename(from: try RIBName("Order"), to: try RIBName("Trip")).apply(to: workspace)
    let plan = String(decoding: try JSONEncoder().encode(try workspace.plan()), as: UTF8.self)
    // Until it is killed after all preparations.
    var stage = 0
    while !folder.everything.contains(Transaction.folderName + "/journal.json") {
      try #require(try Tool.run(writer, ["\(stage)"], in: folder.url, input: plan).status == SIGKILL)
      stage += 1
    }
    let next = try Tool.run("rename", "Order", "Guest", in: folder.url)
    #expect(next.status == 66, "\(next)")
    #expect(next.errors.hasPrefix("note: an edit that was interrupted has been completed\n"), "\(next)")
    #expect(!folder.everything.contains(Transaction.folderName))
  }

  @Test("is undone and completed by the commands for that", arguments: ["undo", "finish"])
  func recovery(command: String) throws {
    try SamplePackage.write(to: folder, outline: "- Root\n  - Order")
    let before = folder.contents
    let idle = try Tool.run(command, in: folder.url)
    #expect(idle.status == 0 && idle.output == "no edit was interrupted\n", "\(idle)")
    let workspace = Workspace(root: folder.url)
    try Rename(from: try RIBName("Order"), to: try RIBName("Trip")).apply(to: workspace)
    let plan = try workspace.plan()
    var after = before
    for change in plan.changes { after[change.path] = change.after.map { String(decoding: $0, as: UTF8.self) } }
    let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
    #expect(try Tool.run(writer, ["15"], in: folder.url, input: text).status == SIGKILL)
    let between = folder.contents.filter { !$0.key.hasPrefix(Transaction.folderName) }
    #expect(between != before && between != after)
    let dry = try Tool.run("remove", "Order", "--dry-run", in: folder.url)
    #expect(dry.status == 74 && dry.errors.contains("'ribs undo' restores"), "\(dry)")
    let recovered = try Tool.run(command, in: folder.url)
    #expect(recovered.status == 0 && recovered.output.contains("every file is as"), "\(recovered)")
    #expect(folder.contents == (command == "undo" ? before : after))
  }

  @Test("is completed by another process, whenever it is killed", .ofInstalledTool)
  func toolKilled() throws {
    try SamplePackage.write(to: folder, outline: SamplePackage.outline)
    let before = folder.contents
    let expected = TemporaryFolder()
    for (path, text) in before { try expected.write(text, to: path) }
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try Tool.run("rename", "Root", "Main", in: expected.url).status == 0)
    let duration = clock.now - start
    let after = expected.contents
    #expect(after != before)
    for moment in 0..<8 {
      let victim = TemporaryFolder()
      for (path, text) in before { try victim.write(text, to: path) }
      let process = Process()
      process.executableURL = Tool.url
      process.arguments = ["rename", "Root", "Main", "--quiet"]
      process.currentDirectoryURL = victim.url
      try process.run(forAtMost: 900)
      // Any point in time is valid.
      Thread.sleep(forTimeInterval: duration / .seconds(1) * Double(moment) / 7)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // The writer holds the lock. If the lock is free, no edit is incomplete.
      let lock = open(victim.url.path, O_RDONLY)
      while flock(lock, LOCK_EX) != 0 {}
      let found = victim.contents
      close(lock)
      #expect(found == before || found == after)
    }
  }
}
