// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs
internal import Synchronization

/// Opening and closing trees.
extension TreeDirectory {
  /// A failure later than this after the opening does not count as one in a row.
  private static var trialPeriod: Duration { .seconds(60) }
  /// How long a process must have lived before it starts a tree that has ended one alone.
  private static var shortestLife: Duration { .seconds(1) }
  /// How long the start of a tree may keep other suspects waiting.
  private static var longestStart: Duration { .seconds(5) }
  /// How long a call that needs a place waits for the end of a tree.
  private static var longestEnd: Duration { .seconds(1) }
  /// The number of trees that it waits for in vain. More of them have a common cause, such as a store that is away.
  private static var largestNumberOfLateEnds: Int { 3 }

  // MARK: Calls

  /// Counts a call of a tree, and opens the tree if it is not awake.
  @usableFromInline
  nonisolated(nonsending) func enter(_ key: Key) async throws -> OpenTree<Root> {
    while true {
      switch try arrive(at: key, for: .call) {
      case .tree(let tree): return tree
      case .opening(let opening):
        // What has opened the tree builds none that does not exist.
        do { return try await opened(by: opening, key) } catch is TreeAbsent { continue }
      case .closing(let closed): try await wait(for: closed)
      }
    }
  }

  /// Counts a call of a tree, and opens the tree if it is not awake and has a record.
  ///
  /// - Returns: nil if the tree does not exist.
  @usableFromInline
  nonisolated(nonsending) func enterIfStored(_ key: Key) async throws -> OpenTree<Root>? {
    while true {
      switch try arrive(at: key, for: .callIfStored) {
      case .tree(let tree): return tree
      case .opening(let opening):
        do { return try await opened(by: opening, key) } catch is TreeAbsent { return nil }
      case .closing(let closed): try await wait(for: closed)
      }
    }
  }

  /// Waits until a tree has ended, for a call that was counted.
  private nonisolated(nonsending) func wait(for closed: Closing) async throws {
    defer { closed.waiters.subtract(1, ordering: .relaxed) }
    try await closed.end.valueUnlessCancelled()
  }

  @usableFromInline
  func endSoon(_ tree: OpenTree<Root>, _ key: Key) { Task.detached { await self.closeIfIdle(key, tree) } }

  private enum Arrival: Sendable {
    case tree(OpenTree<Root>)
    case opening(Opening<Root>)
    case closing(Closing)
  }

  /// Looks up a tree, and starts to open it if it is not awake.
  ///
  /// - Parameter purpose: why a new opening is started. For a call, the tree is then used by it.
  /// - Throws: `TreeBusy` if too many calls use the tree, or wait for it.
  private func arrive(at key: Key, for purpose: OpeningPurpose) throws -> Arrival {
    let calls = purpose.isRecovery ? 0 : 1
    let (arrival, isNew): (Arrival, Bool) = try table.update(key) { entry, _ in
      switch entry {
      case .open(let tree):
        try admit(calls, of: key, after: tree.calls.load(ordering: .relaxed))
        tree.calls.add(calls, ordering: .relaxed)
        return (.tree(tree), false)
      case .opening(let opening):
        try admit(calls, of: key, after: opening.waiters.load(ordering: .relaxed))
        opening.waiters.add(calls, ordering: .relaxed)
        return (.opening(opening), false)
      case .closing(let closed, _):
        try admit(calls, of: key, after: closed.waiters.load(ordering: .relaxed))
        closed.waiters.add(calls, ordering: .relaxed)
        return (.closing(closed), false)
      case .quarantined(let error): throw TreeQuarantined(key: treeKey(key), reason: error)
      case nil:
        if storage != nil { try checkText(of: key.id) }
        // Read while the stripe is locked: a shutdown sets it before it looks at the stripes.
        guard !isEnded.load(ordering: .sequentiallyConsistent) else { throw DirectoryEnded() }
        let opening = Opening<Root>(waiters: calls, for: purpose)
        entry = .opening(opening)
        return (.opening(opening), true)
      }
    }
    // A task of its own, because other callers may wait for the tree when this one is cancelled.
    if isNew, case .opening(let opening) = arrival { Task.detached { await self.open(key, opening) } }
    return arrival
  }

  /// - Parameters:
  ///   - calls: 1, or 0 for a recovery, which is always admitted.
  ///   - others: the calls that use the tree, or wait for it.
  private func admit(_ calls: Int, of key: Key, after others: Int) throws {
    guard calls > 0, others >= configuration.callLimit else { return }
    refusedCalls.add(1, ordering: .relaxed)
    throw TreeBusy(key: treeKey(key), limit: configuration.callLimit)
  }

