// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import Testing

@Suite("A store in files on a failing disk")
struct FileStoreFaultTests {
  private let machine = SimulatedMachine()

  @Test("throws an error that names the file, keeps each record old or new, and can repeat the save")
  func everyCall() async throws {
    let saved = [("stays", "new"), ("moves", "new"), ("sleeps", "old"), ("goes", nil), ("comes", "new")]
    var (number, isEveryCallTried) = (0, false)
    while !isEveryCallTried {
      number += 1
      let machine = SimulatedMachine()
      let trees = try machine.open()
      for id in ["stays", "moves", "sleeps", "goes"] { try await trees.save(id, "old", isAwake: true) }
      let records = [
        try await trees.claim("stays").record("new", isAwake: true),
        try await trees.claim("moves").record("new"),
        try await trees.claim("sleeps").record(.unchanged, isReleased: true),
        try await trees.claim("goes").record(.removed, isReleased: true),
        try await trees.claim("comes").record("new", isAwake: true, isReleased: true),
      ]
      machine.plan([number: .fails(ENOSPC)])
      var error: FileStoreError?
      do { #expect(try await trees.store.save(records) == []) } catch let thrown as FileStoreError { error = thrown }
      let failed = machine.calls.indices.contains(number - 1) ? machine.calls[number - 1] : nil
      isEveryCallTried = failed == nil
      // What is known of a start may stay: the tree is only a suspect then.
      if let failed, !failed.hasPrefix("stat"), !failed.contains("/starts/") {
        #expect(
          error?.description.hasSuffix(" failed: No space left on device (errno 28). Free space on its disk.") == true,
          "\(failed)")
        #expect(error?.description.contains(" of data") == true, "\(failed)")
      }
      let stays = machine.text(of: "data/order/awake/stays.json")?.suffix(4)
      #expect(stays == "\nold" || stays == "\nnew", "\(stays as Any) after a failure of \(failed ?? "nothing")")
      // A file that could not be removed is removed at the next start.
      #expect(!machine.paths.contains { $0.contains("store.tmp/") } || failed?.hasPrefix("unlink") == true)
      machine.plan()
      #expect(try await trees.store.save(records) == [])
      for (id, text) in saved {
        #expect(try await trees.claim(id).text == text, "\(id) after a failure of \(failed ?? "nothing")")
      }
      machine.crash(leaving: .nothing)
      let reopened = try machine.open()
      #expect(try await reopened.due().sorted() == ["comes", "stays"])
      for (id, text) in saved {
        #expect(
          try await reopened.claim(id).text == text, "\(id) after a failure of \(failed ?? "nothing"), and a crash")
      }
    }
    #expect(number > 20)
  }

  @Test("writes the records that it can, and only the others when the save is repeated")
  func partly() async throws {
    let trees = try machine.open()
    var records = try await trees.records(of: 0..<10) { $0.record("new", isAwake: true) }
    _ = try await trees.store.save(records)
    records = records.map {
      TreeRecord(
        key: $0.key, fence: $0.fence, version: 2, schema: 1, content: $0.content, isAwake: true, isReleased: true)
    }
    machine.plan([6: .fails(EIO)])
    await #expect(throws: FileStoreError.self) { try await trees.store.save(records) }
    machine.plan()
    #expect(try await trees.store.save(records) == [])
    #expect(machine.calls.count { $0.hasPrefix("create") } == 1)
    machine.plan()
    #expect(try await trees.store.save(records) == [])
    #expect(machine.calls == [])
  }

  @Test("can be claimed again when its fences could not be reserved")
  func fences() async throws {
    let trees = try machine.open()
    for number in 2..<10 {
      machine.plan([number: .fails(EACCES)])
      let failed = try? await trees.claim("1")
      let call = machine.calls.count >= number ? machine.calls[number - 1] : nil
      #expect((failed == nil) == (call != nil), "\(call ?? "no call") failed")
      if call == nil { break }
    }
    machine.plan()
    let first = try await trees.claim("1")
    #expect(try await trees.claim("1").fence > first.fence)
  }

  @Test("lets trees be read while the disk is full at the start, and reserves their fences before it writes them")
  func fullDiskAtStart() async throws {
    let first = try machine.open()
    try await first.save("1", "old")
    await first.store.close()
    machine.plan()
    try await machine.open().release("1")
    let writes = machine.calls.indices.filter { machine.calls[$0].contains("store.tmp/") }
    #expect(writes.count > 2)
    for index in writes {
      machine.killProcess()
      machine.plan([index + 1: .fails(ENOSPC)])
      let trees = try machine.open()
      let claim = try await trees.claim("1")
      #expect(claim.text?.isEmpty == false)
      let reserved = machine.bytes(of: "data/store.json")
      // Released as it was: nothing is written.
      #expect(try await trees.store.save([claim.record(.unchanged, isReleased: true)]) == [])
      #expect(machine.bytes(of: "data/store.json") == reserved)
      try await trees.save("1", "new")
      #expect(machine.bytes(of: "data/store.json") != reserved)
    }
  }

  @Test("is not opened when a call fails, and leaves no lock")
  func start() async throws {
    let trees = try machine.open()
    try await trees.save("1", "old", isAwake: true)
    await trees.store.close()
    machine.plan()
    try await machine.open().store.close()
    let calls = machine.calls.count
    #expect(calls > 4)
    for number in 1...calls {
      machine.plan([number: .fails(EACCES)])
      #expect(throws: FileStoreError.self, "\(number)") { try machine.open() }
    }
    machine.plan()
    #expect(try await machine.open().due() == ["1"])
  }
}
