// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
public import Synchronization

/// A registry of trees by ID, which creates, restores, passivates and ends them.
///
/// ```swift
/// let sessions = TreeDirectory { (id: Int) in RootBuilder(dependency: AppComponent()).build() }
/// let total = try await sessions.perform(on: 17) { root in root.interactor.total }
/// print(total)
/// ```
///
/// The first call of an ID builds its tree. Calls that arrive meanwhile wait for it, so there is never more than one tree
/// of an ID.
///
/// With a store, trees survive the process. The changes of a call are saved before the call returns, and the next call
/// restores a tree that is not awake:
///
/// ```swift
/// let sessions = TreeDirectory("session", in: try FileStore(directory: "sessions")) { (id: Int) in
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// let running = Task { await sessions.run() }
/// print(sessions.count)
/// running.cancel()
/// ```
///
/// - A new tree is not written before it changes or its bound work runs, because the next launch builds the same tree.
/// - The changes of a call that has returned survive a crash of the process. Other changes survive once they are saved; the
///   save begins after the turn that made them.
/// - A tree that was awake when the process died is restored by `run()`. Its bound work starts again, from its state.
/// - A tree is *idle* when no call uses it, no bound work runs in it, no reader outside follows its values, and all its
///   changes are saved. The directory ends idle trees after `DirectoryConfiguration.idleAfter`, and to stay within
///   `DirectoryConfiguration.limit`. A call that arrives meanwhile waits, and opens the tree again.
/// - A tree whose bound work only sleeps until a time is idle, too. It is saved with the time, takes no memory and no place
///   under the limit, and is woken by `run()` in any process when the time has come.
/// - A tree that has failed is restored as it was last saved, by the next call or by `run()`. If it fails within a minute,
///   or can't be restored, three times in a row, it is quarantined, because another attempt would fail too.
/// - A tree whose activation ends the process three times in a row is quarantined in the store, for all processes.
///
/// See <doc:TreesByKey>.
public final class TreeDirectory<ID: Hashable & Sendable & LosslessStringConvertible, Root>: Sendable {
  @usableFromInline typealias Key = DirectoryTable<ID, Root>.Key

  /// The kind of the trees, which is part of their keys in the store.
  public let kind: String
  let configuration: DirectoryConfiguration
  let storage: DirectoryStorage?
  @usableFromInline let table: DirectoryTable<ID, Root>
  let now: Stopwatch
  /// The number of trees that are awake, opening or closing.
  let awakeCount = Atomic(0)
  /// Counts the trees that have ended.
  let endings = Atomic(0)
  /// Advances with each opening and each round, to order the uses of trees.
  @usableFromInline let uses = Atomic<UInt64>(1)
  /// Whether each call counts as a use of its own, because the limit ends the least recently used trees first.
  @usableFromInline let ordersUses: Bool
  /// Whether a tree ends right after its last call.
  @usableFromInline let endsUnusedTrees: Bool
  /// Whether equal IDs can have different texts. Those of strings are normalized, and integers have one each.
  @usableFromInline let hasManyTexts: Bool
  /// The number of calls of `run()` that have not returned.
  let runs = Atomic(0)
  /// Whether a shutdown has begun. No tree is opened afterwards.
  let isEnded = Atomic(false)
  let state: Locked<DirectoryState<ID, Root>>
  /// The number of tasks in `OpeningWaits`, so that calls with a timeout rarely lock the state.
  let buildingCount = Atomic(0)
  /// Bounds the trees that `run()` opens at the same time.
  let recoveries: AsyncLimit
  /// Starts trees one at a time whose last start may have ended its process, so that a tree that does is found.
  let suspects = AsyncLimit(1)
  /// Counts the searches for idle trees, and how often a tree was checked for being idle.
  let idleChecks = Atomic<UInt64>(0)
  /// One more than the number of idle checks when the last call began whose search has found no idle tree.
  let failedSearch = Atomic<UInt64>(0)
  /// Counts the calls that were refused because too many wait.
  let refusedCalls = Atomic(0)
  /// Counts the trees that were retried in the store.
  let retries = Atomic(0)
  private let treeConfiguration: @Sendable (ID) -> TreeConfiguration
  private let makeHost: @Sendable (ID, SavedTree?, TreeConfiguration) async throws -> TreeHost<Root>
  private let onEvent: (@Sendable (DirectoryEvent<ID>) -> Void)?