  private nonisolated(nonsending) func opened(by opening: Opening<Root>, _ key: Key) async throws -> OpenTree<Root> {
    let result: Result<OpenTree<Root>, any Error>
    let task = try willWait(for: opening, key)
    defer { didWait(by: task) }
    do {
      result = try await opening.result.valueUnlessCancelled()
    } catch {
      // Ends the use of the cancelled call as soon as the tree is open. If it can't be opened, no use is counted.
      opening.result.whenSet { if case .success(let tree) = $0 { self.leave(tree, key) } }
      throw error
    }
    return try result.get()
  }

  /// The opening whose builder the calling task runs; nil for other tasks.
  func openingOfCurrentTask() -> ObjectIdentifier? {
    guard buildingCount.load(ordering: .relaxed) > 0, let task = withUnsafeCurrentTask(body: { $0?.hashValue }) else {
      return nil
    }
    return state.withLock { $0.waits.opening(of: task) }
  }

  /// Makes the calls of the calling task those of a builder.
  ///
  /// - Returns: what `endBuilding(_:)` needs.
  func beginBuilding(_ opening: ObjectIdentifier) -> Int? {
    guard let task = withUnsafeCurrentTask(body: { $0?.hashValue }) else { return nil }
    buildingCount.add(1, ordering: .relaxed)
    state.withLock { $0.waits.begin(opening, by: task) }
    return task
  }

  func endBuilding(_ task: Int?) {
    guard let task else { return }
    state.withLock { $0.waits.end(task) }
    buildingCount.subtract(1, ordering: .relaxed)
  }

  /// Refuses a call by a builder whose opening would wait for itself.
  ///
  /// - Returns: the identity of the calling task, if it runs a builder.
  func willWait(for opening: Opening<Root>, _ key: Key) throws -> Int? {
    guard let task = withUnsafeCurrentTask(body: { $0?.hashValue }) else { return nil }
    return try state.withLock { state in
      guard state.waits.opening(of: task) != nil else { return nil }
      guard state.waits.begin(waitingFor: ObjectIdentifier(opening), task) else {
        throw CircularOpening(key: treeKey(key))
      }
      return task
    }
  }

  func didWait(by task: Int?) {
    if let task { state.withLock { $0.waits.endWaiting(task) } }
  }

  // MARK: Opening

  /// Opens a tree that no call waits for.
  func recover(_ key: Key, for purpose: OpeningPurpose) async {
    do {
      switch try arrive(at: key, for: purpose) {
      // Also if a call has begun it.
      case .opening(let opening): if case .failure(let error) = await opening.result.value { openLater(key, error) }
      // A removal or a retry may fail, and the tree may be claimed.
      case .closing: reopen(key, after: configuration.interval)
      case .tree: break
      }
    } catch let error as AmbiguousID {
      table.update(key) { entry, _ in entry = .quarantined(error) }
      report(.quarantined(key.id, error))
    } catch {}
  }

