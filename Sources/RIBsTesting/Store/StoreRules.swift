// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsStore

extension StoreRule {
  /// The rules of all stores, and those of leases.
  static let all: [StoreRule] = [
    claimsRaiseTheFence, claimsReturnTheRecord, containsRecords, savesSayTheFence, batchesWithFencedRecords,
    savesAreIdempotent,
    olderVersions, repeatedReleases, unchanged, unchangedWithoutRecord, removed, startAfterRemoval, laterSchema, due,
    dueLimit, dueSchema, releases, keys, documents, concurrentClaims, concurrentWriters, batches, leases,
    endedLeases, predecessors, revivedLeases, revivedPredecessors, revivalsAndClaims, releasedLeases, noLeases, starts,
    notedStarts, quarantine, quarantineOfHeld, wakeTimes, wakes, wakeOrder, wakesOfOthers, wakesOfEndedOwners,
  ]

  /// The rules whose second part runs on the reopened store.
  static let durability = [
    durableRecords, durableFences, durableRemoval, awakeAfterCrash, durableStarts, durableQuarantine, durableWakes,
  ]

  // MARK: Claims

  private static let claimsRaiseTheFence = StoreRule(
    sentence: "Claims raise the fence. Each successful claim of a key returns a larger fence than all claims before it."
  ) { run in
    let owner = TreeOwner()
    _ = try await run.claim("a", by: owner)
    _ = try await run.claim("a", by: owner)
    var claimed = try await run.claim("a", by: TreeOwner())
    try await claimed.save(claimed.record(1, "saved", isReleased: true))
    claimed = try await run.claim("a", by: TreeOwner())
    try await claimed.save(claimed.record(2, .removed, isReleased: true))
    _ = try await run.claim("a", by: TreeOwner())
  }

  private static let claimsReturnTheRecord = StoreRule(
    sentence: "A claim returns what is saved; nil if there is no record."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    try run.expect(first.saved == nil, "The first claim of a tree returned a record.")
    try await first.save(first.record(7, "saved", schema: 3))
    let second = try await run.claim("a", by: TreeOwner(), schema: 3)
    let expected = SavedRecord(version: 7, schema: 3, document: Array("saved".utf8), isAwake: false)
    try run.expect(
      second.saved == expected, "A claim returned another record than the saved one: \(second.saved as Any).")
    try await second.save(second.record(8, .unchanged, schema: 3, isAwake: true, isReleased: true))
    let third = try await run.claim("a", by: TreeOwner(), schema: 3)
    try run.expect(
      third.saved?.isAwake == true, "A claim of a tree that was saved as awake returned a record that is asleep.")
  }

  private static let containsRecords = StoreRule(
    sentence: "A store contains the trees that have a record. Looking for one leaves nothing, and does not claim it."
  ) { run in
    let key = run.key("a")
    try run.expect(try await !run.store.contains(key), "A tree that was never claimed is contained.")
    let claimed = try await run.claim("a", by: TreeOwner())
    try run.expect(try await !run.store.contains(key), "A tree that was claimed and never saved is contained.")
    try await claimed.save(claimed.record(1, "saved", isAwake: true))
    try run.expect(try await run.store.contains(key), "A tree that was saved is not contained.")
    // The claim still holds.
    try await claimed.save(claimed.record(2, "again", isReleased: true))
    try run.expect(try await run.store.contains(key), "A tree that was saved and released is not contained.")
    let last = try await run.claim("a", by: TreeOwner())
    try await last.save(last.record(3, .removed, isReleased: true))
    try run.expect(try await !run.store.contains(key), "A tree that was removed is contained.")
  }

  private static let laterSchema = StoreRule(
    sentence: "A record of a later schema is not claimed: its owner can save it."
  ) { run in
    let claimed = try await run.claim("a", by: TreeOwner(), schema: 3)
    try await claimed.save(claimed.record(1, "new", schema: 3))
    let claim = try await run.store.claim(run.key("a"), by: TreeOwner(), schema: 2)
    try run.expect(
      claim == .laterSchema(3), "A claim by a program of schema 2 returned \(claim), and not laterSchema(3).")
    try await claimed.save(claimed.record(2, "newer", schema: 3))
  }

  // MARK: Fences

  private static let savesSayTheFence = StoreRule(
    sentence:
      "Every save carries its fence. A record whose fence is not the latest claim's is rejected, and its key "
      + "is returned."
  ) { run in
    let old = try await run.claim("a", by: TreeOwner())
    let new = try await run.claim("a", by: TreeOwner())
    try await run.expectSaved(old.record(9, "old", isAwake: true), fencing: [old.key], "A save with an old fence")
    try await run.expectSaved(old.record(9, .removed), fencing: [old.key], "A removal with an old fence")
    try await run.expect("a", has: nil, "After a refused save")
    _ = new
    let last = try await run.claim("a", by: TreeOwner())
    try await last.save(last.record(1, "last"))
    try await run.expectSaved(
      new.record(9, .unchanged, isAwake: true, isReleased: true), fencing: [new.key], "A release with an old fence")
    try await run.expectSaved(new.record(9, .removed), fencing: [new.key], "A removal with an old fence")
    let larger = Claimed(run: run, key: last.key, fence: last.fence + 1, saved: nil)
    try await run.expectSaved(larger.record(9, "larger"), fencing: [last.key], "A save with a fence of no claim")
    let never = Claimed(run: run, key: run.key("never"), fence: 1, saved: nil)
    try await run.expectSaved(never.record(1, "never"), fencing: [never.key], "A save of a tree that was never claimed")
    try await run.expect("a", has: Array("last".utf8), "After refused saves")
    try await run.expect("never", has: nil, "After a refused save")
  }