  private init(
    _ kind: String, _ store: (any TreeStore)?, _ schema: Int, _ coder: any SavedTree.Coder,
    _ configuration: DirectoryConfiguration, _ treeConfiguration: @escaping @Sendable (ID) -> TreeConfiguration,
    _ onEvent: (@Sendable (DirectoryEvent<ID>) -> Void)?,
    _ makeHost: @escaping @Sendable (ID, SavedTree?, TreeConfiguration) async throws -> TreeHost<Root>
  ) {
    self.kind = kind
    self.configuration = configuration
    table = DirectoryTable(callLimit: configuration.callLimit)
    // Calls need some of the limit, too.
    recoveries = AsyncLimit(min(configuration.opensAtOnce, max(configuration.limit / 4, 1)))
    ordersUses = configuration.limit < .max
    endsUnusedTrees = configuration.idleAfter == .zero
    hasManyTexts = ID.self != String.self && !(ID.self is any FixedWidthInteger.Type)
    self.treeConfiguration = treeConfiguration
    self.makeHost = makeHost
    self.onEvent = onEvent
    now = Stopwatch(on: configuration.clock)
    let report: @Sendable (DirectoryEvent<ID>) -> Void = { TreeDirectory.report($0, kind, onEvent) }
    storage = store.map { store in
      let queue = SaveQueue(store, configuration) { failure in
        report(failure.map { .storeFailed($0) } ?? .storeRecovered)
      }
      return DirectoryStorage(store: store, schema: schema, coder: coder, queue: queue)
    }
    let owner = TreeOwner(address: configuration.address, of: kind)
    state = Locked(DirectoryState(lease: Lease(owner, isRequired: store?.isShared == true)))
  }

  deinit { storage?.queue.abandon() }

  // MARK: Calls

  /// When a call is answered.
  public enum Answering: Sendable {
    /// When all changes of the tree so far are saved, so that they survive a crash of the process.
    ///
    /// A tree has changed if a RIB was attached or detached, or `setNeedsSave()` was called. Children that the launch of a
    /// new tree attaches are no change unless its bound work runs, because the next launch attaches them again.
    case whenSaved
    /// As soon as the closure has returned, before its changes are saved.
    case atOnce
  }

  /// Runs a closure on the tree of an ID, which is restored or built if it is not awake.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - answering: when this returns. Without a store it makes no difference.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router, and returns the values that leave the tree. It runs without interruption.
  /// - Returns: the closure's result.
  /// - Throws: the closure's error. If the call was not made: the error of the builder; a `SavedTree.RestoreError`;
  ///   `TreeElsewhere`, `LaterSchema`, `TreeQuarantined`, `TreeBusy`, `DirectoryFull` or `DirectoryEnded`; the error of the
  ///   store;
  ///   `AmbiguousID`, or `CircularOpening` if a builder makes the call;
  ///   `TreeEnded` or `TreeFailure` if the tree ended before; a `CancellationError` if the calling task was cancelled
  ///   while the tree was opened. If the call was made and changed nothing, and the lease has ended: `TreeElsewhere`, or the
  ///   error of the store if it can't renew the lease. If the call was made and what it changed may be lost: `TreeElsewhere`,
  ///   `SaveAbandoned`, `TreeEnded`, `TreeFailure`, the error of the coder, or a `CancellationError`. As long as the
  ///   coder can't encode a state, calls that only read throw its error, too.
  @inlinable
  public nonisolated(nonsending) func perform<Value: Sendable>(
    on id: ID, answering: Answering = .whenSaved, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @Sendable (Root) throws -> Value
  ) async throws -> Value {
    let key = Key(id)
    let tree = if let tree = table.enterIfOpen(key) { tree } else { try await enter(key) }
    return try await perform(in: tree, key, answering, fileID, line, body)
  }