  private func open(_ key: Key, _ opening: Opening<Root>) async {
    let isRecovery = opening.purpose.isRecovery
    do {
      if case .callIfStored = opening.purpose {
        // Before the limit: a call of an unknown ID must not end another tree.
        guard try await storage?.store.contains(treeKey(key)) == true else { throw TreeAbsent() }
      }
      try await reserve(for: opening.purpose)
    } catch {
      table.update(key) { entry, _ in entry = nil }
      if isRecovery, !(error is DirectoryEnded) { reopen(key, after: configuration.interval) }
      opening.result.set(.failure(error))
      return
    }
    do {
      let (host, writer, claimed, saved) = try await makeHost(for: key, opening)
      let lateness = isRecovery && saved?.isAwake == false ? saved?.wakes.map { host.wallTime - $0 } : nil
      let (tree, followers, mayBeLost) = table.update(key) { entry, _ in
        // They count as calls until they have subscribed, so that they miss no change.
        let followers = state.withLock { state in
          state.forgetReopening(of: key)
          return state.followers[key]?.wakeUp()
        }
        let number = uses.add(1, ordering: .relaxed).newValue
        let tree = OpenTree(
          host, writer, claimed?.lease, number: number,
          calls: opening.waiters.load(ordering: .relaxed) + (followers?.count ?? 0), time: now(),
          // If the clock of the store is ahead, its work sleeps for the rest, here.
          wasWoken: lateness.map { $0 >= .zero } ?? false)
        // A revival that has begun before this has not found the tree in the table, and one that begins later does.
        let mayBeLost = claimed?.mayBeLost == true
        if mayBeLost { writer?.fenceOff() }
        entry = .open(tree)
        return (tree, followers, mayBeLost)
      }
      report(saved != nil ? .restored(key.id) : .opened(key.id))
      if let lateness, lateness >= .zero || opening.purpose == .due {
        report(.woken(key.id, late: max(.zero, lateness)))
      }
      opening.result.set(.success(tree))
      followers?.wake.set(tree)
      // By number, because a weak reference to the tree would slow down each call.
      let number = tree.number
      writer?.fenced.whenSet { [weak self] in self?.treeWasFenced(key, number) }
      host.onEnd { [weak self] reason in self?.treeDidEnd(key, number, reason) }
      // The store may still keep it for this process. If so, it is due at once. Otherwise the release is fenced.
      if mayBeLost {
        Task.detached {
          _ = await host.ended
          try? await writer?.release(isAwake: true, wakes: nil)
        }
      }
      // The lease may have been lost before the tree was in the table.
      if claimed?.lease.isLost == true { treeWasFenced(key, number) }
    } catch {
      didEndTree()
      // That another process has the tree is no failure: calls get its address, and one that was due is left to it.
      if error is TreeAbsent || error is TreeElsewhere {
        table.update(key) { entry, _ in entry = nil }
      } else if error is LeaseNotHeld {
        table.update(key) { entry, _ in entry = nil }
        // No other process finds it due if it is claimed for this one, such as one that has failed.
        reopen(key, after: configuration.interval)
        opening.result.set(.failure(TreeElsewhere(key: treeKey(key), address: "")))
        return
      } else if let error = error as? QuarantinedInStore {
        table.update(key) { entry, _ in entry = .quarantined(error.starts) }
        report(.quarantined(key.id, error.starts))
        opening.result.set(.failure(TreeQuarantined(key: treeKey(key), reason: error.starts)))
        return
      } else {
        didFail(key, error, isTrouble: error.isOfRecord)
      }
      opening.result.set(.failure(error))
    }
  }

  /// Tries again later to open a tree that is due, has failed, or may be claimed, unless it has a reopening already, does not
  /// exist, belongs to another process, or has an ID that the store can't hold.
  ///
  /// - Parameter error: why it was not opened.
  private func openLater(_ key: Key, _ error: any Error) {
    guard !error.isOfRecord, error.storeError?.isPermanent != true else { return }
    let attempts: Int? = state.withLock { state in
      if error is TreeAbsent || error is TreeElsewhere || error is LaterSchema || error is TreeQuarantined {
        state.attempts[key] = nil
        return nil
      }
      guard state.reopenings[key] == nil else { return nil }
      state.attempts[key, default: 0] += 1
      return state.attempts[key]
    }
    guard let attempts else { return }
    var random = SystemRandomNumberGenerator()
    reopen(key, after: configuration.backoff.pause(before: attempts, using: &random))
  }

  /// Makes a call of the store before which it may have claimed a tree, or during which.
  ///
  /// If it fails, the store may keep the tree for this process, which does not have it: no process would find it due. So
  /// `run()` opens it.
  private func whileClaimed<Value>(_ key: Key, _ call: () async throws -> Value) async throws -> Value {
    do { return try await call() } catch {
      openLater(key, error)
      throw error
    }
  }

  private func makeHost(
    for key: Key, _ opening: Opening<Root>
  ) async throws -> (TreeHost<Root>, TreeWriter?, ClaimedLease?, saved: SavedRecord?) {
    guard let (writer, claimed, saved) = try await claim(key) else {
      return (try await makeHost(of: key.id, from: nil, nil, for: opening), nil, nil, nil)
    }
    guard let storage, let starts = saved?.unfinishedStarts.flatMap({ startsOfOthers(key, $0) }) else {
      let host = try await makeHost(for: key, opening, writer, saved)
      return (host, writer, claimed, saved)
    }
    // If the store fails before the start, the tree stays claimed: a release would forget its starts.
    guard starts.count < configuration.quarantineAfter else {
      try await whileClaimed(key) { try await storage.store.note([writer.start(.quarantined)]) }
      throw QuarantinedInStore(starts: starts)
    }
    let next = UnfinishedStarts(
      count: starts.count + 1, last: "\(claimed.lease.owner) at \(Date.now.formatted(.iso8601))")
    // Until the store knows better: a start that fails has not ended this process.
    state.withLock { $0.startsOfOthers[key] = starts }
    let host = try await startAlone(key, writer, in: storage, starts, next) {
      let host = try await self.makeHost(for: key, opening, writer, saved)
      // The first steps of what the activation has started run before this.
      try? await host.perform { _ in }
      return host
    }
    return (host, writer, claimed, saved)
  }