  private static let batchesWithFencedRecords = StoreRule(
    sentence: "save returns the keys of the records that were refused because of their fence. All others are written."
  ) { run in
    let owner = TreeOwner()
    var claims: [Claimed] = []
    for id in 0..<5 { claims.append(try await run.claim("\(id)", by: owner)) }
    _ = try await run.claim("2", by: TreeOwner())
    try await run.expectSaved(
      claims.map { $0.record(1, "batch") }, fencing: [run.key("2")], "The record with an old fence in a batch")
    for id in 0..<5 {
      try await run.expect("\(id)", has: id == 2 ? nil : Array("batch".utf8), "After a batch with one fenced record")
    }
  }

  // MARK: Repeated saves

  private static let savesAreIdempotent = StoreRule(
    sentence: "Saves are idempotent. The caller repeats a save with the same version until it returns."
  ) { run in
    let claimed = try await run.claim("a", by: TreeOwner())
    for _ in 0..<3 { try await run.expectSaved(claimed.record(1, "one"), "A repeated save") }
    for _ in 0..<3 { try await run.expectSaved(claimed.record(2, "two"), "A repeated save") }
    try await run.expect("a", has: Array("two".utf8), "After repeated saves")
  }

  private static let olderVersions = StoreRule(
    sentence: "A record with a lower version than the stored one is not written, and counts as saved."
  ) { run in
    let claimed = try await run.claim("a", by: TreeOwner())
    try await claimed.save(claimed.record(5, "five"))
    try await run.expectSaved(claimed.record(4, "four", isAwake: true), "A save of a lower version")
    try await run.expectSaved(claimed.record(4, .removed), "A removal of a lower version")
    try await claimed.save(claimed.record(6, .unchanged, isReleased: true))
    try await run.expectDue([], "After a save of a lower version that was awake")
    try await run.expect("a", has: Array("five".utf8), "After a save of a lower version")
    let other = try await run.claim("b", by: TreeOwner())
    try await other.save(other.record(2, .removed))
    try await run.expectSaved(other.record(1, "one"), "A save of a lower version than that of the removal")
    try await run.expect("b", has: nil, "After a removal and a save of a lower version")
  }

  private static let repeatedReleases = StoreRule(
    sentence: "A save that throws has an unknown outcome. The caller repeats it, also one that releases the tree."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    for _ in 0..<2 { try await run.expectSaved(first.record(1, "one", isReleased: true), "A repeated release") }
    let second = try await run.claim("a", by: TreeOwner())
    for _ in 0..<2 {
      try await run.expectSaved(
        second.record(2, .unchanged, isAwake: true, isReleased: true), "A repeated release of an unchanged tree")
    }
    try await run.expectDue(["a"], "After a repeated release of a tree that is awake")
    let third = try await run.claim("a", by: TreeOwner())
    for _ in 0..<2 { try await run.expectSaved(third.record(3, .removed, isReleased: true), "A repeated removal") }
    try await run.expect("a", has: nil, "After a repeated removal")
    try await run.expectSaved(
      third.record(3, .removed, isReleased: true), fencing: [third.key],
      "A removal that is repeated after another claim")
  }

  // MARK: Content

  private static let unchanged = StoreRule(
    sentence: "Content.unchanged: the document and its schema are unchanged; isAwake and isReleased are saved."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    try await first.save(first.record(1, "document", isReleased: true))
    let second = try await run.claim("a", by: TreeOwner(), schema: 2)
    try await second.save(second.record(2, .unchanged, schema: 2, isAwake: true, isReleased: true))
    try await run.expectDue(["a"], "After an unchanged record was saved as awake")
    try await run.expect("a", has: Array("document".utf8), "After an unchanged record was saved")
    let third = try await run.claim("a", by: TreeOwner())
    try await third.save(third.record(third.saved.map { $0.version + 1 } ?? 3, .unchanged, isReleased: true))
    try await run.expectDue([], "After an unchanged record was saved as asleep")
    try await run.expect("a", has: Array("document".utf8), "After an unchanged record was saved as asleep")
  }

  private static let unchangedWithoutRecord = StoreRule(
    sentence: "Content.unchanged: creates no record."
  ) { run in
    let claimed = try await run.claim("a", by: TreeOwner())
    try await claimed.save(claimed.record(1, .unchanged, isAwake: true, isReleased: true))
    try await run.expectDue([], "After an unchanged tree without a record was saved as awake")
    try await run.expect("a", has: nil, "After an unchanged tree without a record was saved")
  }

  private static let removed = StoreRule(sentence: "Content.removed: the record is removed.") { run in
    for (id, isAwake) in [("a", true), ("b", false)] {
      let claimed = try await run.claim(id, by: TreeOwner())
      try await claimed.save(claimed.record(1, "document", isAwake: isAwake))
      try await claimed.save(claimed.record(2, .removed, isAwake: isAwake, isReleased: true))
      try await run.expectDue([], "After a record was removed")
      try await run.expect(id, has: nil, "After a record was removed")
    }
  }

  private static let startAfterRemoval = StoreRule(
    sentence: "Content.removed: a new tree with the key counts its versions from the start."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    try await first.save(first.record(8, "old"))
    try await first.save(first.record(9, .removed, isReleased: true))
    let second = try await run.claim("a", by: TreeOwner())
    try await second.save(second.record(1, "new"))
    try await run.expect("a", has: Array("new".utf8), "After a removed tree was made again")
  }

