// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
internal import Synchronization

extension TreeDirectory {
  /// The saved values of a stream of the tree of an ID, also after it was passivated and is awake again.
  ///
  /// ```swift
  /// let sessions = TreeDirectory("session", in: MemoryStore()) { (id: Int) in
  ///   RootBuilder(dependency: AppComponent()).build()
  /// }
  /// for try await total in sessions.values(onExisting: 17, { root in root.interactor.totals }) { print(total) }
  /// ```
  ///
  /// The tree is opened for the first value, as by a call. Afterwards the reader does not keep it awake: the directory ends the
  /// tree when it is idle, the sequence waits, and subscribes again when a call or `run()` has opened the tree. A
  /// `BehaviorRelay` delivers its current value then, which is often that of before. A reader that was busy while
  /// the tree was awake and has changed opens the tree again for its newest value.
  ///
  /// Each value is delivered when all changes of the tree so far are saved, so that it survives a crash. Values of a tree that
  /// fails before are not delivered. Of values that are not read in time, the newest is kept.
  ///
  /// If several processes share the store, a tree that is followed stays awake, because another process could wake it, and this
  /// one would not notice.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - stream: finds the stream, from the root router.
  /// - Returns: the sequence. It ends if the tree does not exist, when it is removed, when the directory is shut down, and when
  ///   the reading task is cancelled. It throws the errors of a call that was not made (see `perform(on:)`), and `TreeElsewhere`
  ///   when another process has claimed the tree.
  public func values<Source: ObservableType & SendableMetatype>(
    onExisting id: ID, _ stream: @escaping @Sendable (Root) -> Source
  ) -> some AsyncSequence<Source.Element, any Error> & Sendable where Source.Element: Sendable {
    DirectoryValues(directory: self, key: Key(id), stream: stream)
  }

  /// Counts a new reader as a call of the tree; nil if the tree does not exist.
  fileprivate func follow(_ key: Key) async throws -> OpenTree<Root>? {
    let found: OpenTree<Root>? = if let tree = table.enterIfOpen(key) { tree } else { try await enterIfStored(key) }
    guard let tree = found else { return nil }
    do {
      if hasManyTexts { try checkText(of: key, tree) }
      return tree
    } catch {
      leave(tree, key)
      throw error
    }
  }

  /// Waits until a tree is awake again, and counts the reader as a call of it; nil if it never is.
  ///
  /// - Parameter number: that of the opening that has ended.
  fileprivate func followAgain(
    _ key: Key, _ followers: Followers<Root>, after number: UInt64
  ) async throws -> OpenTree<Root>? {
    while true {
      switch find(key, followers, after: number) {
      case .awake(let tree): return tree
      case .closing(let closed): do { try await closed.end.valueUnlessCancelled() } catch { return nil }
      case .changed: return try await follow(key)
      case .gone: return nil
      case .asleep(let wake):
        do {
          return try await wake.valueUnlessCancelled()
        } catch {
          // An opening has counted it.
          if !followers.stopWaiting(for: wake) { wake.whenSet { tree in if let tree { self.leave(tree, key) } } }
          return nil
        }
      }
    }
  }

  private func find(_ key: Key, _ followers: Followers<Root>, after number: UInt64) -> Followers<Root>.Find {
    table.update(key) { entry, _ in
      switch entry {
      case .open(let tree)? where tree.number != number:
        tree.calls.add(1, ordering: .relaxed)
        return .awake(tree)
      case .closing(let closed, let tree)? where tree?.number != number: return .closing(closed)
      case .opening, .open, .closing, .quarantined, nil:
        // Read while the stripe is locked: a shutdown sets it before it ends the followers.
        return isEnded.load(ordering: .sequentiallyConsistent) ? .gone : followers.wait(after: number)
      }
    }
  }

  /// Adds a reader of a tree.
  fileprivate func addFollower(_ key: Key) -> Followers<Root> {
    state.withLock { state in
      let followers = state.followers[key] ?? Followers()
      state.followers[key] = followers
      followers.add()
      return followers
    }
  }

  fileprivate func removeFollower(_ key: Key, _ followers: Followers<Root>) {
    state.withLock { state in
      if followers.remove(), state.followers[key] === followers { state.followers[key] = nil }
    }
  }

  /// Remembers for its readers that a tree has changed. Called while the table is locked, before the entry changes.
  func treeWillSleep(_ entry: DirectoryTable<ID, Root>.Entry?, _ key: Key) {
    guard case .closing(_, let tree?)? = entry, tree.writer?.hasSaved.load(ordering: .relaxed) == true else { return }
    state.withLock { $0.followers[key] }?.treeDidChange(tree.number)
  }

  /// Ends the sequences of the readers of a tree that does not exist any more.
  func endFollowers(of key: Key) { state.withLock { $0.followers.removeValue(forKey: key) }?.end() }

  /// Ends the sequences of all readers.
  func endFollowers() {
    let followers = state.withLock { state in
      defer { state.followers = [:] }
      return state.followers
    }
    for follower in followers.values { follower.end() }
  }

  /// Waits until the changes of a tree so far are saved.
  ///
  /// - Parameter discards: the number of restarts that had discarded changes before the first of these.
  /// - Returns: false if they may be lost.
  /// - Throws: `TreeElsewhere`, or the error of the store if the lease has ended.
  fileprivate func save(_ tree: OpenTree<Root>, _ key: Key, since discards: Int) async throws -> Bool {
    do {
      let unsaved: TreeSaver.PendingSave?
      do {
        let changes = try await tree.host.home.unsavedChanges()
        guard changes.discards == discards else { return false }
        unsaved = changes.unsaved
      } catch is TreeEnded {
        unsaved = await tree.host.home.endSaving().unsaved
      }
      try await settle(unsaved, of: tree, key)
      return true
    } catch is TreeFailure {
      return false
    } catch is SaveAbandoned {
      return false
    }
  }