  /// The unfinished starts of a tree without those of this process, which lives; nil if there are none.
  private func startsOfOthers(_ key: Key, _ starts: UnfinishedStarts) -> UnfinishedStarts? {
    guard let known = state.withLock({ $0.startsOfOthers[key] }) else { return starts }
    return starts.count <= known.count ? starts : known.count == 0 ? nil : known
  }

  private func makeHost(
    for key: Key, _ opening: Opening<Root>, _ writer: TreeWriter, _ saved: SavedRecord?
  ) async throws -> TreeHost<Root> {
    do {
      if saved == nil { guard case .call = opening.purpose else { throw TreeAbsent() } }
      let document = try saved.map { try SavedTree($0.document) }
      return try await makeHost(of: key.id, from: document, writer, for: opening)
    } catch {
      // Another process may be able to open the tree, such as one of a later version. Callers don't wait for this: if
      // the tree is claimed again before, the release is fenced and has no effect.
      Task.detached { try? await writer.release(isAwake: saved?.isAwake ?? false, wakes: saved?.wakes) }
      throw error
    }
  }

  /// Starts a tree whose last start may have ended its process.
  ///
  /// Many trees are started at the same time, and all that were on their way are suspects when the process ends. So each
  /// suspect is started while no other one is, and only such a start counts: the tree that ends the process again is the
  /// only one whose count grows.
  private func startAlone<Value: Sendable>(
    _ key: Key, _ writer: TreeWriter, in storage: DirectoryStorage, _ starts: UnfinishedStarts,
    _ next: UnfinishedStarts, _ start: @Sendable () async throws -> Value
  ) async throws -> Value {
    // A process that is ended soon after it was started, again and again, would otherwise end the start of the same tree.
    let rest = TreeDirectory.shortestLife - now()
    if starts.count > 1, rest > .zero { try await configuration.clock.sleep(for: rest) }
    try await suspects.enter()
    let isOver = Locked(false)
    let leave: @Sendable () -> Void = { [suspects] in
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { suspects.leave() }
    }
    let timer = Task.detached { [clock = configuration.clock, limit = TreeDirectory.longestStart] in
      try? await clock.sleep(for: limit)
      guard !Task.isCancelled else { return }
      // A start that hangs does not end the process, and must not hold up the other suspects.
      try? await storage.store.note([writer.start(.begins(starts))])
      leave()
    }
    defer {
      timer.cancel()
      leave()
    }
    do {
      try await whileClaimed(key) { try await storage.store.note([writer.start(.begins(next))]) }
    } catch {
      // The note may have been written, and nothing was started.
      try? await storage.store.note([writer.start(.begins(starts))])
      throw error
    }
    let result: Result<Value, any Error>
    do { result = .success(try await start()) } catch { result = .failure(error) }
    await noteStarted(key, writer, in: storage)
    return try result.get()
  }

  /// Notes that the process has survived the start of a tree. If that fails, the next round of `run()` repeats it.
  private func noteStarted(_ key: Key, _ writer: TreeWriter, in storage: DirectoryStorage) async {
    guard !writer.hasStarted.load(ordering: .relaxed) else { return }
    let isNoted = (try? await storage.store.note([writer.start(.succeeded)])) != nil
    if isNoted { writer.hasStarted.store(true, ordering: .relaxed) }
    state.withLock { $0.startsOfOthers[key] = isNoted ? nil : UnfinishedStarts(count: 0) }
  }

  /// Makes this process the only writer of a tree; nil without a store.
  private func claim(_ key: Key) async throws -> (writer: TreeWriter, claimed: ClaimedLease, saved: SavedRecord?)? {
    guard let storage else { return nil }
    let treeKey = treeKey(key)
    var claimed = ClaimedLease(state.withLock { $0.lease })
    var failure: (any Error)?
    // Without a lease another owner could claim the tree right after this one, and calls that only read would not notice.
    // Twice, because a lease that can't be revived is replaced.
    for _ in 0..<2 where failure == nil && !claimed.lease.holds(at: now.inNanoseconds()) {
      failure = await renewLease(in: storage)
      claimed = ClaimedLease(state.withLock { $0.lease })
    }
    guard claimed.lease.holds(at: now.inNanoseconds()) else { throw failure ?? LeaseNotHeld() }
    let claim = try await whileClaimed(key) { [owner = claimed.lease.owner] in
      try await storage.store.claim(treeKey, by: owner, schema: storage.schema)
    }
    switch claim {
    case .elsewhere(let address):
      throw TreeElsewhere(key: treeKey, address: TreeOwner.address(address, of: treeKey.kind))
    case .laterSchema(let schema): throw LaterSchema(key: treeKey, saved: schema, known: storage.schema)
    case .quarantined(let starts): throw QuarantinedInStore(starts: starts)
    case .claimed(let fence, let saved):
      let writer = TreeWriter(
        treeKey, fence: fence, version: saved?.version ?? 0, schema: storage.schema, storage.coder, storage.queue
      ) { [weak self] untaken in self?.report(.restoredWithout(key.id, untaken)) }
      return (writer, claimed, saved)
    }
  }