  /// Runs a closure on the tree of an ID, if there is one: it is awake, or it is restored from the store.
  ///
  /// Use it for requests that only read, and for those that need an existing tree. A call of an unknown ID builds no tree
  /// and leaves nothing in the store, so that clients who guess IDs can't fill it.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - answering: when this returns. Without a store it makes no difference.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router, and returns the values that leave the tree. It runs without interruption.
  /// - Returns: the closure's result; nil if the tree does not exist.
  /// - Throws: what `perform(on:)` throws.
  @inlinable
  public nonisolated(nonsending) func perform<Value: Sendable>(
    onExisting id: ID, answering: Answering = .whenSaved, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @Sendable (Root) throws -> Value
  ) async throws -> Value? {
    let key = Key(id)
    let found: OpenTree<Root>? = if let tree = table.enterIfOpen(key) { tree } else { try await enterIfStored(key) }
    guard let tree = found else { return nil }
    return try await perform(in: tree, key, answering, fileID, line, body)
  }

  /// Runs a closure on a tree that a call has entered.
  @inlinable
  nonisolated(nonsending) func perform<Value: Sendable>(
    in tree: OpenTree<Root>, _ key: Key, _ answering: Answering, _ fileID: StaticString, _ line: UInt,
    _ body: @Sendable (Root) throws -> Value
  ) async throws -> Value {
    defer { leave(tree, key) }
    do {
      if hasManyTexts { try checkText(of: key, tree) }
      guard tree.isStored, case .whenSaved = answering else {
        return try await tree.host.perform(fileID: fileID, line: line, body)
      }
      let (result, unsaved) = try await tree.host.performUnsaved(fileID: fileID, line: line, body)
      if unsaved != nil || !isOwned(tree) { try await settle(unsaved, of: tree, key) }
      return try result.get()
    } catch {
      throw cause(of: error, tree, key)
    }
  }

  /// The error of a call whose tree has ended: `TreeElsewhere` if it ended because another owner may have claimed it.
  @usableFromInline
  func cause(of error: any Error, _ tree: OpenTree<Root>, _ key: Key) -> any Error {
    error is TreeEnded && !isOwned(tree) ? TreeElsewhere(key: treeKey(key), address: "") : error
  }

  @inlinable
  func leave(_ tree: OpenTree<Root>, _ key: Key) {
    // Uses are counted one by one only if their order matters, because all threads share the count.
    let use = ordersUses ? uses.add(1, ordering: .relaxed).newValue : uses.load(ordering: .relaxed)
    tree.lastUse.store(use, ordering: .relaxed)
    let calls = tree.calls.subtract(1, ordering: .releasing).newValue
    if calls == 0, endsUnusedTrees { endSoon(tree, key) }
  }

  /// Runs a closure on the tree of an ID that starts work or binds a subscription, and discards the handle.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - answering: when this returns. Without a store it makes no difference.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router. It runs without interruption.
  /// - Throws: what the form that returns a value throws.
  public nonisolated(nonsending) func perform<Handle: Disposable & SendableMetatype>(
    on id: ID, answering: Answering = .whenSaved, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @Sendable (Root) throws -> Handle
  ) async throws {
    try await perform(on: id, answering: answering, fileID: fileID, line: line) { root in _ = try body(root) }
  }