  private static let keys = StoreRule(
    sentence: "A tree has a kind and an ID. Both are any text, and trees whose keys differ are different trees."
  ) { run in
    let ids = [
      "", " ", ".", "..", "a", "A", "a/b", "a\\b", "../a", "%", "%61", "a%2Fb", "a.json", "*", "'; --", "\"", "\n", "ß",
      "SS", "日本", "👩‍👩‍👧", String(repeating: "x", count: 200),
    ]
    let kinds = [run.kind, run.kind.uppercased(), run.kind + "/", run.kind + "/a", run.kind + "."]
    let owner = TreeOwner()
    let keys = kinds.flatMap { kind in ids.map { TreeKey(kind: kind, id: $0) } }
    var records: [TreeRecord] = []
    for key in keys {
      let claimed = try await run.claim(key, by: owner)
      try run.expect(claimed.saved == nil, "The first claim of \(key) returned a record: that of another key?")
      records.append(claimed.record(1, key.description, isAwake: true, isReleased: true))
    }
    try await run.expectSaved(records, "A batch of odd keys")
    for kind in kinds {
      let due = try await run.store.due(kind, limit: 1_000, schema: 1)
      let expected = keys.filter { $0.kind == kind }.sorted()
      try run.expect(due.sorted() == expected, "The trees \(due.sorted()) of a kind are due, and not \(expected).")
    }
    for key in keys {
      let claimed = try await run.claim(key, by: owner)
      try run.expect(
        claimed.saved?.document == Array(key.description.utf8),
        "A claim of \(key) returned \(claimed.saved.map { String(decoding: $0.document, as: UTF8.self) } ?? "no record")."
      )
    }
  }

  private static let documents = StoreRule(
    sentence: "The document is any bytes, and it is returned as it was saved."
  ) { run in
    let documents: [[UInt8]] = [
      [], [0], [10], Array("{}\n".utf8), Array(0...255),
      Array(repeating: 7, count: 1_000_000),
    ]
    let owner = TreeOwner()
    for (index, document) in documents.enumerated() {
      let claimed = try await run.claim("\(index)", by: owner)
      try await claimed.save(claimed.record(1, .document(document)))
      try await run.expect("\(index)", has: document, "After a save of \(document.count) bytes")
    }
  }

  // MARK: Due trees

  private static let due = StoreRule(
    sentence: "due returns the trees without a living owner that were awake when they were last saved."
  ) { run in
    let owner = TreeOwner()
    _ = try await run.store.renew(owner, for: .seconds(3_600))
    for (id, isAwake, isReleased) in [
      ("awake", true, true), ("asleep", false, true), ("held", true, false), ("heldAsleep", false, false),
    ] {
      let claimed = try await run.claim(id, by: owner)
      try await claimed.save(claimed.record(1, id, isAwake: isAwake, isReleased: isReleased))
    }
    try await run.expectDue(["awake"], "Of two claimed and two released trees")
    let other = try await run.store.due(run.kind + "-other", limit: 10, schema: 1)
    try run.expect(other.isEmpty, "Trees of another kind are due: \(other).")
    let claimed = try await run.claim("awake", by: owner)
    try await run.expectDue([], "After the tree was claimed")
    try await claimed.save(claimed.record(2, "asleep", isReleased: true))
    try await run.expectDue([], "After the tree was saved as asleep")
  }

  private static let dueLimit = StoreRule(
    sentence: "due returns at most limit keys, and none if limit is negative."
  ) { run in
    let owner = TreeOwner()
    var claims: [TreeKey: Claimed] = [:]
    for id in 0..<10 { claims[run.key("\(id)")] = try await run.claim("\(id)", by: owner) }
    try await run.expectSaved(claims.values.map { $0.record(1, "", isAwake: true, isReleased: true) }, "A batch")
    for limit in [.min, -1, 0, 1, 7] {
      let due = try await run.store.due(run.kind, limit: limit, schema: 1)
      try run.expect(
        due.count == max(limit, 0), "With the limit \(limit), \(due.count) of ten trees are due.")
    }
    var rest = Set(claims.keys)
    for _ in 0..<5 {
      let due = try await run.store.due(run.kind, limit: 2, schema: 1)
      try run.expect(rest.isSuperset(of: due) && due.count == 2, "Trees that were claimed are due, or too few: \(due).")
      for key in due { _ = try await run.claim(key, by: TreeOwner()) }
      for key in due { try await run.sleep(key) }
      rest.subtract(due)
    }
    try await run.expectDue([], "After all were claimed and saved as asleep")
  }

  private static let dueSchema = StoreRule(sentence: "due omits records of a later schema.") { run in
    for schema in 1...3 {
      let claimed = try await run.claim("\(schema)", by: TreeOwner(), schema: schema)
      try await claimed.save(claimed.record(1, "", schema: schema, isAwake: true, isReleased: true))
    }
    try await run.expectDue(["1", "2"], schema: 2, "For a program of schema 2")
    try await run.expectDue(["1", "2", "3"], schema: 3, "For a program of schema 3")
    let limited = try await run.store.due(run.kind, limit: 1, schema: 1)
    try run.expect(
      limited == [run.key("1")], "With the limit 1, the trees \(limited) are due for a program of schema 1.")
  }

  // MARK: Owners

  private static let releases = StoreRule(
    sentence: "A claim lasts until the record is saved with isReleased, or another owner claims it."
  ) { run in
    let (owner, other) = (TreeOwner(address: run.kind + ":1"), TreeOwner(address: run.kind + ":2"))
    _ = try await run.store.renew(owner, for: .seconds(3_600))
    _ = try await run.store.renew(other, for: .seconds(3_600))
    let claimed = try await run.claim("a", by: owner)
    try await claimed.save(claimed.record(1, "document", isReleased: true))
    _ = try await run.claim("a", by: other)
  }

  private static let leases = StoreRule(
    sentence: "An owner that renews its lease keeps its trees: a claim by another owner returns its address.",
    leases: true
  ) { run in
    try run.expect(run.store.isShared, "The store has leases, and isShared is false.")
    let (owner, other) = (TreeOwner(address: run.kind + ":1"), TreeOwner(address: run.kind + ":2"))
    let isRenewed = try await run.store.renew(owner, for: .seconds(3_600))
    try run.expect(isRenewed, "The first renewal of a lease returned false.")
    let claimed = try await run.claim("a", by: owner)
    let claim = try await run.store.claim(run.key("a"), by: other, schema: 1)
    try run.expect(
      claim == .elsewhere(address: owner.address),
      "A claim of a tree with a living owner returned \(claim), and not the address of the owner.")
    try await claimed.save(claimed.record(1, "document"))
    _ = try await run.claim("a", by: owner)
    try run.expect(try await run.store.renew(owner, for: .seconds(3_600)), "A living owner was not renewed.")
  }