  /// Refuses an ID whose tree would be stored under several keys.
  ///
  /// Equal IDs must have equal texts. Of all texts that an equal ID could have, those in another case are tried here.
  func checkText(of id: ID) throws {
    guard hasManyTexts else { return }
    let text = id.description
    guard ID(text) == id else { throw AmbiguousID(text: text, otherText: nil) }
    for variant in [text.lowercased(), text.uppercased()] where variant != text {
      guard let other = ID(variant), other == id, other.description != text else { continue }
      throw AmbiguousID(text: text, otherText: other.description)
    }
  }

  /// Refuses a call of a tree that is awake under another text of an equal ID.
  @usableFromInline
  func checkText(of key: Key, _ tree: OpenTree<Root>) throws {
    guard let writer = tree.writer, writer.key != treeKey(key) else { return }
    throw AmbiguousID(text: key.id.description, otherText: writer.key.id)
  }

  func treeKey(_ key: Key) -> TreeKey { TreeKey(kind: kind, id: key.id.description) }

  // MARK: The limit

  /// Counts a tree that is opened. If the limit is reached, ends the tree that has been idle for the longest time.
  private func reserve(for purpose: OpeningPurpose) async throws {
    while true {
      let endings = endings.load(ordering: .acquiring)
      var count = awakeCount.load(ordering: .relaxed)
      while count < configuration.limit {
        let (isReserved, current) = awakeCount.weakCompareExchange(
          expected: count, desired: count + 1, ordering: .relaxed)
        if isReserved { return }
        count = current
      }
      guard await makeRoom(since: endings) else {
        // A tree that no call waits for comes later.
        if !purpose.isRecovery { report(.full) }
        throw DirectoryFull(limit: configuration.limit)
      }
    }
  }

  /// Ends a tree that is idle, or waits for the end of one that is being ended.
  ///
  /// The code of a tree may hang, and so may its save. So this waits for each tree no longer than a moment, and ends another
  /// one.
  ///
  /// - Parameter count: the number of `endings` before the limit was found to be reached.
  /// - Returns: false if no tree is idle, none has ended in time, or the calling task is cancelled.
  func makeRoom(since count: Int) async -> Bool {
    let firstCheck = idleChecks.load(ordering: .acquiring)
    var late = 0
    if await endCandidate(firstCheck, since: count, &late) { return true }
    // Other calls that are refused at the same time begin too, so that one of them searches for all.
    await Task.yield()
    if failedSearch.load(ordering: .acquiring) > firstCheck { return endings.load(ordering: .acquiring) != count }
    // Calls that begin after this search don't use its result.
    idleChecks.add(1, ordering: .acquiringAndReleasing)
    let found = findCandidates()
    keepCandidates(found[...])
    if await endCandidate(firstCheck, since: count, &late) { return true }
    // The oldest may all have work, and other calls make room at the same time. So it tries each tree itself.
    for index in found.indices.reversed() {
      let (key, tree, _) = found[index]
      guard late < TreeDirectory.largestNumberOfLateEnds else { return false }
      guard tree.isWorthCheck(since: firstCheck) else { continue }
      if await closeInTime(key, tree, since: count, &late) {
        keepCandidates(found[..<index])
        return true
      }
      if index % 64 == 0 { await Task.yield() }
    }
    if endings.load(ordering: .acquiring) == count { await waitForEnding(since: count) }
    let madeRoom = endings.load(ordering: .acquiring) != count
    if !madeRoom, !Task.isCancelled { failedSearch.max(firstCheck + 1, ordering: .acquiringAndReleasing) }
    return madeRoom
  }

  /// - Parameter firstCheck: the number of idle checks when the call began.
  private func endCandidate(_ firstCheck: UInt64, since count: Int, _ late: inout Int) async -> Bool {
    while late < TreeDirectory.largestNumberOfLateEnds,
      let (key, tree, use) = state.withLock({ $0.candidates.popLast() })
    {
      guard tree.lastUse.load(ordering: .relaxed) == use, tree.isWorthCheck(since: firstCheck) else { continue }
      if await closeInTime(key, tree, since: count, &late) { return true }
    }
    return false
  }

