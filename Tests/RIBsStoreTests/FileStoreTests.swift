// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import TestSupport
import Testing

@Suite("A store in files")
struct FileStoreTests {
  private let machine = SimulatedMachine()
  private let folder: TemporaryFolder
  private var directory: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  // MARK: Files

  @Test("has a file for each tree, in folders that it makes")
  func layout() async throws {
    let directory = folder.path + "/made/with/parents/"
    let trees = Trees(store: try FileStore(directory: directory))
    try await trees.save("17", "", isAwake: true)
    try await trees.save("18", "")
    #expect(try names(directory) == ["order", "store.json", "store.lock", "store.tmp"])
    #expect(try names(directory + "order/awake") == ["17.json"])
    #expect(try names(directory + "order/asleep") == ["18.json"])
    #expect(try names(directory + "store.tmp") == [])
  }

  @Test("encodes kinds and IDs, so that each has its own file in the directory")
  func oddNames() async throws {
    let store = try FileStore(directory: directory)
    let trees = Trees(store: store)
    let texts = [
      "", ".", "..", "/", "a", "A", "a\u{0}b", "%", "store.lock", "é", "ü/../x", String(repeating: "b", count: 240),
    ]
    for kind in texts {
      for id in texts {
        let key = TreeKey(kind: kind, id: id)
        let record = try await trees.claim(key).record(key.description, isAwake: true, isReleased: true)
        #expect(try await store.save([record]) == [])
      }
    }
    for kind in texts {
      #expect(try await store.due(kind, limit: 100, schema: 1).map(\.id).sorted() == texts.sorted())
      for id in texts {
        let key = TreeKey(kind: kind, id: id)
        #expect(try await trees.claim(key).text == key.description)
      }
    }
    await store.close()
    let listed = try FileStore.records(in: directory).map { try $0.get().key }
    #expect(listed == texts.flatMap { kind in texts.map { TreeKey(kind: kind, id: $0) } }.sorted())
  }

  @Test("has one file for equal texts, whatever their Unicode scalars")
  func equalTexts() async throws {
    let trees = Trees(store: try FileStore(directory: directory))
    try await trees.save("caf\u{E9}", "one")
    #expect(try await trees.claim("cafe\u{301}").text == "one")
  }

  @Test("refuses names that are too long for a file")
  func longNames() async throws {
    let trees = try machine.open()
    for key in [
      Trees.key(String(repeating: "a", count: 241)), TreeKey(kind: String(repeating: "É", count: 41), id: ""),
    ] {
      await #expect(throws: FileStoreError.nameTooLong(key)) { try await trees.claim(key) }
      let unclaimed = Trees.Claim(key: key, fence: 1, saved: nil)
      await #expect(throws: FileStoreError.nameTooLong(key)) { try await trees.store.save([unclaimed.record("")]) }
    }
    #expect(FileStoreError.nameTooLong(Trees.key("long")).description.contains("order/long is too long"))
  }

  // MARK: Foreign and damaged files