  private static let endedLeases = StoreRule(
    sentence: "An owner whose lease has ended is not renewed by renew; its trees can be claimed, and are due.",
    leases: true
  ) { run in
    let (owner, other) = (TreeOwner(address: run.kind + ":1"), TreeOwner(address: run.kind + ":2"))
    _ = try await run.store.renew(owner, for: .seconds(3_600))
    let (first, second) = (try await run.claim("a", by: owner), try await run.claim("b", by: owner))
    try await first.save(first.record(1, "", isAwake: true))
    try await second.save(second.record(1, "", isAwake: true))
    try await run.expectDue([], "During the lease of the owner")
    try run.expect(
      try await run.store.renew(owner, for: .zero), "A living owner was not renewed, for a duration of zero.")
    try await run.expectDue(["a", "b"], "After the lease of the owner has ended")
    for _ in 0..<2 {
      try run.expect(
        try await !run.store.renew(owner, for: .seconds(3_600)), "An owner was renewed after its lease had ended.")
    }
    _ = try await run.store.renew(other, for: .seconds(3_600))
    _ = try await run.claim("a", by: other)
    try await run.expectSaved(
      first.record(2, "late"), fencing: [first.key], "A save of a tree that another owner has claimed")
    try await run.expectDue(["b"], "After one tree of a dead owner was claimed")
  }

  private static let predecessors = StoreRule(
    sentence: "An earlier owner with the same address, unless it is empty, is dead.", leases: true
  ) { run in
    let owners = (0..<2).map { _ in TreeOwner(address: run.kind) }
    let nameless = (0..<2).map { _ in TreeOwner() }
    for owner in [owners[0], nameless[0]] { _ = try await run.store.renew(owner, for: .seconds(3_600)) }
    let claimed = try await run.claim("a", by: owners[0])
    try await claimed.save(claimed.record(1, "", isAwake: true))
    _ = try await run.claim("b", by: nameless[0])
    for owner in [owners[1], nameless[1]] { _ = try await run.store.renew(owner, for: .seconds(3_600)) }
    try await run.expectDue(["a"], "After the process at an address was restarted")
    try run.expect(
      try await !run.store.renew(owners[0], for: .seconds(3_600)), "The predecessor at an address was renewed.")
    _ = try await run.claim("a", by: owners[1])
    let claim = try await run.store.claim(run.key("b"), by: nameless[1], schema: 1)
    try run.expect(
      claim == .elsewhere(address: ""), "A claim of a tree of a living owner without an address returned \(claim).")
  }

  private static let revivedLeases = StoreRule(
    sentence: "Leases can be revived. revive returns the trees that another owner has claimed meanwhile.", leases: true
  ) { run in
    let (owner, other) = (TreeOwner(address: run.kind + ":1"), TreeOwner(address: run.kind + ":2"))
    for owner in [owner, other] { _ = try await run.store.renew(owner, for: .seconds(3_600)) }
    var claims: [Claimed] = []
    for id in ["a", "b", "c"] {
      let claimed = try await run.claim(id, by: owner)
      try await claimed.save(claimed.record(1, id, isAwake: true))
      claims.append(claimed)
    }
    let fences = Dictionary(uniqueKeysWithValues: claims.map { ($0.key, $0.fence) })
    _ = try await run.store.renew(owner, for: .zero)
    let taken = try await run.claim("a", by: other)
    for _ in 0..<2 {
      let lost = try await run.store.revive(owner, for: .seconds(3_600), holding: fences)
      try run.expect(
        lost == [run.key("a")],
        "Of three trees, of which another owner has claimed one, revive returned \(lost as Any).")
    }
    try await run.expectDue([], "After a lease was revived")
    let claim = try await run.store.claim(run.key("b"), by: other, schema: 1)
    try run.expect(
      claim == .elsewhere(address: owner.address), "A claim of a tree of a revived owner returned \(claim).")
    try run.expect(try await run.store.renew(owner, for: .seconds(3_600)), "A revived owner was not renewed.")
    try await claims[1].save(claims[1].record(2, "after"))
    try await taken.save(taken.record(2, "taken"))
    try await run.expectSaved(
      claims[0].record(2, "late"), fencing: [run.key("a")], "A save of a tree that another owner has claimed")
    // Claimed again by the same owner, and never claimed.
    _ = try await run.claim("c", by: owner)
    let wrong = [run.key("b"): claims[1].fence, run.key("c"): claims[2].fence, run.key("never"): 1]
    let lost = try await run.store.revive(owner, for: .seconds(3_600), holding: wrong)
    try run.expect(
      lost == [run.key("c"), run.key("never")],
      "revive returned \(lost as Any), and not the tree with a later fence and the one that was never claimed.")
    let none = try await run.store.revive(owner, for: .seconds(3_600), holding: [:])
    try run.expect(none == [], "revive of no trees returned \(none as Any).")
  }

  private static let revivedPredecessors = StoreRule(
    sentence: "An owner is not revived if a later owner has its address.", leases: true
  ) { run in
    let owners = (0..<2).map { _ in TreeOwner(address: run.kind) }
    _ = try await run.store.renew(owners[0], for: .seconds(3_600))
    let claimed = try await run.claim("a", by: owners[0])
    try await claimed.save(claimed.record(1, "", isAwake: true))
    _ = try await run.store.renew(owners[1], for: .seconds(3_600))
    let lost = try await run.store.revive(owners[0], for: .seconds(3_600), holding: [claimed.key: claimed.fence])
    try run.expect(lost == nil, "The predecessor at an address was revived, and lost \(lost as Any).")
    try await run.expectDue(["a"], "After the predecessor at an address asked to be revived")
  }