  /// Ends a tree if it is idle.
  ///
  /// - Parameter late: increases if the tree does not end in time.
  /// - Returns: whether it, or another one meanwhile, has ended.
  private func closeInTime(_ key: Key, _ tree: OpenTree<Root>, since count: Int, _ late: inout Int) async -> Bool {
    // Before another task runs, so that calls which search at the same time check different trees.
    guard let (closed, check) = beginIdleCheck(key, tree) else { return false }
    let answer = Promise<Bool?>()
    Task.detached { answer.set(await self.closeIfIdle(key, tree, closed, check)) }
    if let isEnded = await inTime(answer) { return isEnded }
    late += 1
    return endings.load(ordering: .acquiring) != count
  }

  /// Waits until one of the trees that are being ended has ended, or all have turned out not to be idle.
  private func waitForEnding(since count: Int) async {
    let ends = table.entries.compactMap { _, entry in
      if case .closing(let closed, _?) = entry { closed.end } else { nil }
    }
    guard !ends.isEmpty else { return }
    let answer = Promise<Void?>()
    let rest = Locked(ends.count)
    let handlers = ends.map { end in
      end.whenSet { [self] in
        let isLast = rest.withLock { rest in
          rest -= 1
          return rest == 0
        }
        if isLast || endings.load(ordering: .acquiring) != count { answer.set(()) }
      }
    }
    _ = await inTime(answer)
    for (end, handler) in zip(ends, handlers) { if let handler { end.remove(handler) } }
  }

  /// The value of a promise of the caller; nil if it is not set in time, or the calling task is cancelled.
  private func inTime<Value>(_ answer: Promise<Value?>) async -> Value? {
    let timer = StartedTimer(on: configuration.clock, after: TreeDirectory.longestEnd, executor: nil) {
      answer.set(nil)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      answer.set(nil)
    }
  }

  /// Finds the trees that no call uses, those that were not used for the longest time last.
  func findCandidates() -> [TreeCandidate<ID, Root>] {
    var candidates: [TreeCandidate<ID, Root>] = []
    for case (let key, .open(let tree)) in table.entries where tree.calls.load(ordering: .relaxed) == 0 {
      candidates.append((key, tree, tree.lastUse.load(ordering: .relaxed)))
    }
    candidates.sort { $0.use > $1.use }
    return candidates
  }

  /// Keeps the last candidates for other calls: many, because finding them takes time in proportion to the number of trees.
  private func keepCandidates(_ candidates: ArraySlice<TreeCandidate<ID, Root>>) {
    let kept = Array(candidates.suffix(max(64, candidates.count / 16)))
    state.withLock { $0.candidates = kept }
  }

  // MARK: Closing

  /// Ends a tree that no call uses, if it is idle.
  ///
  /// - Returns: whether it was ended.
  @discardableResult
  private func closeIfIdle(_ key: Key, _ tree: OpenTree<Root>) async -> Bool {
    guard let (closed, check) = beginIdleCheck(key, tree) else { return false }
    return await closeIfIdle(key, tree, closed, check)
  }

  /// Begins to end a tree if no call uses it.
  private func beginIdleCheck(_ key: Key, _ tree: OpenTree<Root>) -> (closed: Closing, check: UInt64)? {
    guard let (_, closed) = table.beginClosing(key, tree.number, ifUnused: true) else { return nil }
    return (closed, idleChecks.add(1, ordering: .acquiringAndReleasing).newValue)
  }

  private func closeIfIdle(_ key: Key, _ tree: OpenTree<Root>, _ closed: Closing, _ check: UInt64) async -> Bool {
    // Without a store nothing could wake it.
    let (isEnded, wakes) = await tree.host.home.endIfIdle(alsoAsleep: tree.isStored)
    guard isEnded else {
      tree.lastBusyCheck.store(check, ordering: .releasing)
      table.update(key) { entry, _ in entry = .open(tree) }
      closed.end.set(())
      // Handlers that were called meanwhile found the tree closing, and did nothing.
      if tree.writer?.fenced.current != nil || tree.lease?.isLost == true { treeWasFenced(key, tree.number) }
      if !tree.host.isActive { treeDidEnd(key, tree.number, await tree.host.ended) }
      return false
    }
    let isReleased = await release(tree, isAwake: false, wakes: wakes)
    await tree.host.shutdown()
    finishClosing(key, closed, isReleased ? .passivated(key.id) : .fenced(key.id))
    return true
  }