  /// The host of the tree of an ID, which is restored or built if it is not awake.
  ///
  /// Use it for `TreeHost.values` and asynchronous calls, which `perform(on:)` does not offer. Calls of the host return
  /// before their changes are saved. Don't keep the host, because passivation ends it with its tree; call this function
  /// again instead.
  ///
  /// - Throws: the errors of a call that was not made; see `perform(on:)`.
  public nonisolated(nonsending) func host(for id: ID) async throws -> TreeHost<Root> {
    let key = Key(id)
    let tree = if let tree = table.enterIfOpen(key) { tree } else { try await enter(key) }
    defer { leave(tree, key) }
    if hasManyTexts { try checkText(of: key, tree) }
    return tree.host
  }

  /// The host of the tree of an ID, if there is one: it is awake, or it is restored from the store.
  ///
  /// - Returns: nil if the tree does not exist.
  /// - Throws: the errors of a call that was not made; see `perform(on:)`.
  public nonisolated(nonsending) func host(forExisting id: ID) async throws -> TreeHost<Root>? {
    let key = Key(id)
    let found: OpenTree<Root>? = if let tree = table.enterIfOpen(key) { tree } else { try await enterIfStored(key) }
    guard let tree = found else { return nil }
    defer { leave(tree, key) }
    if hasManyTexts { try checkText(of: key, tree) }
    return tree.host
  }

  /// The host of the tree of an ID, if it is awake. Opens no tree, and is no use of it: for operators, who look at trees or
  /// end them. A tree whose host is shut down stays ended until the next call, or until its work that slept must wake.
  public func host(ifAwake id: ID) -> TreeHost<Root>? { table.awakeTree(Key(id))?.host }

  // MARK: Trees

  /// The IDs of the trees that are awake, in no order.
  public var ids: [ID] { table.entries.compactMap { key, entry in entry.awakeTree == nil ? nil : key.id } }

  /// The number of trees that are awake, including those that are being opened or ended.
  public var count: Int { awakeCount.load(ordering: .relaxed) }

  /// The quarantined trees, with their last errors.
  ///
  /// A tree with `UnfinishedStarts` is quarantined in the store, for all processes. It is listed once `run()` or a call has
  /// found it there.
  public var quarantined: [ID: any Error] {
    var errors: [ID: any Error] = [:]
    for case (let key, .quarantined(let error)) in table.entries { errors[key.id] = error }
    return errors
  }

  /// Ends the quarantine of a tree: the next call, or `run()`, tries to restore it. A no-op for other trees.
  ///
  /// If the tree is quarantined in the store, call it in any process. Calls of the tree that arrive meanwhile wait. If the
  /// store fails, the directory reports `DirectoryEvent.storeFailed`, and the tree stays quarantined. Other processes see
  /// the change in the next round of `run()`.
  public func retry(_ id: ID) {
    let key = Key(id)
    let closed = Closing()
    let found: Quarantined = table.update(key) { entry, failures in
      var reason: (any Error)?
      switch entry {
      case .quarantined(let error)?: reason = error
      // Another process may have quarantined it, and `run()` has not found it yet.
      case nil: break
      default: return .nowhere
      }
      failures = 0
      if let reason, !(reason is UnfinishedStarts) {
        entry = nil
        return .here
      }
      guard storage != nil, !isEnded.load(ordering: .sequentiallyConsistent) else { return .nowhere }
      entry = .closing(closed, nil)
      return .inStore(reason)
    }
    switch found {
    case .nowhere: break
    case .here: reopen(key, after: .zero)
    case .inStore(let reason): Task.detached { await self.retry(key, reason, closed) }
    }
  }

  private enum Quarantined: Sendable {
    case nowhere, here
    /// - Parameter reason: nil if this process does not know whether it is quarantined.
    case inStore((any Error)?)
  }