  /// - Throws: `TreeElsewhere` if the tree has ended because another owner has claimed it.
  fileprivate func checkOwner(of tree: OpenTree<Root>, _ key: Key) throws {
    guard isOwned(tree) else { throw TreeElsewhere(key: treeKey(key), address: "") }
  }

  fileprivate var isShared: Bool { storage?.store.isShared ?? false }
}

/// The readers of a tree, which may be asleep.
final class Followers<Root>: Sendable {
  /// What a reader finds whose tree has ended.
  enum Find: Sendable {
    case awake(OpenTree<Root>)
    case closing(Closing)
    /// It was awake meanwhile, and has changed.
    case changed
    /// - Parameter wake: fulfilled when it is awake again, with nil if it never is.
    case asleep(wake: Promise<OpenTree<Root>?>)
    case gone
  }

  private struct State {
    var readers = 0
    var waiting = 0
    var wake = Promise<OpenTree<Root>?>()
    /// The number of the last opening that has saved a change and has ended.
    var lastChange: UInt64 = 0
    var isGone = false
  }

  private let state = Locked(State())

  func add() { state.withLock { $0.readers += 1 } }

  /// - Returns: whether there is none any more.
  func remove() -> Bool {
    state.withLock { state in
      state.readers -= 1
      return state.readers == 0
    }
  }

  func treeDidChange(_ number: UInt64) { state.withLock { $0.lastChange = number } }

  func wait(after number: UInt64) -> Find {
    state.withLock { state in
      if state.isGone { return .gone }
      if state.lastChange > number { return .changed }
      state.waiting += 1
      return .asleep(wake: state.wake)
    }
  }

  /// - Returns: false if the tree is awake, and was called for the reader.
  func stopWaiting(for wake: Promise<OpenTree<Root>?>) -> Bool {
    state.withLock { state in
      guard state.wake === wake else { return false }
      state.waiting -= 1
      return true
    }
  }

  /// Takes those that wait.
  func wakeUp() -> (count: Int, wake: Promise<OpenTree<Root>?>) {
    state.withLock { state in
      defer { (state.waiting, state.wake) = (0, Promise()) }
      return (state.waiting, state.wake)
    }
  }

  func end() {
    let wake = state.withLock { state in
      state.isGone = true
      return state.wake
    }
    wake.set(nil)
  }
}

private struct DirectoryValues<ID, Root, Source>: AsyncSequence, Sendable
where
  ID: Hashable & Sendable & LosslessStringConvertible, Source: ObservableType & SendableMetatype,
  Source.Element: Sendable
{
  let directory: TreeDirectory<ID, Root>
  let key: DirectoryTable<ID, Root>.Key
  let stream: @Sendable (Root) -> Source

  func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  struct Iterator: AsyncIteratorProtocol {
    private enum State {
      case new, ended
      /// - Parameter after: the number of the opening that has ended.
      case asleep(Follower, after: UInt64)
      case awake(Follower, OpenTree<Root>, AsyncStream<Source.Element>.Iterator, discards: Int)
    }

    private let values: DirectoryValues
    private var state = State.new

    init(values: DirectoryValues) { self.values = values }

    mutating func next() async throws -> Source.Element? {
      do { return try await read() } catch is CancellationError where Task.isCancelled { return nil }
    }

    private mutating func read() async throws -> Source.Element? {
      let (directory, key) = (values.directory, values.key)
      while !Task.isCancelled {
        switch state {
        case .new:
          let follower = Follower(directory, key)
          await begin(try await directory.follow(key), follower)
        case .asleep(let follower, let number):
          await begin(try await directory.followAgain(key, follower.followers, after: number), follower)
        case .awake(let follower, let tree, var iterator, let discards):
          if let value = await iterator.next() {
            state = .awake(follower, tree, iterator, discards: discards)
            if try await directory.save(tree, key, since: discards) { return value }
            // Changes were lost, perhaps not those that the value tells of: a state tells the present ones again.
            await subscribe(to: tree, follower)
          } else if (try? await tree.host.perform { _ in }) != nil {
            // The stream has completed.
            state = .ended
          } else {
            try directory.checkOwner(of: tree, key)
            state = .asleep(follower, after: tree.number)
          }
        case .ended: return nil
        }
      }
      return nil
    }

    private mutating func begin(_ tree: OpenTree<Root>?, _ follower: Follower) async {
      guard let tree else { return state = .ended }
      defer { values.directory.leave(tree, values.key) }
      await subscribe(to: tree, follower)
    }

    private mutating func subscribe(to tree: OpenTree<Root>, _ follower: Follower) async {
      let (stream, discards) = await tree.host.home.subscription(
        values.stream, keepsAwake: values.directory.isShared)
      state = .awake(follower, tree, stream.makeAsyncIterator(), discards: discards)
    }
  }

  /// A reader, from its first value to its end.
  private final class Follower: Sendable {
    let followers: Followers<Root>
    private let directory: TreeDirectory<ID, Root>
    private let key: DirectoryTable<ID, Root>.Key

    init(_ directory: TreeDirectory<ID, Root>, _ key: DirectoryTable<ID, Root>.Key) {
      self.directory = directory
      self.key = key
      followers = directory.addFollower(key)
    }

    deinit { directory.removeFollower(key, followers) }
  }
}