  private static let revivalsAndClaims = StoreRule(
    sentence: "A claim that finds the lease ended and a revival exclude each other.", leases: true
  ) { run in
    for round in 0..<20 {
      let (owner, other) = (TreeOwner(), TreeOwner())
      for owner in [owner, other] { _ = try await run.store.renew(owner, for: .seconds(3_600)) }
      let claimed = try await run.claim("\(round)", by: owner)
      _ = try await run.store.renew(owner, for: .zero)
      let fences = [claimed.key: claimed.fence]
      let isTaken = try await inParallel(2) { index in
        if index == 0 { return try await run.store.revive(owner, for: .seconds(3_600), holding: fences) != [] }
        guard case .claimed = try await run.store.claim(claimed.key, by: other, schema: 1) else { return false }
        return true
      }
      try run.expect(
        isTaken[0] == isTaken[1],
        isTaken[1]
          ? "revive did not return a tree that another owner has claimed at the same time."
          : "revive returned a tree whose claim by another owner was refused at the same time.")
    }
  }

  private static let releasedLeases = StoreRule(
    sentence: "due returns the trees without a living owner; a released tree has no owner.", leases: true
  ) { run in
    let owner = TreeOwner()
    _ = try await run.store.renew(owner, for: .seconds(3_600))
    let claimed = try await run.claim("a", by: owner)
    try await claimed.save(claimed.record(1, "", isAwake: true, isReleased: true))
    try await run.expectDue(["a"], "After a living owner released a tree that is awake")
  }

  private static let noLeases = StoreRule(
    sentence: "A store for one process at a time needs no leases: renew returns true.", leases: false
  ) { run in
    let owner = TreeOwner(address: run.kind)
    for duration in [Duration.seconds(1), .zero, .seconds(1)] {
      try run.expect(try await run.store.renew(owner, for: duration), "renew returned false.")
    }
  }

  // MARK: Concurrency

  private static let concurrentClaims = StoreRule(
    sentence: "All functions may be called concurrently. Only the claim with the largest fence may write."
  ) { run in
    for round in 0..<10 {
      let key = run.key("\(round)")
      let fences = try await inParallel(8) { _ in
        guard case .claimed(let fence, _) = try await run.store.claim(key, by: TreeOwner(), schema: 1) else {
          throw StoreRun.Violation(message: "A tree without a living owner was not claimed.")
        }
        return fence
      }
      try run.expect(Set(fences).count == fences.count, "Claims at the same time returned the same fence: \(fences).")
      let refused = try await inParallel(8) { index in
        let claimed = Claimed(run: run, key: key, fence: fences[index], saved: nil)
        return try await run.store.save([claimed.record(1, "\(fences[index])")]).isEmpty ? nil : fences[index]
      }
      let accepted = Set(fences).subtracting(refused.compactMap(\.self)).sorted()
      try run.expect(
        accepted == [fences.max() ?? 0], "Of saves with the fences \(fences), those with \(accepted) were written.")
      try await run.expect("\(round)", has: Array("\(fences.max() ?? 0)".utf8), "After saves at the same time")
    }
  }

  private static let concurrentWriters = StoreRule(
    sentence: "The check of the fence and the write are one atomic step: two writers are impossible."
  ) { run in
    let key = run.key("a")
    // Each writer adds one to what its claim returned. A save that overwrites another one's loses a number.
    let counts = try await inParallel(8) { _ in
      var count = 0
      for _ in 0..<25 {
        guard case .claimed(let fence, let saved) = try await run.store.claim(key, by: TreeOwner(), schema: 1) else {
          throw StoreRun.Violation(message: "A tree without a living owner was not claimed.")
        }
        let value = saved.flatMap { Int(String(decoding: $0.document, as: UTF8.self)) } ?? 0
        let claimed = Claimed(run: run, key: key, fence: fence, saved: saved)
        // Without it, the tasks may take turns, and the same one always has the latest claim.
        for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
        let record = claimed.record((saved?.version ?? 0) + 1, "\(value + 1)")
        if try await run.store.save([record]).isEmpty { count += 1 }
      }
      return count
    }
    let sum = counts.reduce(0, +)
    try await run.expect("a", has: sum == 0 ? nil : Array("\(sum)".utf8), "After \(sum) additions that were saved")
  }

  private static let batches = StoreRule(
    sentence: "save writes many records; several saves may run at once."
  ) { run in
    let owner = TreeOwner()
    var claims: [Claimed] = []
    for id in 0..<200 { claims.append(try await run.claim("\(id)", by: owner)) }
    let all = claims
    _ = try await inParallel(4) { part in
      for version in 1...3 as ClosedRange<UInt64> {
        let records = all[part * 50..<(part + 1) * 50].map { $0.record(version, "\($0.key.id), \(version)") }
        try await run.expectSaved(records, "A batch")
      }
    }
    try await run.expectSaved([], "A batch without records")
    for id in 0..<200 { try await run.expect("\(id)", has: Array("\(id), 3".utf8), "After batches at the same time") }
  }

  // MARK: Starts

  private static let starts = StoreRule(
    sentence:
      "A claim marks the start of a tree as unfinished. The next claim returns the mark, unless a save has ended it."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    try await first.save(first.record(1, "saved"))
    try await run.expect("a", startsAre: nil, "After a save")
    try await run.expect("a", startsAre: UnfinishedStarts(count: 1), "After a claim that nothing followed")
    try await run.expect("a", startsAre: UnfinishedStarts(count: 1), "After two claims that nothing followed")
    let last = try await run.claim("a", by: TreeOwner())
    try await last.save(last.record(2, .unchanged, isReleased: true))
    try await run.expect("a", startsAre: nil, "After a release")
  }