  private func retry(_ key: Key, _ reason: (any Error)?, _ closed: Closing) async {
    var failure: (any Error)?
    do { try await storage?.store.retry(treeKey(key)) } catch { failure = error }
    // Before the entry goes: a list that was read before must not bring it back.
    retries.add(1, ordering: .sequentiallyConsistent)
    table.update(key) { entry, _ in entry = failure == nil ? nil : reason.map { .quarantined($0) } }
    closed.end.set(())
    if let failure { return report(.storeFailed(failure)) }
    if reason != nil { reopen(key, after: .zero) }
  }

  func report(_ event: DirectoryEvent<ID>) { TreeDirectory.report(event, kind, onEvent) }

  private static func report(
    _ event: DirectoryEvent<ID>, _ kind: String, _ handler: (@Sendable (DirectoryEvent<ID>) -> Void)?
  ) {
    if let handler { return handler(event) }
    if event.isProblem { writeToStandardError("RIBs: \(kind): \(event)\n") }
  }

  /// Builds or restores a tree.
  func makeHost(
    of id: ID, from saved: SavedTree?, _ writer: TreeWriter?, for opening: Opening<Root>
  ) async throws -> TreeHost<Root> {
    let task = beginBuilding(ObjectIdentifier(opening))
    defer { endBuilding(task) }
    var configuration = treeConfiguration(id)
    if configuration.name == nil { configuration.name = id.description }
    if configuration.watchdog == nil { configuration.watchdog = self.configuration.watchdog }
    if let writer {
      configuration.saving = writer
      configuration.savesNewTree = false
    }
    return try await makeHost(id, saved, configuration)
  }
}

extension TreeDirectory where Root: Routing & SendableMetatype {
  /// Creates a directory.
  ///
  /// - Parameters:
  ///   - kind: the kind of the trees, which is part of their keys in the store. It must not change later.
  ///   - store: stores the trees; nil to have them in memory only, while they are awake.
  ///   - schema: the version of the program's states and routes as a whole. Increase it when an earlier version of the
  ///     program can no longer read them, so that the earlier version refuses the trees with `LaterSchema`.
  ///   - coder: encodes the states and routes.
  ///   - configuration: the settings of the directory.
  ///   - tree: the configuration of each tree. The directory sets its `saving`, and its name and its watchdog if it has none.
  ///   - onEvent: called with each event, on any thread. By default, problems are written to standard error.
  ///   - build: creates the root router of a tree, on the tree's actor. If it throws, the calls that wait for the tree
  ///     receive the error, and the next call tries again.
  public convenience init(
    _ kind: String = "tree", in store: (any TreeStore)? = nil, schema: Int = 1,
    coder: any SavedTree.Coder = JSONStateCoder(), configuration: DirectoryConfiguration = DirectoryConfiguration(),
    tree: @escaping @Sendable (ID) -> TreeConfiguration = { _ in TreeConfiguration() },
    onEvent: (@Sendable (DirectoryEvent<ID>) -> Void)? = nil,
    build: @escaping @Sendable (ID) throws -> Root
  ) {
    self.init(kind, store, schema, coder, configuration, tree, onEvent) { id, saved, configuration in
      try await TreeHost(restoring: saved, by: coder, configuration, build: { try build(id) })
    }
  }

  /// Creates a directory with an asynchronous builder, which runs off the tree's actor and keeps no reference to the router;
  /// see the form with a synchronous one.
  public convenience init(
    _ kind: String = "tree", in store: (any TreeStore)? = nil, schema: Int = 1,
    coder: any SavedTree.Coder = JSONStateCoder(), configuration: DirectoryConfiguration = DirectoryConfiguration(),
    tree: @escaping @Sendable (ID) -> TreeConfiguration = { _ in TreeConfiguration() },
    onEvent: (@Sendable (DirectoryEvent<ID>) -> Void)? = nil,
    build: @escaping @Sendable (ID) async throws -> sending Root
  ) {
    self.init(kind, store, schema, coder, configuration, tree, onEvent) { id, saved, configuration in
      try await TreeHost(restoring: saved, by: coder, configuration, buildAsync: { try await build(id) })
    }
  }
}