  @Test("leaves files of others alone, and removes its own temporary files at the start")
  func foreignFiles() async throws {
    try await machine.open().store.close()
    try await machine.open().save("1", "one", isAwake: true)
    let foreign = [
      "data/README", "data/order/notes.txt", "data/order/awake/.DS_Store", "data/order/awake/Upper.json",
      "data/order/awake/%61.json", "data/order/awake/2.json~", "data/store.tmp/notes", "data/store.tmp/.tmp",
    ]
    for path in foreign { machine.put([1, 2, 3], at: path) }
    machine.put([1], at: "data/store.tmp/17.tmp")
    machine.killProcess()
    let trees = try machine.open()
    #expect(try await trees.due() == ["1"])
    for id in ["1", "2", "a", "Upper"] { try await trees.save(id, "new") }
    for path in foreign { #expect(machine.bytes(of: path) == [1, 2, 3], "\(path)") }
    #expect(machine.bytes(of: "data/store.tmp/17.tmp") == nil)
  }

  private static let header = #"{"bytes":3,"fence":1,"id":"1","kind":"order","schema":1,"store":1,"version":1}"#

  @Test(
    "refuses a damaged file, and never changes it",
    arguments: [
      ("", "it is empty"),
      ("{\"format\":1}", "it has no header"),
      ("{\"format\":1}\n", "its first line is no header"),
      (header + "\nab", "its header announces 3 bytes, and 2 bytes follow"),
      (header + "\nabcd", "its header announces 3 bytes, and 4 bytes follow"),
      (header.replacing("\"1\"", with: "\"2\"") + "\nabc", "its header names another tree, order/2"),
      (header.replacing("order", with: "ride") + "\nabc", "its header names another tree, ride/1"),
      (header.replacing("\"store\":1", with: "\"store\":2") + "\nabc", "has the format 2"),
      (#"{"store":7,"new":true}"# + "\nabc", "has the format 7"),
      (String(repeating: "x", count: 10_000), "it has no header"),
      (
        header.replacing("\"fence\":1", with: "\"fence\":\(UInt64.max)") + "\nabc",
        "the fence or the version in its header is too large"
      ),
      (
        header.replacing("\"version\":1", with: "\"version\":\(UInt64.max)") + "\nabc",
        "the fence or the version in its header is too large"
      ),
    ])
  func damage(_ content: String, _ reason: String) async throws {
    for place in ["awake", "asleep"] {
      let machine = SimulatedMachine()
      let first = try machine.open()
      try await first.save("1", "abc", isAwake: place == "awake")
      await first.store.close()
      let file = "data/order/\(place)/1.json"
      machine.put(content, at: file)
      let trees = try machine.open()
      // Awake trees are due, so that the error is found.
      if place == "awake" { #expect(try await trees.due() == ["1"]) }
      for _ in 0..<2 {
        let error = await #expect(throws: FileStoreError.self) { try await trees.claim("1") }
        #expect(error?.description.contains(file) == true)
        #expect(error?.description.contains(reason) == true, "\(error as Any)")
      }
      let unclaimed = Trees.Claim(key: Trees.key("1"), fence: 1, saved: nil)
      _ = try? await trees.store.save([unclaimed.record("new", version: 9)])
      #expect(machine.text(of: file) == content)
    }
  }

  @Test(
    "is not opened if its own file is damaged or of a later format",
    arguments: [
      ("", "it has no largest fence"), ("{}", "it has no largest fence"),
      (#"{"fences":1,"store":2}"#, "has the format 2"),
      (#"{"fences":\#(UInt64.max),"store":1}"#, "its largest fence is too large"),
    ])
  func damagedFences(_ content: String, _ reason: String) async throws {
    let trees = try machine.open()
    _ = try await trees.claim("1")
    await trees.store.close()
    machine.put(content, at: "data/store.json")
    let error = #expect(throws: FileStoreError.self) { try machine.open() }
    #expect(error?.description.contains("data/store.json") == true)
    #expect(error?.description.contains(reason) == true, "\(error as Any)")
  }

  @Test("hands out larger fences than its files have, also without its own file")
  func copiedFiles() async throws {
    var trees = try machine.open()
    try await trees.save("1", "abc")
    await trees.store.close()
    let header = FileStoreTests.header.replacing("\"fence\":1", with: "\"fence\":5000000")
    machine.put(header + "\nabc", at: "data/order/asleep/1.json")
    try machine.remove("data/store.json")
    trees = try machine.open()
    #expect(try await trees.claim("1").fence == 5_000_001)
    await trees.store.close()
    #expect(try await machine.open().claim("2").fence > 5_000_001)
  }

  // MARK: One process

  @Test("refuses a directory that is in use, until the other store is closed or released")
  func lock() async throws {
    let first = try FileStore(directory: directory)
    let error = #expect(throws: FileStoreError.inUse(directory: directory)) { try FileStore(directory: directory) }
    #expect(error?.description.hasPrefix("The store at \(directory) is in use. One FileStore at a time") == true)
    await first.close()
    var second: FileStore? = try FileStore(directory: directory)
    #expect(throws: FileStoreError.inUse(directory: directory)) { try FileStore(directory: directory) }
    #expect(second != nil)
    second = nil
    _ = try FileStore(directory: directory)
  }

  @Test("unlocks the lock file also while a child process that starts has a copy of its descriptor")
  func inherited() async throws {
    let system = SystemFiles()
    let path = directory + "/store.lock"
    let file = try #require(try system.lock(path))
    let copy = OpenFile(descriptor: dup(file.descriptor), path: path)
    defer { system.close(copy) }
    #expect(try system.lock(path)?.descriptor == nil)
    system.unlock(file)
    system.unlock(try #require(try system.lock(path)))
  }

  @Test("unlocks the directory when it is released, whatever its threads have just done")
  func released() async throws {
    // Each store is released at the end of its scope.
    for _ in 0..<Thoroughness.count(usual: 100, share: 300, whole: 300) {
      do {
        let trees = try machine.open()
        let records = try await trees.records(of: 0..<4) { $0.record("", isAwake: true) }
        #expect(try await trees.store.save(records) == [])
      }
      do { #expect(try await machine.open().due().count == 4) }
      do { _ = try await machine.open().claim("1") }
    }
  }

  @Test("refuses calls after it was closed")
  func closed() async throws {
    let trees = try machine.open()
    let claim = try await trees.claim("1")
    await trees.store.close()
    await trees.store.close()
    let closed = FileStoreError.closed(directory: "data")
    await #expect(throws: closed) { try await trees.claim("1") }
    await #expect(throws: closed) { try await trees.store.save([claim.record("")]) }
    await #expect(throws: closed) { try await trees.due() }
  }

  @Test("writes nothing when its lock file was deleted, or its directory is gone, until it is back")
  func lostLock() async throws {
    let (parent, manager) = (folder.path, FileManager.default)
    let directory = parent + "/data"
    let trees = Trees(store: try FileStore(directory: directory))
    let claim = try await trees.claim("1")
    _ = try await trees.store.save([claim.record("one")])
    try manager.moveItem(atPath: directory, toPath: parent + "/moved")
    await #expect(throws: FileStoreError.lockLost(directory: directory)) {
      try await trees.store.save([claim.record("two", version: 2)])
    }
    try manager.moveItem(atPath: parent + "/moved", toPath: directory)
    #expect(try await trees.store.save([claim.record("two", version: 2)]) == [])
    try manager.removeItem(atPath: directory + "/store.lock")
    let other = Trees(store: try FileStore(directory: directory))
    #expect(try await other.claim("1").text == "two")
    await #expect(throws: FileStoreError.lockLost(directory: directory)) {
      try await trees.store.save([claim.record("three", version: 3)])
    }
    await #expect(throws: FileStoreError.lockLost(directory: directory)) { try await trees.claim("1") }
    #expect(try await other.claim("1").text == "two")
  }

  // MARK: Cost

  @Test("reads at its start the names of the trees that are awake, and nothing of all others")
  func start() async throws {
    let trees = try machine.open()
    for thousand in 0..<2 {
      let records = try await trees.records(of: 0..<1_000, prefix: "asleep-\(thousand)-") {
        $0.record("", isReleased: true)
      }
      _ = try await trees.store.save(records)
    }
    for id in 0..<100 { try await trees.save("awake-\(id)", "", isAwake: true) }
    await trees.store.close()
    machine.plan()
    let reopened = try machine.open()
    #expect(machine.calls.count < 20)
    #expect(!machine.calls.contains { $0.contains("asleep") })
    #expect(try await reopened.due(10).count == 10)
    #expect(machine.calls.count < 40)
    #expect(try await reopened.due().count == 100)
    // The header of each awake file is read once, and that there is no other file.
    let limit = 20 + 2 * 100
    #expect(machine.calls.count < limit)
    #expect(try await reopened.due().count == 100)
    #expect(machine.calls.count < limit)
    #expect(reopened.store.claimCount == 0)
  }

  @Test(
    "asks the disk for due trees once in ten minutes if there are none, and waits for none to release a tree that was only read"
  )
  func noCalls() async throws {
    let trees = Trees(store: try FileStore(directory: "data", system: machine, wallTime: { .noon }))
    try await trees.save("1", "one")
    let claim = try await trees.claim("1")
    machine.plan()
    for _ in 0..<3 { #expect(try await trees.due() == []) }
    #expect(machine.calls.filter { !$0.hasPrefix("stat") } == ["names data/order/wakes"])
    machine.plan()
    #expect(try await trees.store.save([claim.record(.unchanged, isReleased: true)]) == [])
    #expect(machine.calls.filter { !$0.hasPrefix("stat") } == ["unlink data/order/starts/1.json"])
  }

  @Test("claims without waiting for the disk, and without a write if there is no record")
  func claims() async throws {
    let trees = try machine.open()
    try await trees.save("1", "one")
    machine.plan()
    for id in ["1", "2", "1"] { _ = try await trees.claim(id) }
    let changes = machine.calls.filter { !$0.hasPrefix("read") && !$0.hasPrefix("stat") }
    #expect(
      changes == [
        "create data/order/starts/1.json", "mkdir data/order/starts", "create data/order/starts/1.json",
      ])
  }

  @Test("finds suspects in a directory of before, and after files about starts were damaged or removed")
  func startFiles() async throws {
    var trees = try machine.open()
    for id in ["1", "2", "3"] { try await trees.save(id, "old", isAwake: true) }
    try await trees.save("asleep", "old", wakes: .noon)
    #expect(!machine.paths.contains { $0.contains("/starts/") })
    func start(_ id: String, _ state: TreeStart.State) async throws {
      let fence = try await trees.claim(id).fence
      try await trees.store.note([TreeStart(key: Trees.key(id), fence: fence, state: state)])
    }
    for id in ["1", "2", "3"] { try await start(id, .begins(UnfinishedStarts(count: 2, last: "here"))) }
    for id in ["3", "asleep"] { try await start(id, .quarantined) }
    await trees.store.close()
    #expect(
      machine.text(of: "data/order/starts/3.json")
        == #"{"count":2,"isQuarantined":true,"last":"here","store":1}"# + "\n")
    machine.put("damaged", at: "data/order/starts/2.json")
    // A quarantine survives a crash of the machine.
    machine.crash(leaving: .nothing)
    trees = try machine.open()
    #expect(try await trees.store.quarantined("order").keys.map(\.id).sorted() == ["3", "asleep"])
    #expect(try await trees.due().sorted() == ["1", "2"])
    #expect(try await trees.claim("2").saved?.unfinishedStarts == UnfinishedStarts(count: 1))
    for id in ["3", "asleep"] { try await trees.store.retry(Trees.key(id)) }
    machine.crash(leaving: .nothing)
    trees = try machine.open()
    #expect(try await trees.due().sorted() == ["1", "2", "3", "asleep"])
    #expect(try await trees.claim("3").saved?.unfinishedStarts == nil)
  }

  @Test("synchronizes the file of each record, and each folder once, for a batch")
  func batches() async throws {
    let trees = try machine.open()
    for version in 1...3 as ClosedRange<UInt64> {
      let records = try await trees.records(of: 0..<50) { $0.record("", version: version, isAwake: version != 2) }
      machine.plan()
      #expect(try await trees.store.save(records) == [])
      #expect(machine.calls.count { $0.hasPrefix("fsync data/store.tmp/") } == 50)
      let folders = machine.calls.filter { $0.hasPrefix("fsync directory data/order/") }
      #expect(folders.count == (version == 1 ? 1 : 2), "\(folders)")
      if version != 1 {
        #expect(machine.calls.count { $0.hasPrefix("unlink") && !$0.contains("/starts/") } == 50)
        #expect(machine.calls.count { $0.hasPrefix("unlink data/order/starts/") } == 50)
      }
    }
  }

  @Test("takes memory for the trees that are claimed, and for a bounded number that was released")
  func memory() async throws {
    let trees = try machine.open()
    let first = try await trees.claim("first")
    #expect(try await trees.store.save([first.record("first", isReleased: true)]) == [])
    for thousand in 0..<Thoroughness.count(usual: 14, share: 20, whole: 20) {
      let records = try await trees.records(of: 0..<1_000, prefix: "\(thousand)-") {
        $0.record(.unchanged, isReleased: true)
      }
      #expect(try await trees.store.save(records) == [])
      // The last release may be repeated.
      #expect(try await trees.store.save(records) == [])
    }
    #expect(trees.store.claimCount <= 12_000)
    // The file says that this one was the last.
    #expect(try await trees.store.save([first.record("first", isReleased: true)]) == [])
    let wrongFence = Trees.Claim(key: first.key, fence: first.fence + 1, saved: nil)
    for late in [first.record("late", version: 5), wrongFence.record("late")] {
      #expect(try await trees.store.save([late]) == [first.key])
    }
    let unsaved = Trees.Claim(key: Trees.key("0-0"), fence: first.fence + 1, saved: nil)
    #expect(try await trees.store.save([unsaved.record("late", version: 5)]) == [unsaved.key])
    #expect(try await trees.claim("first").text == "first")
  }

  @Test("forgets a release when the tree is claimed again, and follows the last save of a released tree")
  func releases() async throws {
    let trees = try machine.open()
    for _ in 0..<3 { try await trees.save("1", "", isAwake: true) }
    #expect(trees.store.claimCount == 1)
    let claim = try await trees.claim("1")
    #expect(trees.store.claimCount == 1)
    #expect(try await trees.store.save([claim.record(.unchanged, isAwake: true, isReleased: true)]) == [])
    #expect(try await trees.due() == ["1"])
    #expect(try await trees.store.save([claim.record("", version: 9, isReleased: true)]) == [])
    #expect(try await trees.due() == [])
  }

  // MARK: Due trees

  @Test("goes round the trees that are due, so that those that can't be claimed don't hide others")
  func rounds() async throws {
    let first = try machine.open()
    for id in 0..<6 { try await first.save("\(id)", "", isAwake: true) }
    for id in 0..<4 { machine.put([], at: "data/order/awake/\(id).json") }
    await first.store.close()
    let trees = try machine.open()
    var claimed: Set<String> = []
    for _ in 0..<3 {
      for id in try await trees.due(2) {
        if (try? await trees.claim(id)) != nil { claimed.insert(id) }
      }
    }
    #expect(claimed == ["4", "5"])
    #expect(try await trees.due().sorted() == ["0", "1", "2", "3"])
  }

  @Test("finds trees again that are released awake many times")
  func wakeful() async throws {
    let trees = try machine.open()
    try await trees.save("0", "", isAwake: true)
    for _ in 0..<200 { for id in ["1", "2"] { try await trees.save(id, "", isAwake: true) } }
    for id in ["0", "1", "2", "0"] { #expect(try await trees.due(1) == [id]) }
  }

  /// A file of format 1 without a checksum. Every version must read it.
  private static let format1 = """
    {"bytes":8,"fence":3,"id":"a/é","kind":"order","schema":2,"store":1,"version":7}
    {"a":1}

    """

  /// A file of format 1 with a checksum. It must not change, and every version must read it.
  private static let format1WithChecksum = """
    {"bytes":8,"checksum":"8120568b8e0ec962","fence":3,"id":"a/é","kind":"order","schema":2,"store":1,"version":7}
    {"a":1}

    """

  @Test(
    "writes the golden file, and reads it and that of the version before", arguments: [format1, format1WithChecksum])
  func golden(_ saved: String) async throws {
    let store = try FileStore(directory: directory + "/written")
    var trees = Trees(store: store)
    for _ in 0..<2 { _ = try await trees.claim("a/é", schema: 2) }
    var claim = try await trees.claim("a/é", schema: 2)
    _ = try await store.save([claim.record("{\"a\":1}\n", version: 7, schema: 2)])
    await store.close()
    #expect(try text(directory + "/written/order/asleep/a%2F%C3%A9.json") == Self.format1WithChecksum)
    #expect(try text(directory + "/written/store.json") == "{\"fences\":1000000,\"store\":1}\n")
    let read = directory + "/read"
    try FileManager.default.createDirectory(atPath: read + "/order/awake", withIntermediateDirectories: true)
    try write(saved, to: read + "/order/awake/a%2F%C3%A9.json")
    try write("{\"fences\":1000000,\"store\":1}\n", to: read + "/store.json")
    trees = Trees(store: try FileStore(directory: read))
    #expect(try await trees.due(schema: 2) == ["a/é"])
    claim = try await trees.claim("a/é", schema: 2)
    #expect(claim.saved == SavedRecord(version: 7, schema: 2, document: Array("{\"a\":1}\n".utf8), isAwake: true))
    #expect(claim.fence == 1_000_001)
  }

  @Test("reports each changed bit of a file as damage, and leaves the file alone")
  func changedBits() async throws {
    let trees = try machine.open()
    try await trees.save("1", #"{"balance":100}"#)
    let file = "data/order/asleep/1.json"
    let bytes = try #require(machine.bytes(of: file))
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      machine.put(changed, at: file)
      await #expect(throws: FileStoreError.self, "bit \(bit)") { try await trees.claim("1") }
      #expect(machine.bytes(of: file) == changed)
    }
    machine.put(bytes, at: file)
    #expect(try await trees.claim("1").text == #"{"balance":100}"#)
  }

  @Test("reads a file that was edited by hand, without its checksum")
  func editedFile() async throws {
    let trees = try machine.open()
    try await trees.save("1", "100")
    let file = "data/order/asleep/1.json"
    let edited = try #require(machine.text(of: file)).replacing("\n100", with: "\n999")
    machine.put(edited, at: file)
    let error = await #expect(throws: FileStoreError.self) { try await trees.claim("1") }
    #expect(error?.description.contains("remove the checksum from its first line") == true)
    machine.put(edited.replacing(/"checksum":"[0-9a-f]{16}",/, with: ""), at: file)
    #expect(try await trees.claim("1").text == "999")
  }

  @Test("makes files and folders that only their user can read")
  func modes() async throws {
    let data = directory + "/made/data"
    try await Trees(store: try FileStore(directory: data)).save("1", "one")
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    for folder in ["/..", "", "/store.tmp", "/order", "/order/asleep"] { #expect(try mode(data + folder) == 0o700) }
    for file in ["/store.lock", "/store.json", "/order/asleep/1.json"] { #expect(try mode(data + file) == 0o600) }
  }

  @Test("reads on after a short read, up to the end of the file")
  func shortReads() async throws {
    // A pipe has fewer bytes at a time than a read asks for.
    let pipe = directory + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let writer = Thread { FileHandle(forWritingAtPath: pipe)?.write(Data(bytes)) }
    writer.start()
    #expect(try SystemFiles().read(pipe, atMost: .max) == bytes)
  }

  // MARK: Listing

  @Test("lists what is saved, sorted, with errors for damaged files, while a store has the directory open")
  func listing() async throws {
    let store = try FileStore(directory: directory)
    let trees = Trees(store: store)
    try await trees.save("2", "two", isAwake: true)
    try await trees.save("10", "ten")
    try write("damaged", to: directory + "/order/asleep/3.json")
    try write("foreign", to: directory + "/order/asleep/4.txt")
    let ride = try await trees.claim(TreeKey(kind: "ride", id: "1"), schema: 7).record("ride", version: 9, schema: 7)
    _ = try await store.save([ride])
    let records = Array(try FileStore.records(in: directory))
    #expect(records.map { (try? $0.get())?.key.description } == ["order/10", "order/2", nil, "ride/1"])
    let two = try records[1].get()
    #expect(two.isAwake && two.file == directory + "/order/awake/2.json" && two.fence == 1)
    #expect(two.saved == SavedRecord(version: 1, schema: 1, document: Array("two".utf8), isAwake: true))
    #expect(throws: FileStoreError.damaged(file: directory + "/order/asleep/3.json", reason: "it has no header")) {
      try records[2].get()
    }
    let rides = try FileStore.records(in: directory, of: "ride").map { try $0.get() }
    #expect(rides.map(\.saved.version) == [9] && rides.map(\.saved.schema) == [7])
    #expect(Array(try FileStore.records(in: directory, of: "none")).isEmpty)
    #expect(throws: FileStoreError.self) { try FileStore.records(in: directory + "/missing") }
    let listing = try FileStore.records(in: directory, of: "order")
    _ = try await store.save([trees.claim("2").record(.removed)])
    _ = try await store.save([trees.claim("10").record(.unchanged, isAwake: true)])
    #expect(listing.compactMap { try? $0.get() }.map { "\($0.key) \($0.isAwake)" } == ["order/10 true"])
  }
}