  private static let notedStarts = StoreRule(
    sentence: "note changes what is known of the starts of a tree, if the fence is that of the latest claim."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    try await first.save(first.record(1, "saved"))
    let old = try await run.claim("a", by: TreeOwner())
    let starts = UnfinishedStarts(count: 2, last: "some process")
    try await run.claim("a", by: TreeOwner()).note(.begins(starts))
    try await old.note(.succeeded)
    try await old.note(.begins(UnfinishedStarts(count: 7)))
    try await old.note(.quarantined)
    try await run.expect("a", startsAre: starts, "After a note that a start begins, and notes with an old fence")
    try await run.expect("a", startsAre: starts, "After a claim that nothing followed")
    let latest = try await run.claim("a", by: TreeOwner())
    let second = try await run.claim("b", by: TreeOwner())
    try await second.save(second.record(1, "saved"))
    let other = try await run.claim("b", by: TreeOwner())
    for _ in 0..<2 { try await run.store.note([latest.start(.succeeded), other.start(.succeeded)]) }
    for id in ["a", "b"] { try await run.expect(id, startsAre: nil, "After a note that the start has succeeded") }
    try await run.expect("a", has: Array("saved".utf8), "After notes")
    let never = Claimed(run: run, key: run.key("never"), fence: 1, saved: nil)
    try await never.note(.quarantined)
    _ = try await run.claim("never", by: TreeOwner())
  }

  private static let quarantine = StoreRule(
    sentence: "A tree in quarantine is not claimed and not due until it is retried. Its record is unchanged."
  ) { run in
    let key = run.key("a")
    let first = try await run.claim("a", by: TreeOwner(), schema: 2)
    try await first.save(first.record(4, "saved", schema: 2, isAwake: true))
    let starts = UnfinishedStarts(count: 3, last: "some process")
    let claimed = try await run.claim("a", by: TreeOwner(), schema: 2)
    try await claimed.note(.begins(starts))
    for _ in 0..<2 { try await claimed.note(.quarantined) }
    for _ in 0..<2 {
      let claim = try await run.store.claim(key, by: TreeOwner(), schema: 2)
      try run.expect(claim == .quarantined(starts), "A claim of a tree in quarantine returned \(claim).")
    }
    let earlier = try await run.store.claim(key, by: TreeOwner(), schema: 1)
    try run.expect(
      earlier == .laterSchema(2), "A claim of a tree in quarantine by an earlier schema returned \(earlier).")
    try await run.expectDue([], schema: 2, "In quarantine")
    let listed = try await run.store.quarantined(run.kind)
    try run.expect(listed == [key: starts], "quarantined returned \(listed), and not \([key: starts]).")
    try run.expect(try await run.store.contains(key), "A tree in quarantine is not contained.")
    try run.expect(
      try await run.store.quarantined(run.kind + "-other").isEmpty, "quarantined returned a tree of another kind.")
    for id in ["a", "never"] { try await run.store.retry(run.key(id)) }
    let rest = try await run.store.quarantined(run.kind)
    try run.expect(rest.isEmpty, "After retry, quarantined returned \(rest).")
    try await run.expectDue(["a"], schema: 2, "After retry")
    let last = try await run.claim("a", by: TreeOwner(), schema: 2)
    let expected = SavedRecord(version: 4, schema: 2, document: Array("saved".utf8), isAwake: true)
    try run.expect(last.saved == expected, "After retry, a claim returned \(last.saved as Any), and not \(expected).")
    try await last.save(last.record(5, "again", schema: 2))
    try await run.store.retry(key)
    try await last.save(last.record(6, "again", schema: 2))
  }

  private static let quarantineOfHeld = StoreRule(
    sentence: "A quarantine ends the claim of the owner that notes it.", leases: true
  ) { run in
    let owner = TreeOwner()
    _ = try await run.store.renew(owner, for: .seconds(3_600))
    let claimed = try await run.claim("a", by: owner)
    try await claimed.save(claimed.record(1, "saved", isAwake: true))
    try await claimed.note(.begins(UnfinishedStarts(count: 2)))
    try await claimed.note(.quarantined)
    let claim = try await run.store.claim(run.key("a"), by: TreeOwner(), schema: 1)
    try run.expect(
      claim == .quarantined(UnfinishedStarts(count: 2)),
      "A claim after the quarantine by a living owner returned \(claim).")
    try await run.store.retry(run.key("a"))
    _ = try await run.claim("a", by: TreeOwner())
  }

  // MARK: Wake times

  /// Long before and after the present.
  private static let (past, future) = (WallTime.now - .seconds(86_400), WallTime.now + .seconds(86_400))

  private static let wakeTimes = StoreRule(
    sentence: "A record says when its tree must wake: each save replaces the time, also of an unchanged document."
  ) { run in
    let first = try await run.claim("a", by: TreeOwner())
    try await first.save(first.record(1, "document", wakes: future))
    try await run.expect("a", wakes: future, "After a save")
    try await run.expect("a", wakes: future, "After a claim that nothing followed")
    // To the microsecond, and with times of each size.
    for (index, time) in [
      past, future + .microseconds(1), WallTime(microsecondsSince1970: .min), WallTime(microsecondsSince1970: -1),
      WallTime(microsecondsSince1970: 0), WallTime(microsecondsSince1970: .max), nil, future,
    ].enumerated() {
      let claimed = try await run.claim("a", by: TreeOwner())
      try await claimed.save(
        claimed.record(UInt64(index) + 2, .unchanged, isAwake: index == 0, wakes: time, isReleased: true))
      try await run.expect("a", wakes: time, "After an unchanged record was saved")
    }
    let other = try await run.claim("a", by: TreeOwner())
    try await run.expectSaved(other.record(1, .unchanged, wakes: past), "A save of a lower version")
    try await other.save(other.record(20, "document"))
    try await run.expect("a", wakes: nil, "After a save without a time")
    let last = try await run.claim("a", by: TreeOwner())
    try await last.save(last.record(21, "document", wakes: past))
    try await last.save(last.record(22, .removed, wakes: past, isReleased: true))
    try await run.expectDue([], "After a tree with a wake time was removed")
    let new = try await run.claim("a", by: TreeOwner())
    try await new.save(new.record(1, .unchanged, wakes: past, isReleased: true))
    try await run.expectDue([], "After an unchanged tree without a record was saved with a wake time")
  }