extension TreeDirectory where Root == any LaunchRouting {
  /// Creates a directory with a builder that returns its router as `any LaunchRouting`; see the form for routers.
  public convenience init(
    _ kind: String = "tree", in store: (any TreeStore)? = nil, schema: Int = 1,
    coder: any SavedTree.Coder = JSONStateCoder(), configuration: DirectoryConfiguration = DirectoryConfiguration(),
    tree: @escaping @Sendable (ID) -> TreeConfiguration = { _ in TreeConfiguration() },
    onEvent: (@Sendable (DirectoryEvent<ID>) -> Void)? = nil,
    build: @escaping @Sendable (ID) throws -> any LaunchRouting
  ) {
    self.init(kind, store, schema, coder, configuration, tree, onEvent) { id, saved, configuration in
      try await TreeHost(restoring: saved, by: coder, configuration, build: { try build(id) })
    }
  }

  /// Creates a directory with an asynchronous builder that returns its router as `any LaunchRouting`; see the forms for
  /// routers.
  public convenience init(
    _ kind: String = "tree", in store: (any TreeStore)? = nil, schema: Int = 1,
    coder: any SavedTree.Coder = JSONStateCoder(), configuration: DirectoryConfiguration = DirectoryConfiguration(),
    tree: @escaping @Sendable (ID) -> TreeConfiguration = { _ in TreeConfiguration() },
    onEvent: (@Sendable (DirectoryEvent<ID>) -> Void)? = nil,
    build: @escaping @Sendable (ID) async throws -> sending any LaunchRouting
  ) {
    self.init(kind, store, schema, coder, configuration, tree, onEvent) { id, saved, configuration in
      try await TreeHost(restoring: saved, by: coder, configuration, buildAsync: { try await build(id) })
    }
  }
}

/// The store of a directory, with what is needed to read and write it.
struct DirectoryStorage: Sendable {
  let store: any TreeStore
  let schema: Int
  let coder: any SavedTree.Coder
  let queue: SaveQueue
}

/// A tree that no call used, and its last use then.
typealias TreeCandidate<ID: Hashable & Sendable, Root> = (
  key: DirectoryTable<ID, Root>.Key, tree: OpenTree<Root>, use: UInt64
)

/// The mutable state of a directory, beside the table of its trees.
struct DirectoryState<ID: Hashable & Sendable, Root>: Sendable {
  /// The lease under which trees are claimed. Replaced when it has ended.
  var lease: Lease
  /// The next renewal.
  var renewal = Duration.zero
  /// A promise that is fulfilled when the current renewal has ended.
  var renewing: Promise<(any Error)?>?
  /// The trees to be opened again by `run()`, and when.
  var reopenings: [DirectoryTable<ID, Root>.Key: Duration] = [:]
  /// How often `run()` has failed in a row to open a tree, for reasons that are not in its record.
  var attempts: [DirectoryTable<ID, Root>.Key: Int] = [:]
  /// Whether `run()` is looking for trees to open.
  var isRecovering = false
  var waits = OpeningWaits()
  /// The unfinished starts of trees, without those of this process, where the store may count these too.
  var startsOfOthers: [DirectoryTable<ID, Root>.Key: UnfinishedStarts] = [:]
  /// Whether `run()` is noting starts.
  var isNotingStarts = false
  /// How many rounds in a row have found the process above its memory limit.
  var roundsAboveMemoryLimit = 0
  /// The readers of trees.
  var followers: [DirectoryTable<ID, Root>.Key: Followers<Root>] = [:]
  /// The trees that have been idle for the longest time, the longest last.
  var candidates: [TreeCandidate<ID, Root>] = []

  /// Called when a tree is open or does not exist any more.
  mutating func forgetReopening(of key: DirectoryTable<ID, Root>.Key) { (reopenings[key], attempts[key]) = (nil, nil) }
}