  /// - Returns: false if the tree has another owner.
  func release(_ tree: OpenTree<Root>, isAwake: Bool, wakes: WallTime?) async -> Bool {
    guard let writer = tree.writer else { return true }
    do {
      try await writer.release(isAwake: isAwake, wakes: wakes)
      return true
    } catch {
      return !(error is TreeElsewhere)
    }
  }

  /// Frees the place of a tree under the limit. Called before its entry changes.
  private func didEndTree() {
    awakeCount.subtract(1, ordering: .relaxed)
    // After the place is free: a call that finds neither the tree nor its place finds that this has changed.
    endings.add(1, ordering: .releasing)
  }

  func finishClosing(_ key: Key, _ closed: Closing, _ event: DirectoryEvent<ID>) {
    // Before the entry goes, after which a shutdown may return.
    didEndTree()
    table.update(key) { entry, failures in
      treeWillSleep(entry, key)
      (entry, failures) = (nil, 0)
    }
    closed.end.set(())
    report(event)
  }

  /// Called when a tree has ended by itself, or by its host.
  private func treeDidEnd(_ key: Key, _ number: UInt64, _ reason: TreeEnded.Reason) {
    guard let (tree, closed) = table.beginClosing(key, number, ifUnused: false) else { return }
    Task.detached { await self.close(key, tree, closed, reason) }
  }

  private func close(_ key: Key, _ tree: OpenTree<Root>, _ closed: Closing, _ reason: TreeEnded.Reason) async {
    let (_, wakes, unsaved) = await tree.host.home.endSaving()
    let lastSave = await unsaved?.answer.value
    switch reason {
    case .failed(let failure): await fail(key, tree, closed, failure)
    case .notRestored(let error): await fail(key, tree, closed, error)
    case .shutDown, .requested, .released, .refused:
      // Its last changes are lost, as with a failure: it must not sleep in a state that it was to leave.
      if case .failure(let error)? = lastSave, !(error is TreeElsewhere), !(error is SaveAbandoned) {
        return await fail(key, tree, closed, error)
      }
      // An operator who shuts it down delays its work until the next call, and what sleeps until its time. A tree that has
      // ended by itself is not woken.
      let isReleased = await release(tree, isAwake: false, wakes: wakes)
      finishClosing(key, closed, isReleased ? .ended(key.id, reason) : .fenced(key.id))
    }
  }

  private func fail(_ key: Key, _ tree: OpenTree<Root>, _ closed: Closing, _ error: any Error) async {
    // It stays claimed, and its process has not ended.
    if let storage, let writer = tree.writer { await noteStarted(key, writer, in: storage) }
    if now() - tree.openingTime > TreeDirectory.trialPeriod { table.update(key) { _, failures in failures = 0 } }
    didEndTree()
    didFail(key, error, isTrouble: true)
    closed.end.set(())
  }

  /// Records a failure of a tree. If the tree itself is the cause, opens it again later or quarantines it.
  ///
  /// - Parameter isTrouble: whether the tree itself is the cause, rather than its builder or the store.
  private func didFail(_ key: Key, _ error: any Error, isTrouble: Bool) {
    let failures: Int = table.update(key) { entry, failures in
      treeWillSleep(entry, key)
      entry = nil
      guard isTrouble, storage != nil else { return 0 }
      failures += 1
      if failures >= configuration.quarantineAfter { entry = .quarantined(error) }
      return failures
    }
    report(.failed(key.id, error))
    if failures >= configuration.quarantineAfter { return report(.quarantined(key.id, error)) }
    guard failures > 0 else { return }
    var random = SystemRandomNumberGenerator()
    reopen(key, after: configuration.backoff.pause(before: failures, using: &random))
  }

  /// Ends a tree that another owner has claimed.
  func treeWasFenced(_ key: Key, _ number: UInt64) {
    guard let (tree, closed) = table.beginClosing(key, number, ifUnused: false) else { return }
    Task.detached {
      await tree.host.endUnsaved()
      self.finishClosing(key, closed, .fenced(key.id))
    }
  }
}

/// The error of a claim that was not made, because the answers to the last renewals of the lease came too late. The store has
/// not said who owns the tree.
private struct LeaseNotHeld: Error {
}

/// The error of the claim of a tree that is quarantined in the store.
private struct QuarantinedInStore: Error {
  let starts: UnfinishedStarts
}

extension Error {
  /// Whether the cause is the record of a tree, which stays as it is, rather than the store or the builder.
  fileprivate var isOfRecord: Bool {
    let cause = (self as? StoreFailure)?.reason ?? self
    return switch cause as? FileStoreError {
    case .damaged, .laterFormat: true
    default: cause is SavedTree.RestoreError
    }
  }
}