  private static let wakes = StoreRule(
    sentence:
      "due returns a sleeping tree when its wake time has come by the clock of the store: never early, and until it is "
      + "claimed."
  ) { run in
    let owner = TreeOwner()
    for (id, isAwake, time, isReleased) in [
      ("past", false, past, true), ("future", false, future, true), ("awake", true, future, true),
      ("never", false, nil, true), ("ancient", false, WallTime(microsecondsSince1970: .min), true),
      ("end", false, WallTime(microsecondsSince1970: .max), true),
    ] {
      let claimed = try await run.claim(id, by: owner)
      try await claimed.save(claimed.record(1, id, isAwake: isAwake, wakes: time, isReleased: isReleased))
    }
    for _ in 0..<2 { try await run.expectDue(["past", "ancient", "awake"], "Of sleeping trees and one that is awake") }
    let claimed = try await run.claim("past", by: owner)
    try await claimed.save(claimed.record(2, .unchanged, wakes: future, isReleased: true))
    try await run.expectDue(["ancient", "awake"], "After a tree was given a later time")
    let moved = try await run.claim("future", by: owner)
    try await moved.save(moved.record(2, .unchanged, wakes: past, isReleased: true))
    try await run.expectDue(["ancient", "awake", "future"], "After a tree was given an earlier time")
    for id in ["ancient", "awake", "future"] { try await run.sleep(run.key(id)) }
    try await run.expectDue([], "After the trees were saved without a time")
    let soon = try await run.claim("soon", by: owner)
    let time = WallTime.now + .milliseconds(100)
    try await soon.save(soon.record(1, "soon", wakes: time, isReleased: true))
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end, try await run.store.due(run.kind, limit: 10, schema: 1).isEmpty {
      try await Task.sleep(for: .milliseconds(10))
    }
    try await run.expectDue(["soon"], "Long after the time of a tree has come")
  }

  private static let wakeOrder = StoreRule(
    sentence: "due returns at first the trees that were awake, then the others by their wake times, the oldest first."
  ) { run in
    let owner = TreeOwner()
    // In another order than by ID.
    for (id, seconds) in [("c", 1), ("a", 2), ("b", 3), ("x", -1), ("e", 4)] {
      let claimed = try await run.claim(id, by: owner)
      try await claimed.save(claimed.record(1, id, wakes: past + .seconds(seconds), isReleased: true))
    }
    let awake = try await run.claim("z", by: owner)
    try await awake.save(awake.record(1, "", isAwake: true, wakes: past + .seconds(9), isReleased: true))
    let expected = ["z", "x", "c", "a", "b", "e"]
    for limit in [6, 1, 3, 100] {
      try await run.expectDue(
        inOrder: Array(expected.prefix(limit)), limit: limit, "Of trees with times, with the limit \(limit)")
    }
  }

  private static let wakesOfOthers = StoreRule(
    sentence: "due omits sleeping trees of a later schema, those in quarantine, and those of another kind."
  ) { run in
    for (id, schema) in [("1", 1), ("2", 2)] {
      let claimed = try await run.claim(id, by: TreeOwner(), schema: schema)
      try await claimed.save(claimed.record(1, id, schema: schema, wakes: past, isReleased: true))
    }
    try await run.expectDue(["1"], "Of sleeping trees, for a program of schema 1")
    try await run.expectDue(["1", "2"], schema: 2, "Of sleeping trees, for a program of schema 2")
    let other = try await run.store.due(run.kind + "-other", limit: 10, schema: 2)
    try run.expect(other.isEmpty, "Sleeping trees of another kind are due: \(other).")
    let claimed = try await run.claim("1", by: TreeOwner())
    try await claimed.note(.quarantined)
    try await run.expectDue([], "Of sleeping trees, one of which is in quarantine")
    try await run.store.retry(run.key("1"))
    try await run.expectDue(["1"], "After a retry")
  }

  private static let wakesOfEndedOwners = StoreRule(
    sentence: "due returns a sleeping tree when the lease of its owner has ended, and not before.", leases: true
  ) { run in
    let owner = TreeOwner()
    _ = try await run.store.renew(owner, for: .seconds(3_600))
    for id in ["b", "a"] {
      let claimed = try await run.claim(id, by: owner)
      try await claimed.save(claimed.record(1, id, wakes: past + .seconds(id == "a" ? 1 : 0)))
    }
    let released = try await run.claim("c", by: owner)
    try await released.save(released.record(1, "c", wakes: past + .seconds(2), isReleased: true))
    try await run.expectDue(["c"], "Of sleeping trees with a living owner")
    _ = try await run.store.renew(owner, for: .zero)
    try await run.expectDue(inOrder: ["b", "a", "c"], "After the lease of the owner has ended")
  }

  // MARK: Durability

  private static let durableRecords = StoreRule(
    sentence: "Saves are durable. When save returns, its records survive.",
    body: { run in
      let owner = TreeOwner()
      for id in 0..<20 {
        let claimed = try await run.claim("\(id)", by: owner)
        try await claimed.save(claimed.record(1, "\(id)", isAwake: true))
        if id.isMultiple(of: 2) { try await claimed.save(claimed.record(2, "\(id), again", isReleased: true)) }
      }
    },
    afterReopening: { run in
      for id in 0..<20 {
        try await run.expect(
          "\(id)", has: Array((id.isMultiple(of: 2) ? "\(id), again" : "\(id)").utf8), "After the store was reopened")
      }
    })

