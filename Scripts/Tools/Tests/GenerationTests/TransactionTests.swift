// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import Generation

@Suite("A plan")
struct TransactionTests {
  private let folder = TemporaryFolder()

  /// Changes one file, creates two, deletes two, and empties a folder.
  private func plan() throws -> Plan {
    try folder.write("old", to: "changed.swift")
    try folder.write("gone", to: "Old/deleted.swift")
    try folder.write("gone too", to: "Old/Inner/deleted.swift")
    try folder.write("kept", to: "kept.swift")
    return Plan(
      root: folder.url,
      changes: [
        FileChange(path: "changed.swift", before: Data("old".utf8), after: Data("new".utf8)),
        FileChange(path: "New/made.swift", before: nil, after: Data("made".utf8)),
        FileChange(path: "made.swift", before: nil, after: Data()),
        FileChange(path: "Old/deleted.swift", before: Data("gone".utf8), after: nil),
        FileChange(path: "Old/Inner/deleted.swift", before: Data("gone too".utf8), after: nil),
      ])
  }

  private let before = [
    "Old/Inner/deleted.swift": "gone too", "Old/deleted.swift": "gone", "changed.swift": "old", "kept.swift": "kept",
  ]
  private let after = ["New/made.swift": "made", "changed.swift": "new", "kept.swift": "kept", "made.swift": ""]

  @Test("is carried out whole, and leaves nothing else behind")
  func carriedOut() throws {
    try Transaction.carryOut(try plan())
    #expect(folder.contents == after)
    #expect(folder.everything == ["New", "New/made.swift", "changed.swift", "kept.swift", "made.swift"])
  }

  @Test("whose process ends before the journal is written leaves everything as it was", arguments: 0...5)
  func killedBefore(files: Int) throws {
    _ = try plan()
    // The files that the process had prepared.
    for index in 0..<files { try folder.write("\(index)", to: Transaction.folderName + "/\(index)") }
    #expect(try Transaction.finish(in: folder.url) == false)
    #expect(folder.contents == before)
    #expect(!folder.everything.contains(Transaction.folderName))
  }

  @Test("is refused, and nothing is changed, if a file is not as it was", arguments: ["changed.swift", "made.swift"])
  func stale(path: String) throws {
    let plan = try plan()
    try folder.write("another user's", to: path)
    let before = folder.contents
    let failure = #expect(throws: Failure.self) { try Transaction.carryOut(plan) }
    #expect(failure?.status == 73)
    #expect(folder.contents == before)
  }

  @Test("keeps the permissions of what it changes")
  func permissions() throws {
    let plan = try plan()
    let path = folder.url.appending(path: "changed.swift").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try Transaction.carryOut(plan)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
  }

  @Test("reaches nothing outside of its folder")
  func outside() throws {
    let plan = Plan(root: folder.url, changes: [FileChange(path: "../escaped", before: nil, after: Data())])
    #expect(throws: Failure.self) { try Transaction.carryOut(plan) }
  }

  @Test("is refused, before the first write, if a file would have to be a folder")
  func fileForFolder() throws {
    _ = try plan()
    for changes in [
      [FileChange(path: "kept.swift/made.swift", before: nil, after: Data())],
      [
        FileChange(path: "kept.swift/made.swift", before: nil, after: Data()),
        FileChange(path: "kept.swift", before: Data("kept".utf8), after: nil),
      ],
      [FileChange(path: "Old", before: nil, after: Data())],
    ] {
      let disk = FaultyDisk()
      let failure = #expect(throws: Failure.self) {
        try Transaction.carryOut(Plan(root: folder.url, changes: changes), files: disk)
      }
      #expect(failure?.status == 73)
      #expect(disk.operations.isEmpty)
      #expect(folder.contents == before)
    }
  }

  @Test(
    "is refused, before the first write, if a folder can't be written",
    arguments: ["", "Old", "Old/Inner"])
  func folderWithoutPermission(path: String) throws {
    let plan = try plan()
    let disk = FaultyDisk()
    disk.writeProtected = [path.isEmpty ? folder.url.path : folder.url.appending(path: path).path]
    let failure = #expect(throws: Failure.self) { try Transaction.carryOut(plan, files: disk) }
    #expect(failure?.status == 73)
    #expect(failure?.message.hasPrefix("there is no permission to write in the folder '") == true)
    #expect(disk.operations.isEmpty)
    #expect(folder.contents == before)
  }

  @Test("is refused, before the first write, if a folder that is emptied is in one that can't be written")
  func parentWithoutPermission() throws {
    try folder.write("gone", to: "Outer/Old/deleted.swift")
    let change = FileChange(path: "Outer/Old/deleted.swift", before: Data("gone".utf8), after: nil)
    let disk = FaultyDisk()
    disk.writeProtected = [folder.url.appending(path: "Outer").path]
    let plan = Plan(root: folder.url, changes: [change])
    let failure = #expect(throws: Failure.self) { try Transaction.carryOut(plan, files: disk) }
    #expect(failure?.message.hasPrefix("there is no permission to write in the folder 'Outer'") == true)
    #expect(disk.operations.isEmpty)
  }
}