/// Removing trees.
extension TreeDirectory {
  /// Removes a tree: ends it without saving it, and removes its record from the store.
  ///
  /// The next call builds a new tree. The timeout and the cancellation of the calling task end only the wait: a removal
  /// that has begun continues when the tree's code returns.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - timeout: how long to wait, on the clock of the directory; nil to wait as long as it takes.
  /// - Throws: `TreeElsewhere`, `LaterSchema`, `DirectoryEnded`, `SaveAbandoned`; `CircularOpening` if the tree's own
  ///   builder makes the call; the error of the store if the tree was not awake; `TreeUnanswered` at the timeout; a
  ///   `CancellationError` if the calling task is cancelled.
  public nonisolated(nonsending) func remove(_ id: ID, timeout: Duration? = .seconds(30)) async throws {
    let key = Key(id)
    guard let timeout else { return try await remove(key) }
    try await wait(for: key, atMost: timeout) { try await self.remove(key) }
  }

  private nonisolated(nonsending) func remove(_ key: Key) async throws {
    while true {
      switch try beginRemoval(key) {
      case .begun(let tree, let closed, let quarantine):
        let answer = Promise<Result<Void, any Error>>()
        Task.detached { await self.remove(key, tree, closed, quarantine, answer) }
        return try await answer.result()
      case .opening(let opening):
        let task = try willWait(for: opening, key)
        defer { didWait(by: task) }
        _ = try await opening.result.valueUnlessCancelled()
      case .closing(let closed): try await closed.end.valueUnlessCancelled()
      }
    }
  }

  /// What a removal puts back if it fails.
  private struct Quarantine: Sendable {
    let error: any Error
    let failures: Int
  }

  private enum Removal: Sendable {
    /// - Parameters:
    ///   - tree: nil if the tree is not awake.
    ///   - closed: to be fulfilled when the removal has ended.
    ///   - quarantine: nil if the tree is not quarantined.
    case begun(OpenTree<Root>?, Closing, Quarantine?)
    case opening(Opening<Root>)
    case closing(Closing)
  }

  private func beginRemoval(_ key: Key) throws -> Removal {
    try table.update(key) { entry, failures in
      var tree: OpenTree<Root>?
      var quarantine: Quarantine?
      switch entry {
      case .opening(let opening): return .opening(opening)
      case .closing(let closed, _): return .closing(closed)
      case .open(let open):
        try checkText(of: key, open)
        tree = open
      case .quarantined(let error): quarantine = Quarantine(error: error, failures: failures)
      case nil: if storage != nil { try checkText(of: key.id) }
      }
      guard !isEnded.load(ordering: .sequentiallyConsistent) else { throw DirectoryEnded() }
      let closed = Closing()
      (entry, failures) = (.closing(closed, tree), 0)
      return .begun(tree, closed, quarantine)
    }
  }

  private func claimForRemoval(_ key: Key) async throws -> TreeWriter? {
    do {
      do { return try await claim(key)?.writer } catch is QuarantinedInStore {
        try await storage?.store.retry(treeKey(key))
        retries.add(1, ordering: .sequentiallyConsistent)
        return try await claim(key)?.writer
      }
    } catch is LeaseNotHeld { throw TreeElsewhere(key: treeKey(key), address: "") }
  }

  private func remove(
    _ key: Key, _ tree: OpenTree<Root>?, _ closed: Closing, _ quarantine: Quarantine?,
    _ answer: Promise<Result<Void, any Error>>
  ) async {
    let result: Result<Void, any Error>
    do {
      if let tree {
        await tree.host.endUnsaved()
        // A save that has begun would bring the record back.
        _ = await tree.host.home.endSaving().unsaved?.answer.value
      }
      let writer = if let tree { tree.writer } else { try await claimForRemoval(key) }
      try await writer?.remove()
      result = .success(())
    } catch {
      result = .failure(error)
    }
    if tree != nil { didEndTree() }
    let isRemoved = if case .success = result { true } else { false }
    table.update(key) { entry, failures in
      entry = isRemoved ? nil : quarantine.map { .quarantined($0.error) }
      failures = isRemoved ? 0 : quarantine?.failures ?? 0
      // While the table is locked: the next tree of the ID may have a reopening of its own.
      if isRemoved { state.withLock { $0.forgetReopening(of: key) } }
    }
    closed.end.set(())
    if isRemoved {
      endFollowers(of: key)
      report(.removed(key.id))
    }
    answer.set(result)
  }
}