  private static let durableFences = StoreRule(
    sentence: "Each successful claim of a key returns a larger fence than those of earlier processes.",
    body: { run in
      for id in ["saved", "unsaved", "removed"] {
        for version in 1...3 as ClosedRange<UInt64> {
          let claimed = try await run.claim(id, by: TreeOwner())
          if id != "unsaved" {
            try await claimed.save(claimed.record(version, id == "saved" ? .document([1]) : .removed))
          }
        }
      }
    },
    // The calls compare the fences with those before.
    afterReopening: { run in
      for id in ["saved", "unsaved", "removed"] { _ = try await run.claim(id, by: TreeOwner()) }
    })

  private static let durableRemoval = StoreRule(
    sentence: "Saves are durable, also those that remove a record.",
    body: { run in
      let claimed = try await run.claim("a", by: TreeOwner())
      try await claimed.save(claimed.record(1, "document", isAwake: true))
      try await claimed.save(claimed.record(2, .removed, isAwake: true))
    },
    afterReopening: { run in
      try await run.expectDue([], "After the store was reopened")
      try await run.expect("a", has: nil, "After the store was reopened")
    })

  private static let awakeAfterCrash = StoreRule(
    sentence: "After a crash the trees are due that were awake when the process died.",
    body: { run in
      let owner = TreeOwner(address: run.kind)
      _ = try await run.store.renew(owner, for: .seconds(3_600))
      for id in ["held", "released", "asleep", "unchanged"] {
        let claimed = try await run.claim(id, by: owner)
        try await claimed.save(
          claimed.record(1, id, isAwake: id != "asleep", isReleased: id == "released" || id == "unchanged"))
      }
      let claimed = try await run.claim("unchanged", by: owner)
      try await claimed.save(claimed.record(2, .unchanged, isReleased: true))
    },
    afterReopening: { run in
      // The restarted process has the address of the one that died.
      _ = try await run.store.renew(TreeOwner(address: run.kind), for: .seconds(3_600))
      try await run.expectDue(["held", "released"], "After the store was reopened")
    })

  private static let durableStarts = StoreRule(
    sentence: "Starts are counted over processes: a mark survives the process whose start of the tree has ended it."
  ) { run in
    for id in ["a", "b", "c"] {
      let claimed = try await run.claim(id, by: TreeOwner())
      try await claimed.save(claimed.record(1, "saved", isAwake: true))
    }
    _ = try await run.claim("a", by: TreeOwner())
    try await run.claim("b", by: TreeOwner()).note(.begins(UnfinishedStarts(count: 2, last: "some process")))
  } afterReopening: { run in
    try await run.expect("a", startsAre: UnfinishedStarts(count: 1), "In the next process")
    try await run.expect("b", startsAre: UnfinishedStarts(count: 2, last: "some process"), "In the next process")
    try await run.expect("c", startsAre: nil, "In the next process")
  }

  private static let durableWakes = StoreRule(
    sentence: "A wake time survives the process: it is written in the same commit as the rest of the record.",
    body: { run in
      let owner = TreeOwner(address: run.kind)
      _ = try await run.store.renew(owner, for: .seconds(3_600))
      for (id, time) in [("past", past), ("held", past), ("future", future), ("moved", past), ("cleared", past)] {
        let claimed = try await run.claim(id, by: owner)
        try await claimed.save(claimed.record(1, id, wakes: time, isReleased: id != "held"))
      }
      for (id, time) in [("moved", future), ("cleared", nil)] {
        let claimed = try await run.claim(id, by: owner)
        try await claimed.save(claimed.record(2, .unchanged, wakes: time, isReleased: true))
      }
    },
    afterReopening: { run in
      _ = try await run.store.renew(TreeOwner(address: run.kind), for: .seconds(3_600))
      try await run.expectDue(["past", "held"], "After the store was reopened")
      for (id, time) in [("past", past), ("held", past), ("future", future), ("moved", future), ("cleared", nil)] {
        try await run.expect(id, wakes: time, "After the store was reopened")
      }
    })

  private static let durableQuarantine = StoreRule(
    sentence: "A quarantine is one of all processes: it lasts until retry is called."
  ) { run in
    let starts = UnfinishedStarts(count: 2, last: "some process")
    for id in ["a", "b"] {
      let claimed = try await run.claim(id, by: TreeOwner())
      try await claimed.save(claimed.record(1, "saved", isAwake: true))
      try await claimed.note(.begins(starts))
      try await claimed.note(.quarantined)
    }
    try await run.store.retry(run.key("b"))
  } afterReopening: { run in
    let listed = try await run.store.quarantined(run.kind)
    try run.expect(
      listed == [run.key("a"): UnfinishedStarts(count: 2, last: "some process")],
      "In the next process, quarantined returned \(listed).")
    try await run.expectDue(["b"], "In the next process, after the quarantine of another tree")
    let claim = try await run.store.claim(run.key("a"), by: TreeOwner(), schema: 1)
    try run.expect(
      claim == .quarantined(UnfinishedStarts(count: 2, last: "some process")),
      "In the next process, a claim of a tree in quarantine returned \(claim).")
    try await run.store.retry(run.key("a"))
    try await run.expectDue(["a", "b"], "After retry in the next process")
    try await run.expect("a", has: Array("saved".utf8), "After retry in the next process")
  }
}

extension StoreRun {
  /// Saves a tree as asleep.
  fileprivate func sleep(_ key: TreeKey) async throws {
    let claimed = try await claim(key, by: TreeOwner())
    try await claimed.save(claimed.record((claimed.saved?.version ?? 0) + 1, .unchanged, isReleased: true))
  }
}

/// Calls a closure with 0, 1, … at once.
private func inParallel<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
  let tasks = (0..<count).map { index in Task { try await body(index) } }
  var values: [Value] = []
  for task in tasks { values.append(try await task.value) }
  return values
}
